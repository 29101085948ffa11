// expect: unsafe
#include <math.h>
int main(void) {
    double d = NAN;
    return (int)d; //~ violated
}
