// expect: unknown(unsupported)
// Of arguments behind the modelled ones nothing is known: nobody is blamed for them.
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-') n++;
    return n > argc;
}
