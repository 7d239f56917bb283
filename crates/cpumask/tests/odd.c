/* Asks CPUID by instructions that no compiler writes. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "asking.h"

#define ASK(name, cpuid)                                                                          \
    static void name(unsigned leaf, unsigned answer[4]) {                                         \
        __asm__ volatile(cpuid                                                                    \
                         : "=a"(answer[0]), "=b"(answer[1]), "=c"(answer[2]), "=d"(answer[3])     \
                         : "a"(leaf), "c"(0));                                                    \
    }

ASK(by_66, ".byte 0x66\ncpuid")
ASK(by_67, ".byte 0x67\ncpuid")
ASK(by_f3, ".byte 0xf3\ncpuid")
ASK(by_2e, ".byte 0x2e\ncpuid")
ASK(by_48, ".byte 0x48\ncpuid")
ASK(over_imm64, "jmp 1f\n.byte 0x48, 0xb8\n1: cpuid")
ASK(over_two_bytes, "jmp 1f\n.byte 0x0f\n1: cpuid")
ASK(over_imm32, "jmp 1f\n.byte 0xb8\n1: cpuid")

static const struct {
    const char *name;
    ask_t *by;
} WAYS[] = {{"66", by_66},
            {"67", by_67},
            {"f3", by_f3},
            {"2e", by_2e},
            {"48", by_48},
            {"over-imm64", over_imm64},
            {"over-two-bytes", over_two_bytes},
            {"over-imm32", over_imm32},
            {"switched-off", ask}};

int main(int count, char **arguments) {
    if (count < 2) return 2;
    if (!strcmp(arguments[1], "switched-off"))
        syscall(SYS_arch_prctl, 0x1012 /* ARCH_SET_CPUID */, 1);
    for (unsigned i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
        if (!strcmp(arguments[1], WAYS[i].name)) print(WAYS[i].by);
    return 0;
}
