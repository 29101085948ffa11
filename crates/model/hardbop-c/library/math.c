/*
 * <math.h>. What IEEE 754 fixes is exact; of the others the range that mathematics gives them is known, and
 * any value in it may come. errno tells what glibc lets it tell; the flags of the machine are not touched.
 */

union __hardbop_double {
    double value;
    unsigned long long bits;
};

union __hardbop_float {
    float value;
    unsigned bits;
};

double copysign(double x, double y)
{
    union __hardbop_double u = {x}, v = {y};
    u.bits = u.bits & 0x7fffffffffffffffULL | v.bits & 0x8000000000000000ULL;
    return u.value;
}

float copysignf(float x, float y)
{
    return (float)copysign(x, y);
}

double fabs(double x)
{
    return copysign(x, 1.0);
}

float fabsf(float x)
{
    return (float)copysign(x, 1.0);
}

/* ---- what kind of number it is ---- */

int isnan(double x)
{
    return x != x;
}

int isnanf(float x)
{
    return x != x;
}

int __isnan(double x)
{
    return x != x;
}

int __isnanf(float x)
{
    return x != x;
}

int isinf_sign(double x)
{
    return x > 1.7976931348623157e308 ? 1 : x < -1.7976931348623157e308 ? -1 : 0;
}

int isinf(double x)
{
    return isinf_sign(x);
}

int isinff(float x)
{
    return isinf_sign(x);
}

int __isinf(double x)
{
    return isinf_sign(x);
}

int __isinff(float x)
{
    return isinf_sign(x);
}

int isfinite(double x)
{
    return x >= -1.7976931348623157e308 && x <= 1.7976931348623157e308;
}

int finite(double x)
{
    return isfinite(x);
}

int finitef(float x)
{
    return isfinite(x);
}

int __finite(double x)
{
    return isfinite(x);
}

int __finitef(float x)
{
    return isfinite(x);
}

int isnormal(double x)
{
    return fabs(x) >= 2.2250738585072014e-308 && isfinite(x);
}

int signbit(double x)
{
    union __hardbop_double u = {x};
    return (int)(u.bits >> 63);
}

int signbitf(float x)
{
    return signbit(x);
}

int __signbit(double x)
{
    return signbit(x) ? 128 : 0;
}

int __signbitf(float x)
{
    return signbit(x) ? 8 : 0;
}

int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (!isfinite(x))
        return 1;
    if (x == 0)
        return 2;
    return isnormal(x) ? 4 : 3;
}

int __fpclassifyf(float x)
{
    if (x != 0 && fabs(x) < 1.17549435e-38)
        return 3;
    return __fpclassify(x);
}

/* The compiler's, with the values of the macros. */
int __builtin_fpclassify(int nan, int infinite, int normal, int subnormal, int zero, double x)
{
    int kind = __fpclassify(x);
    return kind == 0 ? nan : kind == 1 ? infinite : kind == 2 ? zero : kind == 3 ? subnormal : normal;
}

int isgreater(double x, double y)
{
    return x > y;
}

int isgreaterequal(double x, double y)
{
    return x >= y;
}

int isless(double x, double y)
{
    return x < y;
}

int islessequal(double x, double y)
{
    return x <= y;
}

int islessgreater(double x, double y)
{
    return x < y || x > y;
}

int isunordered(double x, double y)
{
    return x != x || y != y;
}

/* ---- the larger, the smaller, the difference ---- */

double fmax(double x, double y)
{
    return x != x ? y : y != y ? x : x < y ? y : x;
}

float fmaxf(float x, float y)
{
    return (float)fmax(x, y);
}

double fmin(double x, double y)
{
    return x != x ? y : y != y ? x : y < x ? y : x;
}

float fminf(float x, float y)
{
    return (float)fmin(x, y);
}

double fdim(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (!(x > y))
        return 0.0;
    if (isfinite(x) && isfinite(y) && !isfinite(x - y))
        __hardbop_errno = 34;
    return x - y;
}

float fdimf(float x, float y)
{
    double distance = fdim(x, y);
    if (isfinite(distance) && !isfinite((float)distance))
        __hardbop_errno = 34;
    return (float)distance;
}

/* ---- whole numbers ---- */

double trunc(double x)
{
    /* From 2^52 on there are no fractions. */
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0))
        return x;
    return copysign((double)(long long)x, x);
}

float truncf(float x)
{
    return (float)trunc(x);
}

double floor(double x)
{
    double t = trunc(x);
    return t > x ? t - 1.0 : t;
}

