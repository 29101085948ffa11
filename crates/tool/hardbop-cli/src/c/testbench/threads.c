/*
 * Lets the threads of the program take turns in ways that the system seldom chooses. The compiler calls these functions
 * before each access to memory, as it does for its thread sanitizer, or at each branch; here the thread gives way now and then, as
 * HARDBOP_SEED says. What may fail for no reason (a wait that returns without a signal, a weak exchange) does so, too.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

static _Thread_local unsigned state;
static unsigned n_states;
/* Who is in an atomic section, and how often again. */
static _Thread_local int depth;
static int inside;

static unsigned chance(void)
{
    if (!state) {
        const char *seed = getenv("HARDBOP_SEED");
        unsigned number = __atomic_add_fetch(&n_states, 1, __ATOMIC_SEQ_CST);
        state = (seed ? atoi(seed) : 1) * 2654435761u + number * 40503u + 1;
    }
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

static void turn(void)
{
    unsigned it = chance();
    if (it % 32 == 0)
        usleep(it / 32 % 300);
    else if (it % 4 == 0)
        sched_yield();
    while (!depth && __atomic_load_n(&inside, __ATOMIC_SEQ_CST))
        sched_yield();
}

void __VERIFIER_atomic_begin(void)
{
    int free = 0;
    if (depth++)
        return;
    while (!__atomic_compare_exchange_n(&inside, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        free = 0;
        sched_yield();
    }
}

void __VERIFIER_atomic_end(void)
{
    if (--depth == 0)
        __atomic_store_n(&inside, 0, __ATOMIC_SEQ_CST);
}

int __real_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (chance() % 4)
        return __real_pthread_cond_wait(cond, mutex);
    pthread_mutex_unlock(mutex);
    turn();
    return pthread_mutex_lock(mutex);
}

int __real_cnd_wait(cnd_t *cond, mtx_t *mutex);

int __wrap_cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    if (chance() % 4)
        return __real_cnd_wait(cond, mutex);
    mtx_unlock(mutex);
    turn();
    return mtx_lock(mutex);
}

static void long_turn(void)
{
    if (chance() % 4 == 0)
        usleep(chance() % 300);
    turn();
}

/* Where `main` has returned the others still run for a while. */
__attribute__((constructor)) static void begin(void)
{
    atexit(long_turn);
}

/* There are fewer branches than accesses, and none between these calls. */

void __sanitizer_cov_trace_pc(void)
{
    long_turn();
}

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int result = __real_pthread_mutex_lock(mutex);
    long_turn();
    return result;
}

int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int result = __real_pthread_mutex_unlock(mutex);
    long_turn();
    return result;
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
    int result = __real_pthread_create(thread, attr, start, arg);
    long_turn();
    return result;
}

void __real_free(void *memory);

void __wrap_free(void *memory)
{
    long_turn();
    __real_free(memory);
    long_turn();
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *at)
{
}

void __tsan_func_exit(void)
{
}

#define ACCESS(name) void __tsan_##name(void *at) { turn(); }
#define ACCESSES(size) ACCESS(read##size) ACCESS(write##size) ACCESS(unaligned_read##size) ACCESS(unaligned_write##size) \
    ACCESS(volatile_read##size) ACCESS(volatile_write##size)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *at, unsigned long size)
{
    turn();
}

void __tsan_write_range(void *at, unsigned long size)
{
    turn();
}

void __tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
}

#define FETCH(bits, type, name) \
    type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, int order) \
    { \
        turn(); \
        return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) \
    { \
        turn(); \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    } \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
    { \
        turn(); \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) \
    { \
        turn(); \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) \
    FETCH(bits, type, xor) FETCH(bits, type, nand) \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *old, type value, int order, int other) \
    { \
        turn(); \
        return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *old, type value, int order, int other) \
    { \
        turn(); \
        if (chance() % 4 == 0) { \
            *old = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
            return 0; \
        } \
        return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type old, type value, int order, int other) \
    { \
        turn(); \
        __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return old; \
    }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned)
ATOMIC(64, unsigned long long)
