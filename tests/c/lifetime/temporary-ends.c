// expect: unsafe
// options: --property dangling
// models: lp64 ilp32
// What a function returns lives as long as the expression it is in.
struct triple { int part[3]; };
struct triple make(void) { return (struct triple){ { 1, 2, 3 } }; }
int *kept;
int main(void) {
    kept = make().part;
    return kept[1]; //~ violated
}
