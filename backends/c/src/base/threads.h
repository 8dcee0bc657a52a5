/* Locks, conditions and threads, POSIX or Windows: the only file that knows which. */
#pragma once

#include <stdint.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef SRWLOCK lock;
typedef CONDITION_VARIABLE condition;
typedef HANDLE thread;
#else
#include <pthread.h>

typedef pthread_mutex_t lock;
typedef pthread_cond_t condition;
typedef pthread_t thread;
#endif

typedef void (*thread_call)(void *argument);

/* What a new thread is to do; it must live until the thread has been joined. */
typedef struct {
    thread_call call;
    void *argument;
    thread id;
} thread_task;

/* 0 where the system has no more of them. */
int lock_new(lock *);
void lock_free(lock *);
void lock_take(lock *);
void lock_leave(lock *);
/* What threads wait for. Whoever holds the lock leaves it while waiting, holds it again afterwards,
 * and may wake for no reason; `condition_wake` wakes all who wait. */
int condition_new(condition *);
void condition_free(condition *);
void condition_wait(condition *, lock *held);
void condition_wake(condition *);
int thread_start(thread_task *);
void thread_join(thread_task *);
/* Lets some ten microseconds pass. */
void thread_rest(void);
/* How many threads the machine runs at once; 1 where it does not say. */
int32_t thread_processors(void);
