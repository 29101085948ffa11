// expect: unsafe
#pragma pack(1)
struct s { char c; int i; };
int main(void) {
    char b[sizeof(struct s)];
    b[5] = 0; //~ violated
    return 0;
}
