// expect: safe
// options: --property assert
extern void reach_error(void);
extern void show(const int *, const char *);
int main(void) {
    int x = 1;
    char text[3] = "ab";
    show(&x, text);
    if (x != 1 || text[0] != 'a') reach_error();
    return 0;
}
