// expect: unsafe
// Objects that are assigned may be the same, but not overlap in part (6.5.16.1).
struct four { int a[4]; };
int main(int argc, char **argv) {
    int row[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    struct four *from = (struct four *)row, *to = (struct four *)(row + argc % 5);
    *to = *from; //~ violated
    return 0;
}
