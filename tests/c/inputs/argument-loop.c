// expect: safe
// says: arguments of the program behind the 4th are the same text as that one
// Every argument is there, however many.
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-') n++;
    return n > argc;
}
