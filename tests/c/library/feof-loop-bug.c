// expect: unsafe
// The old mistake: the last round reads nothing when the file ends with a newline.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("numbers", "r");
    if (!f)
        return 1;
    int n = 0;
    for (int i = 0; i < 2 && !feof(f); i++) {
        int got = fscanf(f, "%d", &n);
        assert(got == 1 || i == 0); //~ violated
        if (got != 1)
            break;
    }
    fclose(f);
    return 0;
}
