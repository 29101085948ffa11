// expect: safe
// options: --assume-returns valid
// says: functions without a body return pointers to live objects
struct passwd { int uid; };
extern struct passwd *getpw(int);
int main(void) {
    struct passwd *it = getpw(0);
    return it->uid == 3;
}