float floorf(float x)
{
    return (float)floor(x);
}

double ceil(double x)
{
    double t = trunc(x);
    return t < x ? copysign(t + 1.0, x) : t;
}

float ceilf(float x)
{
    return (float)ceil(x);
}

double round(double x)
{
    double t = trunc(x), d = x - t;
    return d >= 0.5 ? t + 1.0 : d <= -0.5 ? t - 1.0 : t;
}

float roundf(float x)
{
    return (float)round(x);
}

double rint(double x)
{
    double m = copysign(4503599627370496.0, x);
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0))
        return x;
    return copysign(x + m - m, x);
}

float rintf(float x)
{
    return (float)rint(x);
}

double nearbyint(double x)
{
    return rint(x);
}

float nearbyintf(float x)
{
    return (float)rint(x);
}

long __hardbop_whole_long(double x)
{
    double limit = sizeof(long) == 8 ? 9223372036854775808.0 : 2147483648.0;
    /* Where it does not fit, the value is any. */
    return x >= -limit && x < limit ? (long)x : __hardbop_any_long("<math.h>");
}

long long __hardbop_whole_longlong(double x)
{
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (long long)x
                                                                    : __hardbop_any_longlong("<math.h>");
}

long lround(double x)
{
    return __hardbop_whole_long(round(x));
}

long lroundf(float x)
{
    return __hardbop_whole_long(round(x));
}

long lrint(double x)
{
    return __hardbop_whole_long(rint(x));
}

long lrintf(float x)
{
    return __hardbop_whole_long(rint(x));
}

long long llround(double x)
{
    return __hardbop_whole_longlong(round(x));
}

long long llroundf(float x)
{
    return __hardbop_whole_longlong(round(x));
}

long long llrint(double x)
{
    return __hardbop_whole_longlong(rint(x));
}

double modf(double x, double *whole)
{
    double t = trunc(x);
    *whole = t;
    return isfinite(x) ? copysign(x - t, x) : x != x ? x : copysign(0.0, x);
}

float modff(float x, float *whole)
{
    double t;
    float rest = (float)modf(x, &t);
    *whole = (float)t;
    return rest;
}

/* ---- what errno tells ---- */

/* The argument is outside of what the function is defined for. */
double __hardbop_domain(void)
{
    __hardbop_errno = 33;
    return __builtin_nan("");
}

/* The result of numbers that are finite: an infinite one is too large, 0 is too small. */
double __hardbop_ranged(double value)
{
    if (value == 0 || !isfinite(value))
        __hardbop_errno = 34;
    return value;
}

/* The same where 0 is a result as any other. */
double __hardbop_overflow(double value)
{
    if (!isfinite(value))
        __hardbop_errno = 34;
    return value;
}

/* A result as a float, which holds less. */
float __hardbop_as_float(double value)
{
    float narrow = (float)value;
    if (isfinite(value) && value != 0)
        __hardbop_ranged(narrow);
    return narrow;
}

/* ---- exponents ---- */

/* The exponent of a finite number other than 0 as an integer: x is 1.f times 2 to it. */
int __hardbop_exponent(double x)
{
    union __hardbop_double u = {x};
    int exponent = (int)(u.bits >> 52 & 0x7ff);
    if (exponent)
        return exponent - 1023;
    u.value = x * 18014398509481984.0;
    return (int)(u.bits >> 52 & 0x7ff) - 1023 - 54;
}

/* x times 2 to the n. */
double __hardbop_scale(double x, int n)
{
    if (x == 0 || !isfinite(x))
        return x;
    if (n > 2200)
        n = 2200;
    if (n < -2200)
        n = -2200;
    union __hardbop_double power = {0};
    for (; n > 1023; n -= 1023)
        x *= 8.98846567431158e307;
    /* Only the last factor may round: it is where the number becomes subnormal. */
    for (; n < -1022 + 53; n += 1022 - 53)
        x *= 2.004168360008973e-292;
    power.bits = (unsigned long long)(n + 1023) << 52;
    return x * power.value;
}

double scalbn(double x, int n)
{
    double value = __hardbop_scale(x, n);
    return x == 0 || !isfinite(x) ? value : __hardbop_ranged(value);
}

double ldexp(double x, int n)
{
    return scalbn(x, n);
}

float ldexpf(float x, int n)
{
    return __hardbop_as_float(scalbn(x, n));
}

