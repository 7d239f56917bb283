/* Asks CPUID in the ways that a program can, and prints leaf 1's ECX and leaf 7's EBX, in hex, each time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void ask_t(unsigned leaf, unsigned answer[4]);

void ask(unsigned leaf, unsigned answer[4]) {
    __asm__ volatile("cpuid" : "=a"(answer[0]), "=b"(answer[1]), "=c"(answer[2]), "=d"(answer[3]) : "a"(leaf), "c"(0));
}

/* push rbx; mov eax,edi; xor ecx,ecx; cpuid; mov [rsi],eax; mov [rsi+4],ebx; mov [rsi+8],ecx; mov [rsi+12],edx; pop rbx; ret */
static const unsigned char CODE[] = {0x53, 0x89, 0xf8, 0x31, 0xc9, 0x0f, 0xa2, 0x89, 0x06, 0x89, 0x5e, 0x04,
                                     0x89, 0x4e, 0x08, 0x89, 0x56, 0x0c, 0x5b, 0xc3};

#ifdef DATA /* The bytes of CPUID among code, as data and inside of an instruction. */
__asm__(".text\n.globl data\ndata: .ascii \"\\x11\\x22\\x0f\\xa2\\x33\\x44\"\n.globl inner\ninner: movl $0x00a20f00, %eax\nret\n");
extern const unsigned char data[];
extern unsigned inner(void);
#endif

static void print(ask_t *by) {
    unsigned one[4], seven[4];
    by(1, one);
    by(7, seven);
    printf("%x %x\n", one[2], seven[1]);
    fflush(stdout);
}

static void *thread(void *by) {
    print((ask_t *)by);
    return NULL;
}

static ask_t *written(int length, int sharing, int later) {
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE | (later ? 0 : PROT_EXEC), sharing | MAP_ANONYMOUS, -1, 0);
    memcpy(memory, CODE, sizeof CODE);
    if (later) mprotect(memory, length, PROT_READ | PROT_EXEC);
    return (ask_t *)memory;
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
