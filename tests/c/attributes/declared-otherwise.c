// expect: safe
// models: lp64 ilp32
// A declaration of a library function that says another type: the machine gives what it has.
extern void reach_error(void);
int strlen(char *);
int main(void) {
    if (strlen("hello") != 5) reach_error();
    return 0;
}
