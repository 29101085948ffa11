// What was received is ended one byte too far.
// expect: unsafe
// options: --property bounds
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    char text[8];
    struct sockaddr from;
    socklen_t length = sizeof from;
    int s = socket(AF_INET, SOCK_STREAM, 0), c;
    if (s == -1 || bind(s, &(struct sockaddr){0}, sizeof from) || listen(s, 5))
        return 1;
    c = accept(s, &from, &length);
    if (c != -1) {
        long n = recv(c, text, sizeof text, 0);
        if (n > 0)
            text[n] = 0; //~ violated
    }
    return 0;
}
