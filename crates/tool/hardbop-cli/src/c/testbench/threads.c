/*
 * Lets the threads of the program take turns as the violation needs it. The compiler calls these functions before each access to
 * memory, as it does for its thread sanitizer, or at each branch; the linker leads calls of the library here. With
 * HARDBOP_SCHEDULE the threads follow `schedule`. With HARDBOP_SEED=NUMBER they give way now and then by chance, and what may
 * fail for no reason (a wait that returns without a signal, a weak exchange) does so, too.
 *
 * With -DHARDBOP_RACE the thread sanitizer itself is there and told of everything, and nothing is done by chance.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "schedule.h"

#define FROM __builtin_return_address(0)

/* Calls of the library as they are without us. */
#define REAL(result, name, params) result __real_##name params; result __wrap_##name params

int __real_usleep(useconds_t time);

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

static int is_by_chance(void)
{
#ifdef HARDBOP_RACE
    return 0;
#else
    return !hardbop_is_scheduled;
#endif
}

static void turn(void)
{
    if (!is_by_chance())
        return;
    unsigned it = chance();
    if (it % 32 == 0)
        __real_usleep(it / 32 % 300);
    else if (it % 4 == 0)
        sched_yield();
    while (!depth && __atomic_load_n(&inside, __ATOMIC_SEQ_CST))
        sched_yield();
}

static void long_turn(void)
{
    if (is_by_chance() && chance() % 4 == 0)
        __real_usleep(chance() % 300);
    turn();
}

/* Before an access to memory: a read, a write, or an atomic one. */
static void access_to(char kind, const volatile void *at, const void *from)
{
    hardbop_place(kind, (const void *)at, from);
    turn();
}

/* Where `main` has returned the others still run for a while. */
static void at_end(void)
{
    hardbop_until_over();
    long_turn();
}

__attribute__((constructor)) static void begin(void)
{
    atexit(at_end);
}

/* Atomic sections: a lock that the thread sanitizer knows. */

#ifdef HARDBOP_RACE

static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void __VERIFIER_atomic_begin(void)
{
    pthread_mutex_lock(&section);
}

void __VERIFIER_atomic_end(void)
{
    pthread_mutex_unlock(&section);
}

#else

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

#endif

/* Threads, numbered in the order of their starts. */

void __real_free(void *memory);

struct start {
    void *(*routine)(void *);
    int (*c11)(void *);
    void *arg;
    int number;
};

static int n_threads;

static struct start *start(void *arg)
{
    struct start *it = malloc(sizeof *it);
    if (!it)
        exit(3);
    *it = (struct start){ .arg = arg, .number = __atomic_add_fetch(&n_threads, 1, __ATOMIC_SEQ_CST) };
    return it;
}

static void *run(void *arg)
{
    struct start it = *(struct start *)arg;
    void *result;
    __real_free(arg);
    hardbop_number = it.number;
    result = it.routine(it.arg);
    hardbop_end();
    return result;
}

static int run_c11(void *arg)
{
    struct start it = *(struct start *)arg;
    int result;
    __real_free(arg);
    hardbop_number = it.number;
    result = it.c11(it.arg);
    hardbop_end();
    return result;
}

REAL(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *arg))
{
    struct start *it;
    int result;
    hardbop_call("pthread_create", FROM);
    it = start(arg);
    it->routine = routine;
    result = __real_pthread_create(thread, attr, run, it);
    long_turn();
    return result;
}

REAL(int, thrd_create, (thrd_t *thread, thrd_start_t routine, void *arg))
{
    struct start *it;
    int result;
    hardbop_call("thrd_create", FROM);
    it = start(arg);
    it->c11 = routine;
    result = __real_thrd_create(thread, run_c11, it);
    long_turn();
    return result;
}

REAL(void, pthread_exit, (void *value))
{
    hardbop_end();
    __real_pthread_exit(value);
}

REAL(void, thrd_exit, (int value))
{
    hardbop_end();
    __real_thrd_exit(value);
}

