// expect: safe
// What has the value of a constant is none itself.
typedef const char *text;
struct pair { int a; const char *name; };
int main(void) {
    const int x = 3;
    __auto_type y = x;
    y++;
    text t = "ab";
    t++;
    struct pair p = { 1, "cd" };
    p.name = t;
    p.a += x;
    for (const char *q = "ef"; *q; q++) y += *q != 0;
    char *const c = (char[]){ 'a', 0 };
    *c = 'b';
    return y + p.a - 10;
}
