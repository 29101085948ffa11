/* Functions on bits that compilers know. C gives clz and ctz of 0 no meaning; here they count all bits. */

unsigned short __builtin_bswap16(unsigned short x)
{
    return (unsigned short)(x >> 8 | x << 8);
}

unsigned __builtin_bswap32(unsigned x)
{
    return x >> 24 | x >> 8 & 0xff00 | x << 8 & 0xff0000 | x << 24;
}

unsigned long long __builtin_bswap64(unsigned long long x)
{
    return (unsigned long long)__builtin_bswap32((unsigned)x) << 32
           | __builtin_bswap32((unsigned)(x >> 32));
}

int __builtin_popcountll(unsigned long long x)
{
    x = x - (x >> 1 & 0x5555555555555555ULL);
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
    x = x + (x >> 4) & 0x0f0f0f0f0f0f0f0fULL;
    x = x + (x >> 8);
    x = x + (x >> 16);
    x = x + (x >> 32);
    return (int)(x & 127);
}

int __builtin_popcountl(unsigned long x)
{
    return __builtin_popcountll(x);
}

int __builtin_popcount(unsigned x)
{
    return __builtin_popcountll(x);
}

int __builtin_parityll(unsigned long long x)
{
    x ^= x >> 32;
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    x ^= x >> 2;
    x ^= x >> 1;
    return (int)(x & 1);
}

int __builtin_parityl(unsigned long x)
{
    return __builtin_parityll(x);
}

int __builtin_parity(unsigned x)
{
    return __builtin_parityll(x);
}

int __builtin_ctzll(unsigned long long x)
{
    int n = 0;
    if (!x)
        return 64;
    if (!(x & 0xffffffff))
        n += 32, x >>= 32;
    if (!(x & 0xffff))
        n += 16, x >>= 16;
    if (!(x & 0xff))
        n += 8, x >>= 8;
    if (!(x & 0xf))
        n += 4, x >>= 4;
    if (!(x & 3))
        n += 2, x >>= 2;
    return n + !(x & 1);
}

int __builtin_ctzl(unsigned long x)
{
    return x ? __builtin_ctzll(x) : (int)(8 * sizeof x);
}

int __builtin_ctz(unsigned x)
{
    return x ? __builtin_ctzll(x) : 32;
}

int __builtin_clzll(unsigned long long x)
{
    int n = 0;
    if (!x)
        return 64;
    if (!(x >> 32))
        n += 32, x <<= 32;
    if (!(x >> 48))
        n += 16, x <<= 16;
    if (!(x >> 56))
        n += 8, x <<= 8;
    if (!(x >> 60))
        n += 4, x <<= 4;
    if (!(x >> 62))
        n += 2, x <<= 2;
    return n + !(x >> 63);
}

int __builtin_clzl(unsigned long x)
{
    return __builtin_clzll(x) - (64 - (int)(8 * sizeof x));
}

int __builtin_clz(unsigned x)
{
    return __builtin_clzll(x) - 32;
}

int __builtin_ffsll(long long x)
{
    return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}

int __builtin_ffsl(long x)
{
    return x ? __builtin_ctzll((unsigned long)x) + 1 : 0;
}

int __builtin_ffs(int x)
{
    return x ? __builtin_ctzll((unsigned)x) + 1 : 0;
}

int __builtin_clrsbll(long long x)
{
    return __builtin_clzll((unsigned long long)(x < 0 ? ~x : x)) - 1;
}

int __builtin_clrsbl(long x)
{
    return __builtin_clrsbll(x) - (64 - (int)(8 * sizeof x));
}

int __builtin_clrsb(int x)
{
    return __builtin_clrsbll(x) - 32;
}
