// expect: safe
// models: lp64 ilp32
void reach_error(void);
int __VERIFIER_nondet_int(void);
#define CHECK(it) do { if (!(it)) reach_error(); } while (0)
int main(void) {
    int a = __VERIFIER_nondet_int(), first = a, expected, got, none = 0;
    CHECK(__atomic_fetch_add(&a, 3, __ATOMIC_SEQ_CST) == first);
    CHECK((unsigned)a == (unsigned)first + 3u);
    CHECK(__atomic_sub_fetch(&a, 3, __ATOMIC_SEQ_CST) == first);
    CHECK(__sync_fetch_and_nand(&a, 6) == first && a == ~(first & 6));
    __atomic_store_n(&a, 40, __ATOMIC_RELEASE);
    expected = 40;
    CHECK(__atomic_compare_exchange_n(&a, &expected, 41, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    CHECK(!__atomic_compare_exchange_n(&a, &expected, 42, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    CHECK(a == 41 && expected == 41);
    CHECK(__sync_val_compare_and_swap(&a, 41, 43) == 41 && !__sync_bool_compare_and_swap(&a, 41, 1));
    __atomic_load(&a, &got, __ATOMIC_SEQ_CST);
    CHECK(got == 43 && __sync_lock_test_and_set(&a, 5) == 43);
    __atomic_exchange(&a, &none, &got, __ATOMIC_SEQ_CST);
    CHECK(got == 5 && a == 0);
    _Bool flag = 0;
    CHECK(!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE) && __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    CHECK(!flag);
    int x, *p = &x;
    CHECK(__atomic_exchange_n(&p, (int *)0, __ATOMIC_SEQ_CST) == &x && !p);
    return 0;
}
