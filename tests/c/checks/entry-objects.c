// expect: safe
// options: --entry count --entry-depth 2
// says: is called with pointers to different objects
struct list { int value; struct list *next; };
int count(struct list *list, const char *text) {
    int n = 0;
    for (; list; list = list->next) n += list->value & 1;
    while (*text) text++, n++;
    return n;
}
