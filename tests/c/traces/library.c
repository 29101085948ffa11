// expect: unsafe
// options: --property bounds
// says: library.c:8
char *strcpy(char *, const char *);
int main(void)
{
    char a[4];
    strcpy(a, "four"); //~ violated
    return a[0];
}
