/* Preloaded where the extension is tested under the sanitizers: PHP loads extensions with
   RTLD_DEEPBIND, which they refuse. */
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(file, mode & ~RTLD_DEEPBIND);
}
