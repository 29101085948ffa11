// expect: unsafe
// options: --property uninit
int main(void) {
    int x = x; //~ violated
    return x;
}
