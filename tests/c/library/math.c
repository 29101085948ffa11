// expect: safe
#include <assert.h>
#include <math.h>
int main(void) {
    int n;
    double whole;
    assert(sqrt(4.0) == 2.0 && sqrt(2.0) == 1.4142135623730951 && sqrtf(9.0f) == 3.0f);
    assert(fmod(5.5, 2.0) == 1.5 && fmod(-7.0, 3.0) == -1.0 && remainder(5.0, 3.0) == -1.0);
    assert(pow(2.0, 10.0) == 1024.0 && pow(5.5, 1.0) == 5.5);
    assert(lround(2.5) == 3 && lrint(2.5) == 2 && floor(-2.5) == -3.0);
    assert(frexp(8.0, &n) == 0.5 && n == 4 && ldexp(0.5, 4) == 8.0);
    assert(modf(-1.25, &whole) == -0.25 && whole == -1.0);
    assert(hypot(3.0, 0.0) == 3.0 && fabs(sin(1.0)) <= 1.0 && exp(1.0) >= 1.0);
    return 0;
}
