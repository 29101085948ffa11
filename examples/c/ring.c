/* A ring buffer between a writer and a reader, told by standard input. `-D BUG`: it counts as full one
 * element too late. */
#include <assert.h>
#include <stdio.h>

#define SIZE 4

struct ring {
    int data[SIZE];
    unsigned head, n;
};

static int put(struct ring *ring, int value) {
#ifdef BUG
    if (ring->n > SIZE) return 0;
#else
    if (ring->n == SIZE) return 0;
#endif
    ring->data[(ring->head + ring->n++) % SIZE] = value;
    return 1;
}

static int get(struct ring *ring, int *value) {
    if (ring->n == 0) return 0;
    *value = ring->data[ring->head];
    ring->head = (ring->head + 1) % SIZE;
    ring->n--;
    return 1;
}

int main(void) {
    struct ring ring = {{0}, 0, 0};
    int next = 0, expected = 0, value, c;
    while ((c = getchar()) != EOF && next < 6) {
        if (c == 'w' && put(&ring, next)) next++;
        else if (c == 'r' && get(&ring, &value)) assert(value == expected++);
    }
    return 0;
}