double scalbln(double x, long n)
{
    return scalbn(x, n > 3000 ? 3000 : n < -3000 ? -3000 : (int)n);
}

double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !isfinite(x))
        return x;
    int n = __hardbop_exponent(x);
    *exponent = n + 1;
    union __hardbop_double u = {n < -1022 ? x * 18014398509481984.0 : x};
    u.bits = u.bits & 0x800fffffffffffffULL | 0x3fe0000000000000ULL;
    return u.value;
}

float frexpf(float x, int *exponent)
{
    return (float)frexp(x, exponent);
}

double logb(double x)
{
    if (x == 0)
        return -__builtin_inf();
    if (!isfinite(x))
        return x * x;
    return __hardbop_exponent(x);
}

int ilogb(double x)
{
    if (x != 0 && isfinite(x))
        return __hardbop_exponent(x);
    __hardbop_errno = 33;
    return x == 0 || x != x ? -2147483647 - 1 : 2147483647;
}

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union __hardbop_double u = {x};
    if (x == 0) {
        u.bits = 1;
    } else {
        u.bits = (x < y) == (x > 0) ? u.bits + 1 : u.bits - 1;
    }
    if (!isnormal(u.value) && isfinite(x))
        __hardbop_errno = 34;
    return x == 0 ? copysign(u.value, y) : u.value;
}

float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union __hardbop_float u = {x};
    if (x == 0) {
        u.bits = 1;
    } else {
        u.bits = (x < y) == (x > 0) ? u.bits + 1 : u.bits - 1;
    }
    if (!(fabs(u.value) >= 1.17549435e-38 && isfinite(u.value)) && isfinite(x))
        __hardbop_errno = 34;
    return x == 0 ? copysignf(u.value, y) : u.value;
}

/* ---- square root and remainders, rounded as IEEE 754 says ---- */

double sqrt(double x)
{
    if (x != x || x == 0)
        return x;
    if (x < 0)
        return __hardbop_domain();
    if (!isfinite(x))
        return x;
    int exponent = __hardbop_exponent(x);
    union __hardbop_double u = {exponent < -1022 ? x * 18014398509481984.0 : x};
    unsigned long long radicand = u.bits & 0xfffffffffffffULL | 0x10000000000000ULL;
    /* With an even exponent: 53 or 54 bits, two for each digit of the root. */
    if (exponent & 1) {
        radicand <<= 1;
        exponent--;
    }
    unsigned long long root = 0, rest = 0;
    for (int i = 0; i < 54; i++) {
        rest = rest << 2 | (i < 27 ? radicand >> (52 - 2 * i) & 3 : 0);
        root <<= 1;
        if (rest >= (root << 1 | 1)) {
            rest -= root << 1 | 1;
            root |= 1;
        }
    }
    /* One digit more than fits; a root is never half way. */
    root = (root >> 1) + (root & 1);
    u.bits = ((unsigned long long)(exponent / 2 + 1022) << 52) + root;
    return u.value;
}

float sqrtf(float x)
{
    return (float)sqrt(x);
}

double fmod(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (!isfinite(x) || y == 0)
        return __hardbop_domain();
    double a = fabs(x), b = fabs(y);
    if (a < b || !isfinite(y))
        return x;
    int steps = __hardbop_exponent(a) - __hardbop_exponent(b);
    /* Each difference is exact: both have the same exponent or nearly so. */
    for (; steps >= 0; steps--) {
        double part = __hardbop_scale(b, steps);
        if (a >= part)
            a -= part;
    }
    return copysign(a, x);
}

float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}

double remainder(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (!isfinite(x) || y == 0)
        return __hardbop_domain();
    if (!isfinite(y))
        return x;
    double b = fabs(y), a = fabs(x);
    int is_odd = 0;
    if (b < 8e307)
        a = fmod(a, b + b);
    /* Twice what is left against the divisor, without rounding. */
    if (b > 2.2250738585072014e-308 + 2.2250738585072014e-308) {
        double half = b * 0.5;
        if (a > half) {
            a -= b;
            if (a >= half)
                a -= b;
        }
    } else if (a + a > b) {
        a -= b;
        if (a + a >= b)
            a -= b;
    }
    return signbit(x) ? -a : a;
}

double drem(double x, double y)
{
    return remainder(x, y);
}

double remquo(double x, double y, int *quotient)
{
    double value = remainder(x, y);
    *quotient = 0;
    if (isfinite(x) && isfinite(y) && y != 0) {
        double a = fabs(x), b = fabs(y);
        if (b < 2e307)
            a = fmod(a, 8.0 * b);
        int n = (int)rint((a - remainder(a, b)) / b) & 7;
        *quotient = signbit(x) != signbit(y) ? -n : n;
    }
    return value;
}

