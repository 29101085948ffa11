// Eleven different mistakes are eleven messages, and what follows from them is none.
// expect: rejected
// says: there is no type `fool`
// says: `uint32_t` is declared in <stdint.h>
// says: did you mean `count`?
// says: mistakes.c: 11 errors
int a = ;                                   //~ c0001
fool b;                                     //~ c0005
uint32_t wide;                              //~ c0005
int negative[-1];                           //~ c0004
struct s { int x; float y : 3; };           //~ c0004
int f(struct s *p) {
    int count = p->x;
    count = p->w;                           //~ c0005
    count += conut;                         //~ c0005
    count = 0x1g;                           //~ c0001
    if (count) goto nowhere;                //~ c0005
    return *count + b->c + wide;            //~ c0004
}
__attribute__((vector_size(16))) int v;     //~ c0003
int main(void) { return a + f(0) + negative[0] + v[1]; }
