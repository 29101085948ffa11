// expect: safe
// says: it returns a live object of its type
#include <hardbop.h>
struct passwd { int uid; };
extern struct passwd *getpw(int);
__hardbop_returns_object(getpw);
int main(void) {
    struct passwd *it = getpw(0);
    return it->uid == 3;
}
