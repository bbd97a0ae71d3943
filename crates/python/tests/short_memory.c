/* Lets allocations of one library fail: loaded before all others, it counts those of a least size that code between two addresses makes,
 * and from one of them on it gives none. What that library allocates without asking whether there is memory ends the process then. */

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static uintptr_t code_begin, code_end;
static size_t least;
static long failing, count;

/* Begins to count; `from` is the first that fails, 0 for none. */
void short_memory_begin(uintptr_t begin, uintptr_t end, size_t bytes, long from) {
    code_begin = begin, code_end = end, least = bytes, failing = from;
    __atomic_store_n(&count, 0, __ATOMIC_SEQ_CST);
}

/* Ends it, and returns how many there were. */
long short_memory_end(void) {
    code_end = 0;
    return __atomic_load_n(&count, __ATOMIC_SEQ_CST);
}

static int fails(size_t bytes, void *caller) {
    uintptr_t at = (uintptr_t)caller;
    if (bytes < least || at < code_begin || at >= code_end) return 0;
    long number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    return failing != 0 && number >= failing;
}

#define FAIL_IF_SHORT(bytes)                               \
    if (fails(bytes, __builtin_return_address(0))) {       \
        errno = ENOMEM;                                    \
        return NULL;                                       \
    }

void *malloc(size_t bytes) {
    FAIL_IF_SHORT(bytes)
    return __libc_malloc(bytes);
}

void *calloc(size_t items, size_t bytes) {
    FAIL_IF_SHORT(items * bytes)
    return __libc_calloc(items, bytes);
}

void *realloc(void *block, size_t bytes) {
    FAIL_IF_SHORT(bytes)
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    FAIL_IF_SHORT(bytes)
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    if (fails(bytes, __builtin_return_address(0))) return ENOMEM;
    *block = __libc_memalign(alignment, bytes);
    return *block ? 0 : ENOMEM;
}
