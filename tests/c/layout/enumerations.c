// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
enum large { SMALL = 1, LARGE = 0x80000000u };
enum huge { ONE = 1, HUGE = 0x100000000 };
enum below { MINUS = -1, ABOVE = 0x80000000u };
enum __attribute__((packed)) byte { B0, B255 = 255 };
enum __attribute__((packed)) signed_byte { N = -1, P = 127 };
enum half { H = 40000 } __attribute__((packed));
struct fields { enum byte b; enum half h : 16; };
int main(void) {
    if (sizeof(enum large) != 4 || sizeof LARGE != 4 || LARGE + LARGE != 0) reach_error();
    if (sizeof SMALL != 4 || SMALL - 2 > 0) reach_error();
    if (sizeof(enum huge) != 8 || sizeof HUGE != 8 || sizeof ONE != 4 || HUGE >> 32 != 1) reach_error();
    if (sizeof(enum below) != 8 || sizeof ABOVE != 8 || sizeof MINUS != 4 || ABOVE < 0) reach_error();
    if (sizeof(enum byte) != 1 || sizeof(enum signed_byte) != 1 || sizeof(enum half) != 2) reach_error();
    enum byte b = B255;
    enum signed_byte n = N;
    if (b != 255 || n >= 0 || b - 256 >= 0 || sizeof(struct fields) != 4) reach_error();
    return 0;
}