float remquof(float x, float y, int *quotient)
{
    return (float)remquo(x, y, quotient);
}

/* The sum is rounded once where the product needs no rounding: in a type wider than double it is exact or unsupported. */
double fma(double x, double y, double z)
{
    long double product = (long double)x * y;
    return (double)product + z;
}

float fmaf(float x, float y, float z)
{
    long double product = (long double)x * y;
    return (float)(product + z);
}

/* ---- long double: its values are those of double here ---- */

double nexttoward(double x, long double y)
{
    return nextafter(x, (double)y);
}

float nexttowardf(float x, long double y)
{
    if (x == y)
        return (float)y;
    return nextafterf(x, x < y ? __builtin_inff() : x > y ? -__builtin_inff() : __builtin_nanf(""));
}

long double fabsl(long double x)
{
    return fabs((double)x);
}

long double copysignl(long double x, long double y)
{
    return copysign((double)x, (double)y);
}

long double floorl(long double x)
{
    return floor((double)x);
}

long double ceill(long double x)
{
    return ceil((double)x);
}

long double truncl(long double x)
{
    return trunc((double)x);
}

long double roundl(long double x)
{
    return round((double)x);
}

long double rintl(long double x)
{
    return rint((double)x);
}

long double nearbyintl(long double x)
{
    return rint((double)x);
}

long lroundl(long double x)
{
    return lround((double)x);
}

long long llroundl(long double x)
{
    return llround((double)x);
}

long double fmaxl(long double x, long double y)
{
    return fmax((double)x, (double)y);
}

long double fminl(long double x, long double y)
{
    return fmin((double)x, (double)y);
}

long double fmodl(long double x, long double y)
{
    return fmod((double)x, (double)y);
}

long double sqrtl(long double x)
{
    long double root = sqrt((double)x);
    if (root == root && isfinite((double)root) && root * root != x)
        __hardbop_unsupported("a root in long double that is not exact");
    return root;
}

long double strtold(const char *s, char **end)
{
    double value = strtod(s, end);
    if (value == value && isfinite(value) && value != rint(value))
        __hardbop_unsupported("the digits of a long double");
    return value;
}

/* ---- the others: any value of their range ---- */

double __hardbop_real(void)
{
    double value = __hardbop_any_double("<math.h>");
    return value == value ? value : 0.0;
}

/* Any number from low to high. */
double __hardbop_between(double low, double high)
{
    double value = __hardbop_real();
    return value < low ? low : value > high ? high : value;
}

double sin(double x)
{
    if (x == 0)
        return x;
    return isfinite(x) ? __hardbop_between(-1.0, 1.0) : x != x ? x : __hardbop_domain();
}

double cos(double x)
{
    if (x == 0)
        return 1.0;
    return isfinite(x) ? __hardbop_between(-1.0, 1.0) : x != x ? x : __hardbop_domain();
}

double tan(double x)
{
    if (x == 0)
        return x;
    return isfinite(x) ? __hardbop_real() : x != x ? x : __hardbop_domain();
}

double asin(double x)
{
    if (x == 0)
        return x;
    if (x >= -1 && x <= 1)
        return __hardbop_between(-1.5707963267948966, 1.5707963267948966);
    return x != x ? x : __hardbop_domain();
}

double acos(double x)
{
    if (x == 1)
        return 0.0;
    if (x >= -1 && x <= 1)
        return __hardbop_between(0.0, 3.141592653589793);
    return x != x ? x : __hardbop_domain();
}

double atan(double x)
{
    if (x == 0 || x != x)
        return x;
    return copysign(__hardbop_between(0.0, 1.5707963267948966), x);
}

double atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    return copysign(__hardbop_between(0.0, 3.141592653589793), y);
}

double sinh(double x)
{
    if (x == 0 || !isfinite(x))
        return x;
    return copysign(__hardbop_overflow(__hardbop_between(0.0, __builtin_inf())), x);
}

double cosh(double x)
{
    if (x == 0)
        return 1.0;
    if (!isfinite(x))
        return x * x;
    return __hardbop_overflow(__hardbop_between(1.0, __builtin_inf()));
}

double tanh(double x)
{
    if (x == 0 || x != x)
        return x;
    return copysign(__hardbop_between(0.0, 1.0), x);
}

