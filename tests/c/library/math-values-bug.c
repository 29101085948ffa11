// expect: unsafe
#include <assert.h>
#include <math.h>
int main(int argc, char **argv) {
    double x = argc % 2;
    assert(cos(x) > 0.6 && exp2(0.5 + x) < 1.4); //~ violated
    return 0;
}
