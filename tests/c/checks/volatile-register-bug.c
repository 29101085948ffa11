// expect: unsafe
// options: --volatile-inputs
struct device {
    unsigned status : 4;
    unsigned char count;
};
static struct device memory;
int main(void)
{
    volatile struct device *device = &memory;
    int table[8] = {0};
    if (device->status == 3 && device->count < 8)
        return table[device->count]; //~ violated
    return 0;
}