double asinh(double x)
{
    if (x == 0 || !isfinite(x))
        return x;
    return copysign(__hardbop_between(0.0, 711.0), x);
}

double acosh(double x)
{
    if (x == 1)
        return 0.0;
    if (x >= 1)
        return __hardbop_between(0.0, __builtin_inf());
    return x != x ? x : __hardbop_domain();
}

double atanh(double x)
{
    if (x == 0)
        return x;
    if (x == 1 || x == -1)
        return __hardbop_ranged(copysign(__builtin_inf(), x));
    if (x > -1 && x < 1)
        return copysign(__hardbop_between(0.0, 20.0), x);
    return x != x ? x : __hardbop_domain();
}

double exp(double x)
{
    if (x == 0)
        return 1.0;
    if (!isfinite(x))
        return x < 0 ? 0.0 : x;
    if (x > 709.79)
        return __hardbop_ranged(__builtin_inf());
    if (x < -745.2)
        return __hardbop_ranged(0.0);
    return __hardbop_ranged(x < 0 ? __hardbop_between(x > -745.1 ? 4.9406564584124654e-324 : 0.0, 1.0)
                                  : __hardbop_between(1.0, x < 709.78 ? 1.7976931348623157e308 : __builtin_inf()));
}

double exp2(double x)
{
    if (x == trunc(x) && x >= -1022 && x <= 1023)
        return __hardbop_scale(1.0, (int)x);
    if (x != x || !isfinite(x))
        return exp(x);
    return __hardbop_ranged(x < 0 ? __hardbop_between(0.0, 1.0) : __hardbop_between(1.0, __builtin_inf()));
}

double expm1(double x)
{
    if (x == 0 || x != x)
        return x;
    if (!isfinite(x))
        return x < 0 ? -1.0 : x;
    return x < 0 ? __hardbop_between(-1.0, 0.0) : __hardbop_overflow(__hardbop_between(0.0, __builtin_inf()));
}

double log(double x)
{
    if (x == 1)
        return 0.0;
    if (x == 0)
        return __hardbop_ranged(-__builtin_inf());
    if (x < 0)
        return __hardbop_domain();
    if (!isfinite(x))
        return x;
    return x < 1 ? __hardbop_between(-745.2, 0.0) : __hardbop_between(0.0, 709.8);
}

double log2(double x)
{
    if (x > 0 && isfinite(x) && x == __hardbop_scale(1.0, __hardbop_exponent(x)))
        return __hardbop_exponent(x);
    if (x > 0 && isfinite(x))
        return x < 1 ? __hardbop_between(-1074.0, 0.0) : __hardbop_between(0.0, 1024.0);
    return log(x);
}

double log10(double x)
{
    if (x > 0 && isfinite(x))
        return x == 1 ? 0.0 : x < 1 ? __hardbop_between(-324.0, 0.0) : __hardbop_between(0.0, 308.3);
    return log(x);
}

double log1p(double x)
{
    if (x == 0 || x != x)
        return x;
    if (x == -1)
        return __hardbop_ranged(-__builtin_inf());
    if (x < -1)
        return __hardbop_domain();
    /* Not by way of a sum that is rounded: it is 1 for a small number. */
    if (isfinite(x) && (1.0 + x) - 1.0 != x)
        __hardbop_unsupported("`log1p` of a number to which 1 is not added exactly");
    return log(1.0 + x);
}

/* What 0 to the power of something negative is. */
double __hardbop_pole(int is_negative, double y)
{
    double value = is_negative ? -__builtin_inf() : __builtin_inf();
    return isfinite(y) ? __hardbop_overflow(value) : value;
}

/* Exact where it is a product of few whole numbers; else of the right sign. */
double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    if (y == 1)
        return x;
    if (x == trunc(x) && y == trunc(y) && y > 0 && y <= 64) {
        double product = x;
        int n = (int)y - 1;
        for (; n > 0 && fabs(product) <= 9007199254740992.0; n--)
            product *= x;
        if (n == 0 && fabs(product) <= 9007199254740992.0)
            return product;
    }
    if (x == 2 && y == trunc(y) && y >= -1022 && y <= 1023)
        return __hardbop_scale(1.0, (int)y);
    if (x == 0 && y < 0)
        return __hardbop_pole(signbit(x) && isfinite(y) && fmod(y, 2.0) == -1, y);
    if (!isfinite(x) || !isfinite(y))
        return x >= 0 ? __hardbop_between(0.0, __builtin_inf()) : __hardbop_any_double("<math.h>");
    if (x == 0)
        return signbit(x) && fmod(y, 2.0) == 1 ? -0.0 : 0.0;
    if (x > 0)
        return __hardbop_ranged(__hardbop_between(0.0, __builtin_inf()));
    return y == trunc(y) ? __hardbop_ranged(__hardbop_real()) : __hardbop_domain();
}

