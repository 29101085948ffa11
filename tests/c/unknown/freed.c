// expect: unknown(not-shown)
// options: --property free
// Nothing is known of how memory was allocated that is freed: nobody is blamed.
extern char *copy(const char *);
void free(void *);
int main(void) {
    char *text = copy("a");
    free(text);
    return 0;
}
