#ifndef _WIN32
#define _POSIX_C_SOURCE 199309L /* nanosleep, also if the compiler is strict */
#define _DARWIN_C_SOURCE        /* and the number of processors */
#endif

#include "threads.h"

#ifdef _WIN32

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

int32_t thread_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int32_t)info.dwNumberOfProcessors;
}

#else

#include <time.h>
#include <unistd.h>

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

int32_t thread_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < INT32_MAX ? (int32_t)n : 1;
}

#endif
