// The same words as names of the program, which C11 allows.
// expect: safe
#include <assert.h>

typedef enum { false, true = 7 } bool;
struct pair {
    int alignas, *nullptr;
};

static int alignof(int thread_local)
{
    return thread_local + 1;
}

int main(void)
{
    bool x = true;
    struct pair p = {2, 0};
    assert(x == 7 && sizeof(bool) == 4 && p.alignas == 2 && !p.nullptr && alignof(1) == 2 && !false);
    return 0;
}
