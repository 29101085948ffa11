// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
struct { char c; char text[]; } a = { 'o', "wx" };
static struct { int n; short list[]; } b = { 2, { 7, 0 } };
int main(void) {
    if (a.text[0] != 'w' || a.text[1] != 'x' || a.text[2] != 0 || sizeof a != 1) reach_error();
    if (b.list[0] != 7 || b.list[1] != 0) reach_error();
    return 0;
}
