// expect: safe
#include <stdatomic.h>
void reach_error(void);
atomic_int count;
atomic_flag busy = ATOMIC_FLAG_INIT;
int main(void) {
    count++;
    atomic_fetch_add(&count, 2);
    int seen = atomic_load_explicit(&count, memory_order_acquire);
    if (seen != 3 || atomic_flag_test_and_set(&busy) || !atomic_flag_test_and_set(&busy))
        reach_error();
    atomic_store(&count, 7);
    if (!atomic_compare_exchange_strong(&count, &(int){ 7 }, 8) || count != 8)
        reach_error();
    return 0;
}
