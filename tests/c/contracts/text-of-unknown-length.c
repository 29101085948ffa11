// expect: unknown(depends)
// says: there is a violation if name() returned an object that ends there
#include <string.h>
extern char *name(void);
int main(void) {
    char *p = name();
    return p && strlen(p) > 3;
}
