// expect: unsafe
// options: --entry second --entry-depth 1
struct list { int value; struct list *next; };
int second(struct list *list) {
    return list->next->value; //~ violated
}
