// expect: safe
extern int status(void) __attribute__((warn_unused_result));
int main(void) {
    status();
    return 0;
}
