#ifndef _WIN32
#define _POSIX_C_SOURCE 199309L /* nanosleep, also where the compiler is strict */
#endif

#include "threads.h"

#ifdef _WIN32

int lock_new(lock *of) {
    InitializeSRWLock(of);
    return 1;
}

void lock_free(lock *of) {
    (void)of;
}

void lock_take(lock *of) {
    AcquireSRWLockExclusive(of);
}

void lock_leave(lock *of) {
    ReleaseSRWLockExclusive(of);
}

static DWORD WINAPI run(void *task_) {
    thread_task *task = task_;
    task->call(task->argument);
    return 0;
}

int thread_start(thread_task *task) {
    task->id = CreateThread(NULL, 0, run, task, 0, NULL);
    return task->id != NULL;
}

void thread_join(thread_task *task) {
    WaitForSingleObject(task->id, INFINITE);
    CloseHandle(task->id);
}

void thread_rest(void) {
    SwitchToThread();
}

#else

#include <time.h>

int lock_new(lock *of) {
    return pthread_mutex_init(of, NULL) == 0;
}

void lock_free(lock *of) {
    pthread_mutex_destroy(of);
}

void lock_take(lock *of) {
    pthread_mutex_lock(of);
}

void lock_leave(lock *of) {
    pthread_mutex_unlock(of);
}

static void *run(void *task_) {
    thread_task *task = task_;
    task->call(task->argument);
    return NULL;
}

int thread_start(thread_task *task) {
    return pthread_create(&task->id, NULL, run, task) == 0;
}

void thread_join(thread_task *task) {
    pthread_join(task->id, NULL);
}

void thread_rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

#endif

typedef struct {
    range_call call;
    void *argument;
    int32_t part, from, to;
    thread_task task;
} range;

static void call_range(void *range_) {
    range *of = range_;
    of->call(of->argument, of->part, of->from, of->to);
}

void thread_ranges(int32_t threads, int32_t n, range_call call, void *argument) {
    range ranges[MOST_PARTS];
    int32_t parts = threads < MOST_PARTS ? threads : MOST_PARTS, started = 1;
    if (parts > n) parts = n;
    for (int32_t i = 0; i < parts; i++) {
        int32_t from = (int32_t)((int64_t)n * i / parts),
                to = (int32_t)((int64_t)n * (i + 1) / parts);
        ranges[i] = (range){.call = call, .argument = argument, .part = i, .from = from, .to = to};
    }
    for (; started < parts; started++) {
        ranges[started].task = (thread_task){.call = call_range, .argument = ranges + started};
        if (!thread_start(&ranges[started].task)) break;
    }
    if (parts > 0) call_range(ranges);
    for (int32_t i = started; i < parts; i++) call_range(ranges + i);
    for (int32_t i = 1; i < started; i++) thread_join(&ranges[i].task);
}