/* Calls that may wait: one that is not in the schedule waits for ever, and the others go on. */
#define WAITS(name, params, args) \
    REAL(int, name, params) \
    { \
        int result; \
        if (!hardbop_call(#name, FROM)) \
            hardbop_leave(); \
        result = __real_##name args; \
        long_turn(); \
        return result; \
    }
WAITS(pthread_join, (pthread_t thread, void **result_), (thread, result_))
WAITS(thrd_join, (thrd_t thread, int *result_), (thread, result_))
WAITS(pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
WAITS(mtx_lock, (mtx_t *mutex), (mutex))
WAITS(pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
WAITS(pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
WAITS(pthread_spin_lock, (pthread_spinlock_t *lock), (lock))
WAITS(sem_wait, (sem_t *sem), (sem))
WAITS(pthread_once, (pthread_once_t *once, void (*routine)(void)), (once, routine))

REAL(void, call_once, (once_flag *once, void (*routine)(void)))
{
    if (!hardbop_call("call_once", FROM))
        hardbop_leave();
    __real_call_once(once, routine);
}

/* Nobody waits for time in a schedule; by chance some do not. */
#define SLEEPS(result, name, params, args) \
    REAL(result, name, params) \
    { \
        hardbop_may_leave(); \
        turn(); \
        if (hardbop_is_scheduled || (is_by_chance() && chance() % 2)) \
            return 0; \
        return __real_##name args; \
    }
SLEEPS(unsigned, sleep, (unsigned seconds), (seconds))
SLEEPS(int, usleep, (useconds_t time), (time))
SLEEPS(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
SLEEPS(int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left))

/* Calls that do not. */
#define CALLS(result_type, name, params, args) \
    REAL(result_type, name, params) \
    { \
        result_type result; \
        hardbop_call(#name, FROM); \
        result = __real_##name args; \
        long_turn(); \
        return result; \
    }
CALLS(int, pthread_detach, (pthread_t thread), (thread))
CALLS(int, thrd_detach, (thrd_t thread), (thread))
CALLS(int, pthread_mutex_trylock, (pthread_mutex_t *mutex), (mutex))
CALLS(int, pthread_mutex_unlock, (pthread_mutex_t *mutex), (mutex))
CALLS(int, pthread_mutex_destroy, (pthread_mutex_t *mutex), (mutex))
CALLS(int, mtx_trylock, (mtx_t *mutex), (mutex))
CALLS(int, mtx_unlock, (mtx_t *mutex), (mutex))
CALLS(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock), (lock))
CALLS(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *lock), (lock))
CALLS(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock), (lock))
CALLS(int, pthread_spin_trylock, (pthread_spinlock_t *lock), (lock))
CALLS(int, pthread_spin_unlock, (pthread_spinlock_t *lock), (lock))
CALLS(int, sem_trywait, (sem_t *sem), (sem))
CALLS(int, sem_post, (sem_t *sem), (sem))
CALLS(int, sem_getvalue, (sem_t *sem, int *value), (sem, value))
CALLS(void *, memcpy, (void *to, const void *from, size_t size), (to, from, size))
CALLS(void *, memset, (void *to, int byte, size_t size), (to, byte, size))
CALLS(char *, strcpy, (char *to, const char *from), (to, from))

REAL(void, free, (void *memory))
{
    hardbop_call("free", FROM);
    long_turn();
    __real_free(memory);
    long_turn();
}

/* In a schedule, a lock with a time that is not got is late at once. */
REAL(int, pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *until))
{
    if (hardbop_is_scheduled && !hardbop_will_come("pthread_mutex_timedlock", FROM))
        return ETIMEDOUT;
    hardbop_call("pthread_mutex_timedlock", FROM);
    return __real_pthread_mutex_timedlock(mutex, until);
}

/* Of a barrier, the last to come goes on at once. */
REAL(int, pthread_barrier_wait, (pthread_barrier_t *barrier))
{
    int result;
    if (!hardbop_call("pthread_barrier_wait", FROM))
        hardbop_leave();
    else
        hardbop_may_leave();
    result = __real_pthread_barrier_wait(barrier);
    if (result != PTHREAD_BARRIER_SERIAL_THREAD)
        hardbop_call("pthread_barrier_wait/2", FROM);
    long_turn();
    return result;
}

/*
 * Waits for a condition. By chance one returns without a signal. In a schedule one that comes back does so at its place there, and
 * takes a signal if there is one; one that does not come back is a wait of the library.
 */

struct waiter {
    const void *cond;
    int is_woken;
    struct waiter *next;
};

static struct waiter *waiters;
static int has_waiters;

static void hold(void)
{
    while (__atomic_exchange_n(&has_waiters, 1, __ATOMIC_SEQ_CST))
        sched_yield();
}

static void release(void)
{
    __atomic_store_n(&has_waiters, 0, __ATOMIC_SEQ_CST);
}

static void enter(struct waiter *it)
{
    hold();
    it->next = waiters;
    waiters = it;
    release();
}

static void leave(struct waiter *it)
{
    struct waiter **at;
    hold();
    for (at = &waiters; *at != it; at = &(*at)->next)
        ;
    *at = it->next;
    release();
}

/* Whether a thread that follows the schedule took the signal. */
static int is_taken(const void *cond, int by_all)
{
    int n_taken = 0;
    hold();
    for (struct waiter *it = waiters; it && (by_all || !n_taken); it = it->next) {
        if (it->cond == cond && !it->is_woken)
            it->is_woken = ++n_taken;
    }
    release();
    return n_taken;
}

#define WAITS_FOR(name, params, args, unlock, lock, late) \
    REAL(int, name, params) \
    { \
        struct waiter it = { cond, 0, 0 }; \
        int is_known = hardbop_call(#name, FROM); \
        if (is_known && hardbop_will_come(#name "/2", FROM)) { \
            enter(&it); \
            unlock(mutex); \
            hardbop_call(#name "/2", FROM); \
            leave(&it); \
            lock(mutex); \
            return it.is_woken ? 0 : late; \
        } \
        if (is_by_chance() && chance() % 4 == 0) { \
            unlock(mutex); \
            turn(); \
            return lock(mutex); \
        } \
        hardbop_leave(); \
        return __real_##name args; \
    }
WAITS_FOR(pthread_cond_wait, (pthread_cond_t *cond, pthread_mutex_t *mutex), (cond, mutex), __real_pthread_mutex_unlock, __real_pthread_mutex_lock, 0)
WAITS_FOR(pthread_cond_timedwait, (pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until), (cond, mutex, until), __real_pthread_mutex_unlock, __real_pthread_mutex_lock, ETIMEDOUT)
WAITS_FOR(cnd_wait, (cnd_t *cond, mtx_t *mutex), (cond, mutex), __real_mtx_unlock, __real_mtx_lock, 0)

#define WAKES(name, params, by_all) \
    REAL(int, name, params) \
    { \
        int is_known = hardbop_call(#name, FROM), is_one = is_known && is_taken(cond, by_all); \
        return is_one && !by_all ? 0 : __real_##name(cond); \
    }
WAKES(pthread_cond_signal, (pthread_cond_t *cond), 0)
WAKES(pthread_cond_broadcast, (pthread_cond_t *cond), 1)
WAKES(cnd_signal, (cnd_t *cond), 0)
WAKES(cnd_broadcast, (cnd_t *cond), 1)

/* There are fewer branches than accesses, and none between calls of the library. */

void __sanitizer_cov_trace_pc(void)
{
    long_turn();
}

/* What the compiler tells its thread sanitizer. */

#ifdef HARDBOP_RACE

#define TOLD(result, name, params) result __real___tsan_##name params; result __wrap___tsan_##name params
#define ACCESS(name, kind) TOLD(void, name, (void *at)) { access_to(kind, at, FROM); __real___tsan_##name(at); }
#define RANGE(name, kind) \
    TOLD(void, name, (void *at, unsigned long size)) { access_to(kind, at, FROM); __real___tsan_##name(at, size); }
#define ATOMIC_DOES(name, args, does) return __real___tsan_##name args

#else

/* Where there is a sanitizer for addresses it is told, too: it knows memory of the heap. */
__attribute__((weak)) void __asan_loadN(const volatile void *at, unsigned long size);
__attribute__((weak)) void __asan_storeN(const volatile void *at, unsigned long size);

static void looks(char kind, const volatile void *at, unsigned long size)
{
    if (kind == 'w' && __asan_storeN)
        __asan_storeN(at, size);
    else if (__asan_loadN)
        __asan_loadN(at, size);
}

#define TOLD(result, name, params) result __tsan_##name params
#define ACCESS(name, kind) TOLD(void, name, (void *at)) { access_to(kind, at, FROM); looks(kind, at, size_of(#name)); }
#define RANGE(name, kind) \
    TOLD(void, name, (void *at, unsigned long size)) { access_to(kind, at, FROM); looks(kind, at, size); }
#define ATOMIC_DOES(name, args, does) looks('w', at, sizeof *at); does

/* The number at the end of a name. */
static unsigned long size_of(const char *name)
{
    while (*name < '0' || *name > '9')
        name++;
    return atoi(name);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *at)
{
}

/* The place before this has been passed. */
void __tsan_func_exit(void)
{
    hardbop_may_leave();
}

void __tsan_atomic_signal_fence(int order)
{
}

void __tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

ACCESS(unaligned_read1, 'r')
ACCESS(unaligned_write1, 'w')
ACCESS(volatile_read1, 'r')
ACCESS(volatile_write1, 'w')
ACCESS(volatile_read2, 'r')
ACCESS(volatile_write2, 'w')
ACCESS(volatile_read4, 'r')
ACCESS(volatile_write4, 'w')
ACCESS(volatile_read8, 'r')
ACCESS(volatile_write8, 'w')
ACCESS(volatile_read16, 'r')
ACCESS(volatile_write16, 'w')

#endif

ACCESS(read1, 'r')
ACCESS(write1, 'w')
ACCESS(read2, 'r')
ACCESS(write2, 'w')
ACCESS(read4, 'r')
ACCESS(write4, 'w')
ACCESS(read8, 'r')
ACCESS(write8, 'w')
ACCESS(read16, 'r')
ACCESS(write16, 'w')
ACCESS(unaligned_read2, 'r')
ACCESS(unaligned_write2, 'w')
ACCESS(unaligned_read4, 'r')
ACCESS(unaligned_write4, 'w')
ACCESS(unaligned_read8, 'r')
ACCESS(unaligned_write8, 'w')
ACCESS(unaligned_read16, 'r')
ACCESS(unaligned_write16, 'w')
RANGE(read_range, 'r')
RANGE(write_range, 'w')

#define FETCH(bits, type, name) \
    TOLD(type, atomic##bits##_fetch_##name, (volatile type *at, type value, int order)) \
    { \
        access_to('a', at, FROM); \
        ATOMIC_DOES(atomic##bits##_fetch_##name, (at, value, order), return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST)); \
    }
#define ATOMIC(bits, type) \
    TOLD(type, atomic##bits##_load, (const volatile type *at, int order)) \
    { \
        access_to('a', at, FROM); \
        ATOMIC_DOES(atomic##bits##_load, (at, order), return __atomic_load_n(at, __ATOMIC_SEQ_CST)); \
    } \
    TOLD(void, atomic##bits##_store, (volatile type *at, type value, int order)) \
    { \
        access_to('a', at, FROM); \
        ATOMIC_DOES(atomic##bits##_store, (at, value, order), __atomic_store_n(at, value, __ATOMIC_SEQ_CST)); \
    } \
    TOLD(type, atomic##bits##_exchange, (volatile type *at, type value, int order)) \
    { \
        access_to('a', at, FROM); \
        ATOMIC_DOES(atomic##bits##_exchange, (at, value, order), return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST)); \
    } \
    FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) \
    FETCH(bits, type, xor) FETCH(bits, type, nand) \
    TOLD(int, atomic##bits##_compare_exchange_strong, (volatile type *at, type *old, type value, int order, int other)) \
    { \
        access_to(hardbop_fails_next((void *)at, FROM) ? 'f' : 'a', at, FROM); \
        ATOMIC_DOES(atomic##bits##_compare_exchange_strong, (at, old, value, order, other), \
            return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
    } \
    TOLD(int, atomic##bits##_compare_exchange_weak, (volatile type *at, type *old, type value, int order, int other)) \
    { \
        int fails = hardbop_fails_next((void *)at, FROM); \
        access_to(fails ? 'f' : 'a', at, FROM); \
        if (fails || (is_by_chance() && chance() % 4 == 0)) { \
            *old = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
            return 0; \
        } \
        ATOMIC_DOES(atomic##bits##_compare_exchange_weak, (at, old, value, order, other), \
            return __atomic_compare_exchange_n(at, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
    } \
    TOLD(type, atomic##bits##_compare_exchange_val, (volatile type *at, type old, type value, int order, int other)) \
    { \
        access_to('a', at, FROM); \
        ATOMIC_DOES(atomic##bits##_compare_exchange_val, (at, old, value, order, other), \
            __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
            return old); \
    }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned)
ATOMIC(64, unsigned long long)
