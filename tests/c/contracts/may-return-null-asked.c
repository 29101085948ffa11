// expect: safe
// options: --assume-returns valid
#include <hardbop.h>
struct passwd { int uid; };
extern struct passwd *getpw(int), *other(void);
__hardbop_may_return_null(getpw);
int main(void) {
    struct passwd *it = getpw(0);
    return (it ? it->uid : other()->uid) == 3;
}
