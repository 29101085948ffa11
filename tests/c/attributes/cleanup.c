// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
int order, n;
void note(int *p) { order = order * 10 + *p; n++; }
int returned(void) {
    __attribute__((cleanup(note))) int x = 1;
    int y __attribute__((cleanup(note))) = 2;
    return order;
}
void loops(void) {
    for (int i = 0; i < 3; i++) {
        int x __attribute__((__cleanup__(note))) = 5;
        if (i == 0) continue;
        if (i == 1) break;
    }
}
void jumps(void) {
    int i = 0;
again:
    {
        int x __attribute__((cleanup(note))) = 7;
        if (i++ < 1) goto again;
        if (i < 5) goto out;
    }
out:;
}
int main(void) {
    if (returned() != 0 || order != 21 || n != 2) reach_error();
    order = n = 0;
    loops();
    if (n != 2) reach_error();
    order = n = 0;
    jumps();
    if (n != 2 || order != 77) reach_error();
    n = 0;
    int v = ({ int x __attribute__((cleanup(note))) = 3; x + 1; });
    if (v != 4 || n != 1) reach_error();
    switch (v) {
    case 4:;
        int x __attribute__((cleanup(note))) = 3;
        break;
    }
    if (n != 2) reach_error();
    return 0;
}
