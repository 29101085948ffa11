// expect: safe
// models: lp64 ilp32
// options: --property pointer
struct pair {
    int first[2], second[2];
};
int main(void) {
    struct pair pair;
    int *p = pair.first, *q = pair.second + 2, *none = 0;
    return p < q && q - p == 4 && !(none < none);
}
