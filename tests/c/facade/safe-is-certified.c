// expect: safe
// options: --property assert
// says: , certified,
void reach_error(void);
int nondet(void);

int main(void)
{
    unsigned char x = (unsigned char)nondet();
    if (x > 255)
        reach_error();
    return 0;
}
