// expect: unsafe
// says: may not fit
#include <stdlib.h>
int main(int argc, char **argv) {
    double d = argc > 1 ? 1e10 : 2.5;
    return (int)d == 2; //~ violated
}
