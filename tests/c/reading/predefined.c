// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
int main(void) {
    if (__INT_MAX__ != 2147483647 || __SIZEOF_INT__ != 4 || __LINE__ != 5) reach_error();
    if (__SIZEOF_POINTER__ != sizeof(void *) || __SIZEOF_LONG__ != sizeof(long)) reach_error();
    if (__LONG_MAX__ + 1UL != 1UL << (8 * sizeof(long) - 1)) reach_error();
    if (__STDC_VERSION__ != 201112L || sizeof __FILE__ != sizeof "predefined.c") reach_error();
    if ((__SIZE_TYPE__)-1 != (sizeof 0) - 1 - sizeof 0) reach_error();
    if (__CHAR_BIT__ != 8 || (char)-1 > 0) reach_error();
    return 0;
}
