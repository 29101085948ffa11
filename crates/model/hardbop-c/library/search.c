/* <search.h>: arrays and trees that are searched by a comparison of the program's. */

void *lfind(const void *key, const void *base, size_t *n, size_t size,
            int (*compare)(const void *, const void *))
{
    for (size_t i = 0; i < *n; i++) {
        const void *element = (const char *)base + i * size;
        if (compare(key, element) == 0)
            return (void *)element;
    }
    return 0;
}

void *lsearch(const void *key, void *base, size_t *n, size_t size,
              int (*compare)(const void *, const void *))
{
    void *found = lfind(key, base, n, size, compare);
    if (found)
        return found;
    void *end = (char *)base + *n * size;
    memcpy(end, key, size);
    ++*n;
    return end;
}

/* A tree without balance: how it is balanced, nobody can see but by the order of the calls. */
struct __hardbop_node {
    const void *key;
    struct __hardbop_node *left, *right;
};

void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
    struct __hardbop_node **at = (struct __hardbop_node **)root;
    if (!root)
        return 0;
    while (*at) {
        int order = compare(key, (*at)->key);
        if (order == 0)
            return *at;
        at = order < 0 ? &(*at)->left : &(*at)->right;
    }
    struct __hardbop_node *made = malloc(sizeof *made);
    if (made) {
        made->key = key;
        made->left = made->right = 0;
        *at = made;
    }
    return made;
}

void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *))
{
    struct __hardbop_node *at = root ? *root : 0;
    while (at) {
        int order = compare(key, at->key);
        if (order == 0)
            return at;
        at = order < 0 ? at->left : at->right;
    }
    return 0;
}

void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *))
{
    __hardbop_unsupported("`tdelete`");
    return 0;
}

void twalk(const void *root, void (*act)(const void *, int, int))
{
    __hardbop_unsupported("`twalk`");
}
