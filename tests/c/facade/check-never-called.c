// expect: safe
// options: --property assert
// says: warning: no function with a check of these properties (assert) is ever called
void reach_error(void);

void unused(int x)
{
    if (x == 3)
        reach_error();
}

int main(void)
{
    return 0;
}
