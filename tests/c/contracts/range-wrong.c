// expect: rejected
#include <hardbop.h>
extern int level(void);
__hardbop_returns_range(level, 3, 0); //~ c0004
int main(void) { return level(); }
