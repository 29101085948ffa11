// expect: unsafe
// options: --property leak
// Only what was handed over may be kept outside.
void *malloc(unsigned long);
extern void look(int **);
extern void tick(void);
int main(void) {
    int *kept = malloc(4); //~ violated
    int *lost = malloc(4);
    tick();
    return kept == lost;
}
