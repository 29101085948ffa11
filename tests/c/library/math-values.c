// expect: unknown(not-shown)
// The engines know the range alone, yet what no machine computes is no violation.
#include <assert.h>
#include <math.h>
int main(int argc, char **argv) {
    double x = argc > 1 ? 3 : 5, y = argc > 1 ? 4 : 12;
    assert(hypot(x, y) < 14);
    assert(sin(x) < 0.5);
    return 0;
}
