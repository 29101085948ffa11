// expect: safe
// Bytes that are no UTF-8 (here Latin-1: é) are kept as they are.
extern void reach_error(void);
int main(void) {
    static const char s[] = "éÿ";
    if (sizeof s != 3 || s[0] != (char)0xe9 || s[1] != (char)0xff) reach_error();
    if ('é' != (char)0xe9) reach_error();
    return 0;
}