double cbrt(double x)
{
    if (x == 0 || !isfinite(x))
        return x;
    return copysign(__hardbop_between(0.0, 5.7e102), x);
}

double hypot(double x, double y)
{
    if (x == 0 || y == 0)
        return fabs(x) + fabs(y);
    if (isinf_sign(x) || isinf_sign(y))
        return __builtin_inf();
    if (x != x || y != y)
        return x + y;
    return __hardbop_overflow(__hardbop_between(fmax(fabs(x), fabs(y)), __builtin_inf()));
}

/* Of the following no run knows the values of this machine. */

double erf(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isfinite(x))
        __hardbop_unsupported("the value of `erf`");
    return x > 0 ? 1.0 : -1.0;
}

double erfc(double x)
{
    if (x == 0)
        return 1.0;
    if (isfinite(x))
        __hardbop_unsupported("the value of `erfc`");
    return x != x ? x : x > 0 ? 0.0 : 2.0;
}

double tgamma(double x)
{
    if (x == 1 || x == 2)
        return 1.0;
    if (isfinite(x))
        __hardbop_unsupported("the value of `tgamma`");
    return x > 0 || x != x ? x : __builtin_nan("");
}

double lgamma(double x)
{
    if (x == 1 || x == 2)
        return 0.0;
    if (isfinite(x))
        __hardbop_unsupported("the value of `lgamma`");
    return x != x ? x : __builtin_inf();
}

float acosf(float x)
{
    return (float)acos(x);
}

float asinf(float x)
{
    return (float)asin(x);
}

float acoshf(float x)
{
    return (float)acosh(x);
}

float asinhf(float x)
{
    return (float)asinh(x);
}

float atanhf(float x)
{
    return (float)atanh(x);
}

float coshf(float x)
{
    return __hardbop_as_float(cosh(x));
}

float sinhf(float x)
{
    return __hardbop_as_float(sinh(x));
}

float tanhf(float x)
{
    return (float)tanh(x);
}

float exp2f(float x)
{
    return __hardbop_as_float(exp2(x));
}

float expm1f(float x)
{
    return __hardbop_as_float(expm1(x));
}

float log1pf(float x)
{
    return (float)log1p(x);
}

float logbf(float x)
{
    return (float)logb(x);
}

float cbrtf(float x)
{
    return (float)cbrt(x);
}

float erff(float x)
{
    return (float)erf(x);
}

float erfcf(float x)
{
    return (float)erfc(x);
}

float lgammaf(float x)
{
    return (float)lgamma(x);
}

float tgammaf(float x)
{
    return (float)tgamma(x);
}

float scalbnf(float x, int n)
{
    return __hardbop_as_float(scalbn(x, n));
}

float scalblnf(float x, long n)
{
    return __hardbop_as_float(scalbln(x, n));
}

int ilogbf(float x)
{
    return ilogb(x);
}

float remainderf(float x, float y)
{
    return (float)remainder(x, y);
}

long long llrintf(float x)
{
    return llrint(x);
}

float sinf(float x)
{
    return (float)sin(x);
}

float cosf(float x)
{
    return (float)cos(x);
}

float tanf(float x)
{
    return (float)tan(x);
}

float atanf(float x)
{
    return (float)atan(x);
}

float atan2f(float y, float x)
{
    return (float)atan2(y, x);
}

float expf(float x)
{
    return __hardbop_as_float(exp(x));
}

float logf(float x)
{
    return (float)log(x);
}

float log2f(float x)
{
    return (float)log2(x);
}

float log10f(float x)
{
    return (float)log10(x);
}

float powf(float x, float y)
{
    return __hardbop_as_float(pow(x, y));
}

float hypotf(float x, float y)
{
    return __hardbop_as_float(hypot(x, y));
}

double nan(const char *tag)
{
    strlen(tag);
    return __builtin_nan("");
}

float nanf(const char *tag)
{
    strlen(tag);
    return (float)__builtin_nan("");
}

/* <fenv.h>: numbers are rounded to the nearest; what changes that is not modelled. */

int fegetround(void)
{
    return 0;
}
