/* What `schedule.c` does for `threads.c`. */

/* Whether threads follow the file `schedule`. */
extern int hardbop_is_scheduled;

/* The number of the thread at hand, in the order of their starts; `main` has 0. */
extern _Thread_local int hardbop_number;

/* Waits for the turn of an access; whether it is in the schedule. The last is where it was called from. */
int hardbop_place(char kind, const void *at, const void *from);

/* The same for a call of the library. */
int hardbop_call(const char *name, const void *from);

/* Whether such a call is still to come in the schedule. */
int hardbop_will_come(const char *name, const void *from);

/* Whether the next exchange there fails. */
int hardbop_fails_next(const void *at, const void *from);

/* The thread at hand may wait for others now. */
void hardbop_leave(void);

/* The same where this was its last place in a row. */
void hardbop_may_leave(void);

/* It has come to its end. */
void hardbop_end(void);

void hardbop_until_over(void);
