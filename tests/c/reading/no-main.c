// expect: rejected
int twice(int x) //~ c0007
{
    return x + x;
}
