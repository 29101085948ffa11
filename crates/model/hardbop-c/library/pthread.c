/*
 * <pthread.h>, <threads.h> and <semaphore.h> of programs that start threads. Between __hardbop_begin and
 * __hardbop_end no other thread moves; __hardbop_wait sets the thread back to __hardbop_begin until its
 * condition holds, so that nothing may have been written before it. What a static initialiser leaves is 0.
 * After __hardbop_relaxed what is read in between tells nothing of what was done before it was written: a lock that is not got
 * orders nothing. __hardbop_ordered takes that back.
 *
 * A mutex is: held, how often again, by whom (counted from 1), and its kind where glibc keeps it.
 */

int pthread_create(unsigned long *thread, const int *attr, void *(*start)(void *), void *arg)
{
    int is_detached = attr && *attr == 1;
    unsigned long number;
    __hardbop_assumed("starting a thread succeeds");
    __hardbop_readable(thread, sizeof *thread);
    __hardbop_begin();
    number = __hardbop_spawn(start, arg);
    if (is_detached)
        __hardbop_forget(number);
    __hardbop_end();
    *thread = number;
    return 0;
}

int pthread_join(unsigned long thread, void **result)
{
    void *left;
    __hardbop_begin();
    if (!__hardbop_exists(thread))
        __hardbop_unsupported("waiting for what is no thread, or no longer one to wait for");
    __hardbop_wait(__hardbop_ended(thread));
    left = __hardbop_result(thread);
    __hardbop_forget(thread);
    __hardbop_end();
    if (result)
        *result = left;
    return 0;
}

/* How many handlers of pthread_cleanup_push are to be called where the thread ends. */
static _Thread_local int __hardbop_n_cleanups;

void __pthread_register_cancel(void *buffer)
{
    __hardbop_n_cleanups++;
}

void __pthread_unregister_cancel(void *buffer)
{
    __hardbop_n_cleanups--;
}

/* Only who is cancelled, or ends in between, comes back to it. */
int __sigsetjmp_cancel(void *buffer, int mask)
{
    return 0;
}

void __pthread_unwind_next(void *buffer)
{
    __hardbop_unsupported("calling the handlers of pthread_cleanup_push where a thread ends");
}

void pthread_exit(void *value)
{
    if (__hardbop_n_cleanups)
        __hardbop_unsupported("pthread_exit between pthread_cleanup_push and pthread_cleanup_pop");
    __hardbop_end_thread(value);
}

/* Nobody cancels: pthread_cancel is refused. */

int pthread_setcancelstate(int state, int *old)
{
    if (old)
        *old = 0;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (old)
        *old = 0;
    return 0;
}

void pthread_testcancel(void)
{
}

int sched_yield(void)
{
    return 0;
}

int pthread_detach(unsigned long thread)
{
    __hardbop_begin();
    if (!__hardbop_exists(thread))
        __hardbop_unsupported("detaching what is no thread, or no longer one to wait for");
    __hardbop_forget(thread);
    __hardbop_end();
    return 0;
}

