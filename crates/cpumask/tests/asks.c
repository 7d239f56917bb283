/* Asks CPUID in the ways that a program can, and prints leaf 1's ECX and leaf 7's EBX, in hex, each
   time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asking.h"

#ifdef DATA /* The bytes of CPUID among code, as data and inside of an instruction. */
__asm__(".text\n.globl data\ndata: .ascii \"\\x11\\x22\\x0f\\xa2\\x33\\x44\"\n"
        ".globl inner\ninner: movl $0x00a20f00, %eax\nret\n");
extern const unsigned char data[];
extern unsigned inner(void);
#endif

static void *thread(void *by) {
    print((ask_t *)by);
    return NULL;
}

static ask_t *written(int length, int sharing, int later) {
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE | (later ? 0 : PROT_EXEC),
                        sharing | MAP_ANONYMOUS, -1, 0);
    memcpy(memory, CODE, sizeof CODE);
    if (later) mprotect(memory, length, PROT_READ | PROT_EXEC);
    return (ask_t *)memory;
}

/* The code `before` bytes before the end of a page that became executable alone; the next page is
   so, too. */
static ask_t *across(int before) {
    unsigned char *memory = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    mprotect(memory + 4096, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    memset(memory, 0x90 /* NOP */, 8192);
    return (ask_t *)memcpy(memory + 4096 - before, CODE, sizeof CODE);
}

int main(int count, char **arguments) {
    const char *how = arguments[1];
    if (!strcmp(how, "plainly")) print(ask);
    if (!strcmp(how, "thread")) {
        pthread_t id;
        pthread_create(&id, NULL, thread, (void *)ask);
        pthread_join(id, NULL);
    }
    if (!strcmp(how, "fork") || !strcmp(how, "exec") || !strcmp(how, "vfork")) {
        pid_t child = strcmp(how, "vfork") ? fork() : vfork();
        if (child == 0) {
            if (strcmp(how, "fork")) execl(arguments[0], arguments[0], "plainly", NULL);
            print(ask);
            _exit(0);
        }
        waitpid(child, NULL, 0);
        print(ask);
    }
    if (!strcmp(how, "dlopen")) print((ask_t *)dlsym(dlopen(arguments[2], RTLD_NOW), "ask"));
    if (!strcmp(how, "written")) print(written(4096, MAP_PRIVATE, 0));
    if (!strcmp(how, "written-later")) print(written(100, MAP_PRIVATE, 1));
    if (!strcmp(how, "across"))
        for (unsigned before = 0; before <= sizeof CODE; before++) print(across(before));
    if (!strcmp(how, "shared")) print(written(4096, MAP_SHARED, 0));
    if (!strcmp(how, "written-fork")) {
        ask_t *by = written(8192, MAP_PRIVATE, 0);
        pid_t child = fork();
        print(by);
        if (child == 0) return 0;
        waitpid(child, NULL, 0);
    }
#ifdef DATA
    if (!strcmp(how, "data")) printf("%02x%02x %x\n", data[2], data[3], inner());
#endif
    return count > 3;
}
