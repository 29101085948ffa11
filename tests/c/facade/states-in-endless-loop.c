// expect: safe
// options: --property assert
// An invariant that is no conjunction of comparisons: the states that can be reached show it.
void reach_error(void);
unsigned char nondet_uchar(void);

static int phase, lamp, tries;

static void step(int event)
{
    switch (phase) {
    case 0: if (event == 0) { phase = 1; lamp = 1; tries = 0; } break;
    case 1:
        if (event == 1) { phase = 2; lamp = 0; }
        else if (event == 2 && ++tries > 2) { phase = 0; lamp = 0; }
        break;
    case 2: if (event == 3) { phase = 3; lamp = 1; } break;
    case 3: if (event != 0) { phase = 0; lamp = 0; } break;
    default: reach_error();
    }
}

int main(void)
{
    for (;;) {
        step(nondet_uchar() % 4);
        if (lamp != (phase == 1 || phase == 3))
            reach_error();
        if (tries > 3)
            reach_error();
    }
}
