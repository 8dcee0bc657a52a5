/* Locks and threads, POSIX or Windows: the only file that knows which. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stdint.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef SRWLOCK lock;
typedef HANDLE thread;
#else
#include <pthread.h>

typedef pthread_mutex_t lock;
typedef pthread_t thread;
#endif

typedef void (*thread_call)(void *argument);

/* What a new thread is told to do; it must live until the thread has been joined. */
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
int thread_start(thread_task *);
void thread_join(thread_task *);
/* Calls `call` for ranges that make up 0 .. n, one a thread, and waits for all; `part` counts them.
 * The caller's thread takes the first range, and those for which no thread could be started. */
enum { MOST_PARTS = 64 };
typedef void (*range_call)(void *argument, int32_t part, int32_t from, int32_t to);
void thread_ranges(int32_t threads, int32_t n, range_call call, void *argument);
/* Lets some ten microseconds pass. */
void thread_rest(void);

#endif
