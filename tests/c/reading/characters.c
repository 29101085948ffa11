// expect: safe
extern void reach_error(void);
int caf\u00e9 = 3;
int main(void) {
    static const char composed[] = "\u00e9", written[] = "é", three[] = "\u20ac";
    if (sizeof composed != 3 || sizeof written != 3 || sizeof three != 4) reach_error();
    if ((unsigned char)composed[0] != 0xc3 || (unsigned char)composed[1] != 0xa9) reach_error();
    if (L'\u20ac' != 0x20ac || sizeof L"\U0001F600" != 2 * sizeof(int)) reach_error();
    if (café != 3) reach_error();
    return 0;
}