unsigned long pthread_self(void)
{
    return __hardbop_self();
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int pthread_yield(void)
{
    return 0;
}

/* Of the attributes of a thread only whether it is detached makes a difference. */
int pthread_attr_init(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_attr_destroy(void *attr)
{
    return 0;
}

int pthread_attr_setdetachstate(int *attr, int state)
{
    if (state != 0 && state != 1)
        return 22;
    *attr = state;
    return 0;
}

int pthread_attr_getdetachstate(const int *attr, int *state)
{
    *state = *attr;
    return 0;
}

int pthread_attr_setscope(void *attr, int scope)
{
    return 0;
}

int pthread_attr_setstacksize(void *attr, unsigned long size)
{
    return 0;
}

int pthread_mutexattr_init(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attr)
{
    return 0;
}

int pthread_mutexattr_setpshared(int *attr, int shared)
{
    return 0;
}

int pthread_mutexattr_settype(int *attr, int kind)
{
    *attr = kind;
    return 0;
}

int *__hardbop_mutex_kind(int *mutex)
{
    return mutex + (sizeof(long) == 8 ? 4 : 3);
}

int pthread_mutex_init(int *mutex, const int *attr)
{
    mutex[0] = 0;
    mutex[1] = 0;
    mutex[2] = 0;
    *__hardbop_mutex_kind(mutex) = attr ? *attr & 3 : 0;
    return 0;
}

int pthread_mutex_destroy(int *mutex)
{
    __hardbop_begin();
    __hardbop_check(!mutex[0], "lock", "the mutex may be held where it is destroyed");
    __hardbop_end();
    return 0;
}

int pthread_mutex_lock(int *mutex)
{
    int self = (int)__hardbop_self() + 1;
    __hardbop_begin();
    if (mutex[0] && mutex[2] == self) {
        int kind = *__hardbop_mutex_kind(mutex);
        if (kind == 1) {
            mutex[1]++;
            __hardbop_end();
            return 0;
        }
        if (kind == 2) {
            __hardbop_end();
            return 35;
        }
        __hardbop_check(0, "lock", "the thread that locks the mutex may hold it already");
    }
    __hardbop_wait(!mutex[0]);
    mutex[0] = 1;
    mutex[2] = self;
    __hardbop_end();
    return 0;
}

int pthread_mutex_trylock(int *mutex)
{
    int self = (int)__hardbop_self() + 1, result = 0;
    __hardbop_begin();
    __hardbop_relaxed();
    if (!mutex[0]) {
        __hardbop_ordered();
        mutex[0] = 1;
        mutex[2] = self;
    } else if (mutex[2] == self && *__hardbop_mutex_kind(mutex) == 1) {
        mutex[1]++;
    } else {
        result = 16;
    }
    __hardbop_end();
    return result;
}

int pthread_mutex_timedlock(int *mutex, const void *until)
{
    if (__hardbop_any_int("pthread_mutex_timedlock"))
        return 110;
    return pthread_mutex_lock(mutex);
}

int pthread_mutex_unlock(int *mutex)
{
    int self = (int)__hardbop_self() + 1;
    __hardbop_begin();
    if (*__hardbop_mutex_kind(mutex) && !(mutex[0] && mutex[2] == self)) {
        __hardbop_end();
        return 1;
    }
    __hardbop_check(mutex[0] && mutex[2] == self, "lock", "the thread that unlocks the mutex may not hold it");
    if (mutex[1] > 0) {
        mutex[1]--;
    } else {
        mutex[0] = 0;
        mutex[2] = 0;
    }
    __hardbop_end();
    return 0;
}

/*
 * A condition variable is: which threads wait (a bit each), and which of them have been woken. A signal wakes
 * any one of those that wait when it is sent, never one that comes later.
 */

int pthread_condattr_init(int *attr)
{
    return 0;
}

int pthread_condattr_destroy(int *attr)
{
    return 0;
}

int pthread_cond_init(int *cond, const void *attr)
{
    cond[0] = 0;
    cond[1] = 0;
    return 0;
}

int pthread_cond_destroy(int *cond)
{
    return 0;
}

int __hardbop_woken(int waiting)
{
    while (waiting) {
        int one = waiting & -waiting;
        if (waiting == one || __hardbop_any_bool("pthread_cond_signal"))
            return one;
        waiting &= ~one;
    }
    return 0;
}

int pthread_cond_signal(int *cond)
{
    int one;
    __hardbop_begin();
    one = __hardbop_woken(cond[0]);
    cond[0] &= ~one;
    cond[1] |= one;
    __hardbop_end();
    return 0;
}

int pthread_cond_broadcast(int *cond)
{
    __hardbop_begin();
    cond[1] |= cond[0];
    cond[0] = 0;
    __hardbop_end();
    return 0;
}

/* C allows that it returns although nobody woke it. */
int pthread_cond_wait(int *cond, int *mutex)
{
    int self = (int)__hardbop_self();
    if (self >= 30)
        __hardbop_unsupported("a condition variable of more than 30 threads");
    self = 1 << self;
    if (__hardbop_any_bool("pthread_cond_wait")) {
        pthread_mutex_unlock(mutex);
        return pthread_mutex_lock(mutex);
    }
    __hardbop_begin();
    cond[0] |= self;
    pthread_mutex_unlock(mutex);
    __hardbop_end();
    __hardbop_begin();
    __hardbop_wait(cond[1] & self);
    cond[1] &= ~self;
    __hardbop_end();
    return pthread_mutex_lock(mutex);
}

/*
 * The time may be over at any moment. Until it comes back it may be the one that a signal wakes, although it says that
 * it is late; whoever is not woken may return without a signal, as in pthread_cond_wait.
 */
int pthread_cond_timedwait(int *cond, int *mutex, const void *until)
{
    int self = (int)__hardbop_self(), is_late;
    if (self >= 30)
        __hardbop_unsupported("a condition variable of more than 30 threads");
    self = 1 << self;
    __hardbop_begin();
    cond[0] |= self;
    pthread_mutex_unlock(mutex);
    __hardbop_end();
    __hardbop_begin();
    cond[0] &= ~self;
    cond[1] &= ~self;
    __hardbop_end();
    is_late = __hardbop_any_bool("pthread_cond_timedwait");
    pthread_mutex_lock(mutex);
    return is_late ? 110 : 0;
}

/* A read-write lock is: held for writing, and how many read. */

int pthread_rwlockattr_init(void *attr)
{
    return 0;
}

int pthread_rwlockattr_destroy(void *attr)
{
    return 0;
}

int pthread_rwlock_init(int *lock, const void *attr)
{
    lock[0] = 0;
    lock[1] = 0;
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
    return 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    __hardbop_begin();
    __hardbop_wait(!lock[0]);
    lock[1]++;
    __hardbop_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __hardbop_begin();
    __hardbop_wait(!lock[0] && !lock[1]);
    lock[0] = 1;
    __hardbop_end();
    return 0;
}

int pthread_rwlock_timedrdlock(int *lock, const void *until)
{
    if (__hardbop_any_bool("pthread_rwlock_timedrdlock"))
        return 110;
    return pthread_rwlock_rdlock(lock);
}

int pthread_rwlock_timedwrlock(int *lock, const void *until)
{
    if (__hardbop_any_bool("pthread_rwlock_timedwrlock"))
        return 110;
    return pthread_rwlock_wrlock(lock);
}

int pthread_rwlock_tryrdlock(int *lock)
{
    int result = 0;
    __hardbop_begin();
    __hardbop_relaxed();
    if (lock[0]) {
        result = 16;
    } else {
        __hardbop_ordered();
        lock[1]++;
    }
    __hardbop_end();
    return result;
}

int pthread_rwlock_trywrlock(int *lock)
{
    int result = 0;
    __hardbop_begin();
    __hardbop_relaxed();
    if (lock[0] || lock[1]) {
        result = 16;
    } else {
        __hardbop_ordered();
        lock[0] = 1;
    }
    __hardbop_end();
    return result;
}

int pthread_rwlock_unlock(int *lock)
{
    __hardbop_begin();
    __hardbop_check(lock[0] || lock[1], "lock", "the read-write lock may not be held where it is released");
    if (lock[0])
        lock[0] = 0;
    else
        lock[1]--;
    __hardbop_end();
    return 0;
}

int pthread_spin_init(int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(int *lock)
{
    return 0;
}

int pthread_spin_lock(int *lock)
{
    __hardbop_begin();
    __hardbop_wait(!*lock);
    *lock = 1;
    __hardbop_end();
    return 0;
}

int pthread_spin_trylock(int *lock)
{
    int result = 0;
    __hardbop_begin();
    __hardbop_relaxed();
    if (*lock) {
        result = 16;
    } else {
        __hardbop_ordered();
        *lock = 1;
    }
    __hardbop_end();
    return result;
}

int pthread_spin_unlock(int *lock)
{
    __hardbop_begin();
    __hardbop_check(*lock, "lock", "the spin lock may not be held where it is released");
    *lock = 0;
    __hardbop_end();
    return 0;
}

/*
 * A barrier is: how many it is for, how many have come, and how many of those that it has let go have not left. Nobody
 * comes before these have: they can leave at once, so nobody can tell.
 */

int pthread_barrier_init(int *barrier, const void *attr, unsigned count)
{
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    return count ? 0 : 22;
}

int pthread_barrier_destroy(int *barrier)
{
    return 0;
}

int pthread_barrier_wait(int *barrier)
{
    __hardbop_assumed("of those that a barrier lets go, the last to come gets PTHREAD_BARRIER_SERIAL_THREAD");
    __hardbop_begin();
    __hardbop_wait(!barrier[2]);
    barrier[1]++;
    if (barrier[1] == barrier[0]) {
        barrier[1] = 0;
        barrier[2] = barrier[0] - 1;
        __hardbop_end();
        return -1;
    }
    __hardbop_end();
    __hardbop_begin();
    __hardbop_wait(barrier[2]);
    barrier[2]--;
    __hardbop_end();
    return 0;
}

int pthread_once(int *once, void (*routine)(void))
{
    int is_first;
    __hardbop_begin();
    __hardbop_wait(*once != 1);
    is_first = !*once;
    if (is_first)
        *once = 1;
    __hardbop_end();
    if (is_first) {
        routine();
        __hardbop_begin();
        *once = 2;
        __hardbop_end();
    }
    return 0;
}

int sem_init(unsigned *sem, int shared, unsigned value)
{
    *sem = value;
    return 0;
}

int sem_destroy(unsigned *sem)
{
    return 0;
}

int sem_wait(unsigned *sem)
{
    __hardbop_begin();
    __hardbop_wait(*sem > 0);
    --*sem;
    __hardbop_end();
    return 0;
}

int sem_trywait(unsigned *sem)
{
    int result = 0;
    __hardbop_begin();
    __hardbop_relaxed();
    if (*sem > 0) {
        __hardbop_ordered();
        --*sem;
    } else {
        result = -1;
    }
    __hardbop_end();
    if (result)
        __hardbop_errno = 11;
    return result;
}

int sem_timedwait(unsigned *sem, const void *until)
{
    if (__hardbop_any_bool("sem_timedwait")) {
        __hardbop_errno = 110;
        return -1;
    }
    return sem_wait(sem);
}

int sem_post(unsigned *sem)
{
    __hardbop_begin();
    ++*sem;
    __hardbop_end();
    return 0;
}

int sem_getvalue(unsigned *sem, int *value)
{
    int now;
    __hardbop_begin();
    __hardbop_relaxed();
    now = *sem;
    __hardbop_end();
    *value = now;
    return 0;
}

int thrd_create(unsigned long *thread, int (*start)(void *), void *arg)
{
    unsigned long number;
    __hardbop_assumed("starting a thread succeeds");
    __hardbop_readable(thread, sizeof *thread);
    __hardbop_begin();
    number = __hardbop_spawn(start, arg);
    __hardbop_end();
    *thread = number;
    return 0;
}

int thrd_join(unsigned long thread, int *result)
{
    int left;
    __hardbop_begin();
    if (!__hardbop_exists(thread))
        __hardbop_unsupported("waiting for what is no thread, or no longer one to wait for");
    __hardbop_wait(__hardbop_ended(thread));
    left = __hardbop_result_int(thread);
    __hardbop_forget(thread);
    __hardbop_end();
    if (result)
        *result = left;
    return 0;
}

void thrd_exit(int value)
{
    __hardbop_end_thread(value);
}

int thrd_detach(unsigned long thread)
{
    return pthread_detach(thread);
}

unsigned long thrd_current(void)
{
    return __hardbop_self();
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

void thrd_yield(void)
{
}

int mtx_init(int *mutex, int kind)
{
    mutex[0] = 0;
    mutex[1] = 0;
    mutex[2] = 0;
    *__hardbop_mutex_kind(mutex) = kind & 1;
    return 0;
}

void mtx_destroy(int *mutex)
{
}

int mtx_lock(int *mutex)
{
    return pthread_mutex_lock(mutex);
}

int mtx_trylock(int *mutex)
{
    return pthread_mutex_trylock(mutex) ? 1 : 0;
}

int mtx_timedlock(int *mutex, const void *until)
{
    return pthread_mutex_timedlock(mutex, until) ? 4 : 0;
}

int mtx_unlock(int *mutex)
{
    return pthread_mutex_unlock(mutex);
}

int cnd_init(int *cond)
{
    return pthread_cond_init(cond, 0);
}

void cnd_destroy(int *cond)
{
}

int cnd_signal(int *cond)
{
    return pthread_cond_signal(cond);
}

int cnd_broadcast(int *cond)
{
    return pthread_cond_broadcast(cond);
}

int cnd_timedwait(int *cond, int *mutex, const void *until)
{
    return pthread_cond_timedwait(cond, mutex, until) ? 4 : 0;
}

int cnd_wait(int *cond, int *mutex)
{
    return pthread_cond_wait(cond, mutex);
}

/*
 * Thread-specific data: a few keys, of each thread its own pointers. Whether a key is in use is shared.
 */

static int __hardbop_n_keys;
static _Thread_local void *__hardbop_specific_0;
static _Thread_local void *__hardbop_specific_1;
static _Thread_local void *__hardbop_specific_2;
static _Thread_local void *__hardbop_specific_3;

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    int number;
    if (destructor)
        __hardbop_unsupported("a destructor of thread-specific data");
    __hardbop_begin();
    number = __hardbop_n_keys;
    __hardbop_n_keys++;
    __hardbop_end();
    if (number >= 4)
        __hardbop_unsupported("more than four keys of thread-specific data");
    *key = number;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    return 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    switch (key) {
    case 0:
        __hardbop_specific_0 = (void *)value;
        return 0;
    case 1:
        __hardbop_specific_1 = (void *)value;
        return 0;
    case 2:
        __hardbop_specific_2 = (void *)value;
        return 0;
    case 3:
        __hardbop_specific_3 = (void *)value;
        return 0;
    }
    return 22;
}

void *pthread_getspecific(unsigned key)
{
    switch (key) {
    case 0:
        return __hardbop_specific_0;
    case 1:
        return __hardbop_specific_1;
    case 2:
        return __hardbop_specific_2;
    case 3:
        return __hardbop_specific_3;
    }
    return 0;
}

int tss_create(unsigned *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor);
}

void tss_delete(unsigned key)
{
}

int tss_set(unsigned key, void *value)
{
    return pthread_setspecific(key, value);
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}

/*
 * `errno` is one of each thread: what is written `*__errno_location()` is lowered as this variable. The
 * function itself is for who keeps the address.
 */

_Thread_local int __hardbop_errno;

int *__errno_location(void)
{
    __hardbop_unsupported("the address of `errno` in a program that starts threads");
    return 0;
}
