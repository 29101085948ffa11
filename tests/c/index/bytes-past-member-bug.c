// More bytes than the member has: what lies behind it is overwritten.
// expect: unsafe
// options: --property index
// models: lp64 ilp32
#include <string.h>

struct packet {
    unsigned char head[4];
    void *next;
};

int main(void)
{
    struct packet p = {{0}, 0};
    memcpy(p.head, "0123456", sizeof p); //~ violated
    return 0;
}
