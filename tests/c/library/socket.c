// A client: the call that fails is looked at, what is received is ended, globals keep their values.
// expect: safe
// options: --property bounds,index,assert
// models: lp64 ilp32
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int kept = 3;

int main(void)
{
    char text[8];
    struct sockaddr_in to;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s == -1)
        return 1;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons(80);
    to.sin_addr.s_addr = inet_addr("127.0.0.1");
    assert(to.sin_addr.s_addr == 0x0100007f && inet_addr("1.2.3.x") == ~0u);
    if (connect(s, (struct sockaddr *)&to, sizeof to) == 0) {
        long n = recv(s, text, sizeof text - 1, 0);
        if (n > 0)
            text[n] = 0;
    }
    close(s);
    assert(kept == 3);
    return 0;
}
