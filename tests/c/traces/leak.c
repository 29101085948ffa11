// expect: unsafe
// options: --property leak
// says: leak.c:7
void *malloc(unsigned long);
int main(void)
{
    char *p = malloc(3); //~ violated
    p = malloc(4);
    static char *kept;
    kept = p;
    return 0;
}
