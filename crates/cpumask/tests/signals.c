/* Asks CPUID while SIGSEGV is not as usual, and ends with 1 if what SIGSEGV does, or whether it is
   blocked, was changed by that. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asking.h"

static volatile sig_atomic_t handled;

static void handler(int signal, siginfo_t *info, void *context) {
    handled += signal == SIGSEGV && info && context;
}

static void other(int signal, siginfo_t *info, void *context) {
    handled += 100 + (signal && info && context);
}

static void handle(void (*by)(int, siginfo_t *, void *), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = by;
    action.sa_flags = SA_SIGINFO | flags;
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGSEGV, &action, NULL);
}

static void expect(int holds) {
    if (!holds) _exit(1);
}

/* The handler is there with its flags and mask, SIGSEGV is blocked, and both work. */
static void expect_handled(void (*by)(int, siginfo_t *, void *), int flags, int count) {
    struct sigaction action;
    sigset_t blocked, none;
    sigaction(SIGSEGV, NULL, &action);
    expect(action.sa_sigaction == by && (action.sa_flags & ~0x04000000) == (SA_SIGINFO | flags));
    expect(sigismember(&action.sa_mask, SIGUSR1) && !sigismember(&action.sa_mask, SIGUSR2));
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    expect(sigismember(&blocked, SIGSEGV) && sigismember(&blocked, SIGUSR2));
    raise(SIGSEGV);
    expect(handled == 0);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    expect(handled == count);
}

static void expect_action(void (*by)(int)) {
    struct sigaction action;
    sigaction(SIGSEGV, NULL, &action);
    expect(action.sa_handler == by);
}

static void block_all(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void *ask_blocked(void *by) {
    block_all();
    print((ask_t *)by);
    expect_handled(handler, SA_RESTART, 1);
    return NULL;
}

static void ended_well(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    expect(status == 0);
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
    if (!strcmp(how, "blocked")) {
        handle(handler, SA_RESTART);
        ask_blocked((void *)ask);
    }
    if (!strcmp(how, "thread")) {
        pthread_t id;
        handle(handler, SA_RESTART);
        pthread_create(&id, NULL, ask_blocked, (void *)ask);
        pthread_join(id, NULL);
    }
    if (!strcmp(how, "fork")) {
        handle(handler, SA_RESTART);
        pid_t child = fork();
        if (child == 0) {
            ask_blocked((void *)ask);
            _exit(0);
        }
        ended_well(child);
    }
    if (!strcmp(how, "replaced")) {
        handle(handler, 0);
        handle(other, SA_NODEFER);
        block_all();
        print(ask);
        expect_handled(other, SA_NODEFER, 101);
    }
    if (!strcmp(how, "ignored") || !strcmp(how, "ignored-exec")) {
        signal(SIGSEGV, SIG_IGN);
        if (!strcmp(how, "ignored-exec")) execl(arguments[0], arguments[0], "still-ignored", NULL);
        print(ask);
        expect_action(SIG_IGN);
        raise(SIGSEGV);
    }
    if (!strcmp(how, "still-ignored")) {
        print(ask);
        expect_action(SIG_IGN);
    }
    if (!strcmp(how, "default")) {
        handle(handler, 0);
        signal(SIGSEGV, SIG_DFL);
        print(ask);
        expect_action(SIG_DFL);
    }
    if (!strcmp(how, "once")) {
        handle(handler, SA_RESETHAND);
        raise(SIGSEGV);
        expect(handled == 1);
        print(ask);
        expect_action(SIG_DFL);
    }
    if (!strcmp(how, "written")) {
        /* memory both to write and to execute is looked through when it is first executed */
        void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memcpy(memory, CODE, sizeof CODE);
        handle(handler, SA_RESTART);
        ask_blocked(memory);
    }
    if (!strcmp(how, "trap-ignored")) {
        /* what the tracer has a program do must not be a SIGTRAP to it */
        struct sigaction action;
        signal(SIGTRAP, SIG_IGN);
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        sigaction(SIGTRAP, NULL, &action);
        expect(action.sa_handler == SIG_IGN);
        print(ask);
    }
    return 0;
}
