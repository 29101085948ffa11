/* Of <pthread.h> and <threads.h> what has a meaning with one thread. */

int pthread_once(int *once, void (*routine)(void))
{
    if (!*once) {
        *once = 2;
        routine();
    }
    return 0;
}

void call_once(int *once, void (*routine)(void))
{
    pthread_once(once, routine);
}
