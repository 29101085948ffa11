// expect: safe
// models: lp64 ilp32
// Limits are those of the data model, whatever headers the system has.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
extern void reach_error(void);
int main(void) {
    int bits = 8 * (int)sizeof(long);
    if (ULONG_MAX != ((1UL << (bits - 1)) - 1) * 2 + 1 || LONG_MAX != ULONG_MAX / 2) reach_error();
    if (LONG_MIN != -LONG_MAX - 1 || __WORDSIZE != bits) reach_error();
    if (SIZE_MAX != (size_t)-1 || UINTPTR_MAX != (uintptr_t)-1) reach_error();
    if (INTPTR_MAX != LONG_MAX || PTRDIFF_MAX != LONG_MAX) reach_error();
    if (sizeof(int64_t) != 8 || sizeof(uint64_t) != 8 || sizeof(int32_t) != 4) reach_error();
    if (INT64_MAX != 9223372036854775807LL || UINT64_MAX != 18446744073709551615ULL) reach_error();
    if (sizeof(size_t) != sizeof(void *) || sizeof(ssize_t) != sizeof(void *)) reach_error();
    if (sizeof(intptr_t) != sizeof(void *) || sizeof(ptrdiff_t) != sizeof(void *)) reach_error();
    if (sizeof(int_fast16_t) != sizeof(long) || sizeof(intmax_t) != 8) reach_error();
    if (sizeof(off_t) != sizeof(long) || LLONG_MAX != INT64_MAX) reach_error();
    return 0;
}
