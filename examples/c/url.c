/* Takes `host[:port][/path]` apart. `-D BUG`: a host that is too long is copied all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct url {
    char host[3];
    int port;
    const char *path;
};

static int parse(const char *text, struct url *url) {
    size_t length = strcspn(text, ":/");
#ifdef BUG
    if (length > sizeof url->host) return 0;
#else
    if (length >= sizeof url->host) return 0;
#endif
    memcpy(url->host, text, length);
    url->host[length] = '\0';
    url->port = 80;
    text += length;
    if (*text == ':') {
        char *end;
        long port = strtol(text + 1, &end, 10);
        if (port <= 0 || port > 65535) return 0;
        url->port = (int)port;
        text = end;
    }
    if (*text && *text != '/') return 0;
    url->path = text;
    return 1;
}

int main(void) {
    struct url url = {"", 0, ""};
    char line[6];
    if (!fgets(line, sizeof line, stdin) || !parse(line, &url)) return 1;
    printf("%s %d %s\n", url.host, url.port, url.path);
    return 0;
}
