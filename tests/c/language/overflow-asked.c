// expect: safe
// models: lp64 ilp32
// options: --property assert,no-overflow
#include <assert.h>
#include <limits.h>
int main(void) {
    char bytes[10];
    struct {
        int head;
        char rest[6];
    } s;
    assert(__builtin_add_overflow_p(INT_MAX, 1, 0));
    assert(!__builtin_add_overflow_p(INT_MAX, 1, 0LL));
    assert(__builtin_mul_overflow_p(16, 16, (unsigned char)0));
    assert(__builtin_sub_overflow_p(3, 5, 0u));
    assert(__builtin_object_size(bytes, 0) == 10);
    assert(__builtin_object_size(bytes, 1) == 10);
    assert(__builtin_object_size(bytes + 4, 0) == 6);
    assert(__builtin_object_size(s.rest, 0) == 8);
    return 0;
}
