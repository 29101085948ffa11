// expect: unsafe
void set(const int n) {
    *(int *)&n = 3; //~ violated
}
int main(void) {
    set(1);
    return 0;
}
