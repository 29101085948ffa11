// expect: safe
extern const unsigned short int **__ctype_b_loc(void);
extern const int **__ctype_toupper_loc(void);
void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int c = __VERIFIER_nondet_uchar();
    int is_digit = ((*__ctype_b_loc())[c] & 2048) != 0;
    if (is_digit != (c >= '0' && c <= '9')) reach_error();
    if ((*__ctype_toupper_loc())['x'] != 'X') reach_error();
    return 0;
}
