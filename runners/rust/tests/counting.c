/* Stands in front of a libcrypto and counts the calls of one digest's functions, below EVP and
   through it. When the process ends, both counts go to the file that $COUNTS names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long plain, evp;

int MD5_Update(void *context, const void *bytes, size_t length)
{
    int (*real)(void *, const void *, size_t) = dlsym(RTLD_NEXT, "MD5_Update");
    plain++;
    return real(context, bytes, length);
}

int EVP_DigestUpdate(void *context, const void *bytes, size_t length)
{
    int (*real)(void *, const void *, size_t) = dlsym(RTLD_NEXT, "EVP_DigestUpdate");
    evp++;
    return real(context, bytes, length);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu %lu\n", plain, evp);
        fclose(file);
    }
}
