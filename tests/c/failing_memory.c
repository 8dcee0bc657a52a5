/* To be loaded before all others: memory and threads that the engines ask for are refused, from one
 * call on or that call alone. What Python and its libraries ask for is not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

enum { MOST = 8 };
static uintptr_t begins[MOST], ends[MOST];
static int libraries;
static atomic_long calls;
static long first = -1, behind = -1;

/* Calls from this code count. */
void failing_in(uintptr_t begin, uintptr_t end) {
    begins[libraries] = begin, ends[libraries++] = end;
}

/* Refuse the calls from `from` on, to `to` if that is not negative; how many there were before. */
long failing_from(long from, long to) {
    first = from, behind = to;
    return atomic_exchange(&calls, 0);
}

static int refused(void *caller) {
    for (int i = 0; i < libraries; i++) {
        if ((uintptr_t)caller < begins[i] || (uintptr_t)caller >= ends[i]) continue;
        long call = atomic_fetch_add(&calls, 1);
        if (first >= 0 && call >= first && (behind < 0 || call < behind)) return errno = ENOMEM;
    }
    return 0;
}

void *malloc(size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t size) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}

int pthread_create(pthread_t *id, const pthread_attr_t *how, void *(*call)(void *),
                   void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (refused(__builtin_return_address(0))) return EAGAIN;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(id, how, call, argument);
}
