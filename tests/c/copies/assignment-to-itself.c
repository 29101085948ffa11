// expect: safe
#include <assert.h>
struct four { int a[4]; };
static void put(struct four *to, struct four *from) { *to = *from; }
int main(int argc, char **argv) {
    struct four row[3] = { { { 1 } }, { { 2 } }, { { 3 } } };
    int i = argc % 3, j = argc % 2;
    put(&row[i], &row[j]);
    assert(row[i].a[0] == j + 1);
    return 0;
}
