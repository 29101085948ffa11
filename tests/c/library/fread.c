// expect: safe
#include <stdio.h>
int main(void) {
    unsigned char b[4];
    unsigned sum = 0;
    size_t n = fread(b, 1, sizeof b, stdin);
    for (size_t i = 0; i < n; i++) sum += b[i];
    return sum > 4 * 255;
}
