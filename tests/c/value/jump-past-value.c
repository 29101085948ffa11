// expect: unsafe
// options: --property assert
// What a variable held in the round before is gone.
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 1) goto look;
        int z = 5;
    look:
        if (z != 5) reach_error(); //~ violated
    }
    return 0;
}
