// expect: unsafe
// options: --property assert
// says: (malloc at line 17).value = 7
// says: (malloc at line 17)#2.next = &(malloc at line 17)
void *malloc(unsigned long);
void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    for (int i = 0; i < 2; i++) {
        struct node *it = malloc(sizeof(struct node));
        it->value = 7 + i;
        it->next = list;
        list = it;
    }
    if (list->next->value == 7 && list->value == 8)
        reach_error(); //~ violated
    return 0;
}
