/* Locks, conditions and threads, POSIX or Windows: the only file that knows which. */
#pragma once

#include <stdint.h>

/* A lock begins as NEW_LOCK, what threads wait for as NEW_CONDITION; neither moves afterwards.
 * The holder of the lock leaves it while waiting, holds it again afterwards, and may wake for no
 * reason; `condition_wake` wakes all who wait. */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef SRWLOCK lock;
typedef CONDITION_VARIABLE condition;
typedef HANDLE thread;
#define NEW_LOCK ((lock)SRWLOCK_INIT)
#define NEW_CONDITION ((condition)CONDITION_VARIABLE_INIT)

static inline void lock_free(lock *of) {
    (void)of;
}

static inline void lock_take(lock *of) {
    AcquireSRWLockExclusive(of);
}

static inline void lock_leave(lock *of) {
    ReleaseSRWLockExclusive(of);
}

static inline void condition_free(condition *of) {
    (void)of;
}

static inline void condition_wait(condition *of, lock *held) {
    SleepConditionVariableSRW(of, held, INFINITE, 0);
}

static inline void condition_wake(condition *of) {
    WakeAllConditionVariable(of);
}
#else
#include <pthread.h>

typedef pthread_mutex_t lock;
typedef pthread_cond_t condition;
typedef pthread_t thread;
#define NEW_LOCK ((lock)PTHREAD_MUTEX_INITIALIZER)
#define NEW_CONDITION ((condition)PTHREAD_COND_INITIALIZER)

static inline void lock_free(lock *of) {
    pthread_mutex_destroy(of);
}

static inline void lock_take(lock *of) {
    pthread_mutex_lock(of);
}

static inline void lock_leave(lock *of) {
    pthread_mutex_unlock(of);
}

static inline void condition_free(condition *of) {
    pthread_cond_destroy(of);
}

static inline void condition_wait(condition *of, lock *held) {
    pthread_cond_wait(of, held);
}

static inline void condition_wake(condition *of) {
    pthread_cond_broadcast(of);
}
#endif

typedef void (*thread_call)(void *argument);

/* What a new thread is to do; it must live until the thread has been joined. */
typedef struct {
    thread_call call;
    void *argument;
    thread id;
} thread_task;

/* 0 if the system has no more of them. */
int thread_start(thread_task *);
void thread_join(thread_task *);
/* Lets some ten microseconds pass. */
void thread_rest(void);
/* How many threads the machine runs at once; 1 if it does not say. */
int32_t thread_processors(void);
