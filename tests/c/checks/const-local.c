// expect: safe
// Each round gives the constant its value anew; one that only looks constant may be written.
static void add(const int *p, int *sum) { *sum += *p; }
int main(void) {
    int sum = 0, plain = 1;
    for (int i = 0; i < 4; i++) {
        const int pair[2] = { i, i + 1 };
        const int one = i;
        add(pair + 1, &sum);
        add(&one, &sum);
    }
    const int *p = &plain;
    *(int *)p = sum;
    return plain != 16;
}
