// expect: safe
// options: --property assert
// says: objects declared `volatile` change where the program changes them
extern void reach_error(void);
volatile int flag;
int main(void) {
    if (flag != flag) reach_error();
    return 0;
}
