// expect: unsafe
// says: depends on: getpw() returned NULL
// Its caller has no right to expect otherwise.
#include <hardbop.h>
struct passwd { int uid; };
extern struct passwd *getpw(int);
__hardbop_may_return_null(getpw);
int main(void) {
    struct passwd *it = getpw(0);
    return it->uid; //~ violated
}
