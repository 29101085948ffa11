// Words of C23 that the program does not declare, and names of floating-point types.
// expect: safe
// models: lp64 ilp32
#include <assert.h>

static bool is_null(const int *p)
{
    return p == nullptr;
}

alignas(16) static char room[16];
static thread_local int own = 3;

int main(void)
{
    bool yes = true, no = false;
    yes = 5;
    assert(yes == 1 && !no && is_null(nullptr) && !is_null(&own));
    assert(alignof(int) == 4 && (unsigned long)room % 16 == 0);
    _Float32 a = 1.5f32;
    _Float64 b = 2.5f64;
    assert(a + b == 4.0 && sizeof 1.0f32 == 4 && 0.1f32 != 0.1f64 && sizeof 1.0f32x == 8);
    return 0;
}
