// expect: unsafe
int main(void) {
    int *p = (int *)(const int[]){ 1, 2 };
    p[0] = 3; //~ violated
    return 0;
}
