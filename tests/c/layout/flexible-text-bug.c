// expect: unsafe
struct { char c; char text[]; } a = { 'o', "wx" };
int main(void) {
    return a.text[3]; //~ violated
}
