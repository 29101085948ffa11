// expect: unknown(depends)
// says: there is a violation if getpw() returned NULL
struct passwd { int uid; };
extern struct passwd *getpw(int);
int main(void) {
    struct passwd *it = getpw(0);
    return it->uid;
}
