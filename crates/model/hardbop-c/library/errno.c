/* <errno.h>: one int, which functions that fail set. There is one thread. */

int __hardbop_errno;

int *__errno_location(void)
{
    return &__hardbop_errno;
}

/* Some error number: which one, the system decides. */
void __hardbop_fails(void)
{
    int number = __hardbop_any_uchar("errno");
    __hardbop_errno = number >= 1 && number <= 133 ? number : 5;
}
