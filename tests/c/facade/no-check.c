// expect: safe
// options: --property assert
// says: warning: the program contains no check of these properties (assert)
int main(void)
{
    int x = 1;
    return x - 1;
}
