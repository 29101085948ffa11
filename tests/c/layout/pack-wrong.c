// expect: rejected
int x;
#pragma pack(3) //~ c0003
int main(void) { return 0; }
