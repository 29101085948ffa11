/* A hash table with callbacks for hashing and comparing. `-D BUG`: a negative hash chooses the bucket. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 4

struct entry {
    const void *key;
    int value;
    struct entry *next;
};

struct table {
    struct entry *bucket[BUCKETS];
    int (*hash)(const void *);
    int (*same)(const void *, const void *);
};

static struct entry **place(struct table *table, const void *key) {
#ifdef BUG
    int at = table->hash(key) % BUCKETS;
#else
    unsigned at = (unsigned)table->hash(key) % BUCKETS;
#endif
    struct entry **link = &table->bucket[at];
    while (*link && !table->same((*link)->key, key)) link = &(*link)->next;
    return link;
}

static void put(struct table *table, const void *key, int value) {
    struct entry **link = place(table, key);
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (!*link) exit(1);
        (*link)->key = key;
    }
    (*link)->value = value;
}

static void clear(struct table *table) {
    for (int i = 0; i < BUCKETS; i++) {
        while (table->bucket[i]) {
            struct entry *entry = table->bucket[i];
            table->bucket[i] = entry->next;
            free(entry);
        }
    }
}

static int hash(const void *key) { return *(const int *)key - 40; }
static int same(const void *a, const void *b) { return *(const int *)a == *(const int *)b; }

int main(void) {
    struct table table = {{0}, hash, same};
    int keys[2];
    for (int i = 0; i < 2; i++) {
        keys[i] = getchar();
        put(&table, &keys[i], i);
    }
    assert((*place(&table, &keys[1]))->value == 1);
    clear(&table);
    return 0;
}
