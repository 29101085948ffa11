// expect: safe
// models: lp64 ilp32
#include <arpa/inet.h>
#include <assert.h>
#include <unistd.h>
int main(void) {
    char from[5] = "abcd", to[4];
    swab(from, to, 3);
    assert(to[0] == 'b' && to[1] == 'a');
    assert(htons(0x1234) == 0x3412 && ntohl(htonl(0xdeadbeef)) == 0xdeadbeef);
    return 0;
}
