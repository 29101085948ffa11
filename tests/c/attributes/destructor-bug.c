// expect: unsafe
extern void reach_error(void);
#include <stdlib.h>
int g;
static void __attribute__((destructor)) at_end(void) {
    if (g) reach_error(); //~ violated
}
int main(void) {
    g = 1;
    exit(0);
}
