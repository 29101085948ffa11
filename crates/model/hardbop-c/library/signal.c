/* <signal.h>: signals that the program raises itself. One from outside may come at any moment, which is not followed. */

void *__hardbop_handlers[65];

void *signal(int number, void *handler)
{
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        __hardbop_errno = 22;
        return (void *)-1L;
    }
    if (handler && handler != (void *)1L && __hardbop_any_bool("signal"))
        __hardbop_unsupported("a signal from outside");
    void *before = __hardbop_handlers[number];
    __hardbop_handlers[number] = handler;
    return before;
}

int raise(int number)
{
    if (number < 0 || number > 64) {
        __hardbop_errno = 22;
        return -1;
    }
    if (number == 0)
        return 0;
    void *handler = __hardbop_handlers[number];
    if (handler == (void *)1L)
        return 0;
    if (handler) {
        ((void (*)(int))handler)(number);
        return 0;
    }
    /* SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing by themselves; SIGSTOP and its like stop the program for a while. */
    if (number == 17 || number == 18 || number == 23 || number == 28)
        return 0;
    if (number >= 19 && number <= 22)
        __hardbop_unsupported("a signal that stops the program");
    abort();
    return 0;
}

/* What happens before abort ends the program. */
void __hardbop_at_abort(void)
{
    void *handler = __hardbop_handlers[6];
    if (handler && handler != (void *)1L)
        ((void (*)(int))handler)(6);
}
