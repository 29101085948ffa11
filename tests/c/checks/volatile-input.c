// expect: safe
// options: --volatile-inputs
struct device {
    unsigned status : 4;
    volatile unsigned char count;
};
static struct device memory;
int main(void)
{
    volatile struct device *device = &memory;
    int table[8] = {0};
    unsigned char count = device->count;
    volatile _Bool flag = 0;
    if (flag > 1 || device->status > 15)
        return table[9];
    if (count < 8)
        return table[count];
    return 0;
}
