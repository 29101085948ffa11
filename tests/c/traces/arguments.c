// expect: unsafe
// options: --property overflow
// says: argument 3 is "add"
// hides: argv[0][0] =
// hides: char **argv) is true
// A command and numbers: whole words are tried as arguments, and the trace says what they are, not how they get into memory.
int strcmp(const char *, const char *);
int atoi(const char *);

int main(int argc, char **argv)
{
    int first = 0, second = 0;
    if (argc != 4 || strcmp(argv[3], "add") != 0)
        return 1;
    first = atoi(argv[1]);
    second = atoi(argv[2]);
    return first + second > 0; //~ violated
}
