/* Asks CPUID, and prints leaf 1's ECX and leaf 7's EBX, in hex. */
#include <stdio.h>

typedef void ask_t(unsigned leaf, unsigned answer[4]);

void ask(unsigned leaf, unsigned answer[4]) {
    __asm__ volatile("cpuid"
                     : "=a"(answer[0]), "=b"(answer[1]), "=c"(answer[2]), "=d"(answer[3])
                     : "a"(leaf), "c"(0));
}

/* push rbx; mov eax,edi; xor ecx,ecx; cpuid; mov [rsi],eax; mov [rsi+4],ebx; mov [rsi+8],ecx;
   mov [rsi+12],edx; pop rbx; ret */
__attribute__((unused)) static const unsigned char CODE[] = {
    0x53, 0x89, 0xf8, 0x31, 0xc9, 0x0f, 0xa2, 0x89, 0x06, 0x89,
    0x5e, 0x04, 0x89, 0x4e, 0x08, 0x89, 0x56, 0x0c, 0x5b, 0xc3,
};

static void print(ask_t *by) {
    unsigned one[4], seven[4];
    by(1, one);
    by(7, seven);
    printf("%x %x\n", one[2], seven[1]);
    fflush(stdout);
}
