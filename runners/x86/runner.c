/* hashdyno's runner for 32-bit x86 code, which the documents' Delphi program was: CRC-32 by a
   table, as a compiler makes it and in assembly, CRC-32C by the instruction on two times four
   bytes, and MD5. It uses no library, so that a compiler for 64 bits makes it: gcc -m32
   -ffreestanding -nostdlib -static. The protocol: docs/PROTOCOL.md. */

#include "native.h"

enum { MAX_PAYLOAD = 1 << 30, MAX_MESSAGES = 1000, LINE = 1 << 16, DIGEST = 16 };

/* The system: Linux by its interrupt for 32-bit programs. */

enum { EXIT = 1, READ = 3, WRITE = 4, MUNMAP = 91, MMAP2 = 192, CLOCK_GETTIME = 265, EINTR = 4 };

static int call(int number, u32 a, u32 b, u32 c, u32 d, u32 e) {
    int result;
    register u32 last __asm__("edi") = e;
    __asm__ volatile("int 0x80"
                     : "=a"(result)
                     : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "r"(last)
                     : "memory");
    return result;
}

/* What the compiler may call. */
void *memset(void *to, int byte, u32 count) {
    u8 *next = to;
    while (count--) *next++ = (u8)byte;
    return to;
}

void *memcpy(void *to, const void *from, u32 count) {
    u8 *next = to;
    const u8 *byte = from;
    while (count--) *next++ = *byte++;
    return to;
}

static void leave(int status) {
    for (;;) call(EXIT, status, 0, 0, 0, 0);
}

static u64 now(void) {
    struct { int seconds, nanoseconds; } time = {0, 0};
    call(CLOCK_GETTIME, 1 /* CLOCK_MONOTONIC */, (u32)&time, 0, 0, 0);
    return (u64)time.seconds * 1000000000u + (u32)time.nanoseconds;
}

/* Input and output. */

static u8 input[1 << 16];
static u32 taken, filled;

static int fill(void) {
    int count;
    do count = call(READ, 0, (u32)input, sizeof input, 0, 0);
    while (count == -EINTR);
    taken = 0;
    filled = count > 0 ? (u32)count : 0;
    return count > 0;
}

static char line[LINE];

/* False at the end of the input. */
static int next_line(void) {
    u32 len = 0;
    for (;;) {
        if (taken == filled && !fill()) return 0;
        char byte = (char)input[taken++];
        if (byte == '\n') break;
        if (len + 1 < LINE) line[len++] = byte;
    }
    line[len] = 0;
    return 1;
}

static char output[LINE];
static u32 said;

static void flush(void) {
    for (u32 done = 0; done < said;) {
        int count = call(WRITE, 1, (u32)(output + done), said - done, 0, 0);
        if (count == -EINTR) continue;
        if (count <= 0) leave(0); /* nobody reads */
        done += (u32)count;
    }
    said = 0;
}

static void say(const char *text) {
    while (*text != 0) {
        if (said == sizeof output) flush();
        output[said++] = *text++;
    }
}

static void say_number(u64 number) {
    char digits[24];
    int at = sizeof digits - 1;
    u32 high = (u32)(number >> 32), low = (u32)number;
    digits[at] = 0;
    do { /* the compiler would call a library to divide 64 bits */
        u32 rest = high % 10;
        high /= 10;
        __asm__("div %2" : "+a"(low), "+d"(rest) : "r"(10u) : "cc");
        digits[--at] = (char)('0' + rest);
    } while (high > 0 || low > 0);
    say(digits + at);
}

static int same(const char *a, const char *b) {
    while (*a != 0 && *a == *b) a++, b++;
    return *a == *b;
}

static const char *after(const char *text, const char *begin) {
    while (*begin != 0)
        if (*text++ != *begin++) return 0;
    return text;
}

/* Digits up to `end`, nothing else; where they end, or null. */
static const char *number(const char *text, u64 *value) {
    const char *begin = text;
    *value = 0;
    for (; *text >= '0' && *text <= '9'; text++) *value = *value * 10 + (u32)(*text - '0');
    return text > begin && text <= begin + 18 ? text : 0;
}

/* The job. */

static const struct way *way; /* null for the empty one */
static int has_job, is_many;
static u8 *payload;
static u32 payload_len, messages, lens[MAX_MESSAGES];
static u8 answer[MAX_MESSAGES * DIGEST];

static void read_payload(u32 len) {
    if (payload_len > 0) call(MUNMAP, (u32)payload, payload_len, 0, 0, 0);
    payload_len = len;
    payload = input; /* a pointer to something, even if it is to nothing's bytes */
    if (len == 0) return;
    /* readable, writable; private, of no file */
    payload = (u8 *)call(MMAP2, 0, len, 3, 0x22, ~0u);
    if ((u32)payload > ~4096u) leave(1);
    for (u32 have = 0; have < len;) {
        if (taken == filled && !fill()) leave(1); /* the input ends in the middle of the payload */
        u32 part = filled - taken;
        if (part > len - have) part = len - have;
        memcpy(payload + have, input + taken, part);
        have += part;
        taken += part;
    }
}

/* Does it; the nanoseconds. */
static u64 timed(u64 calls) {
    u64 begin = now();
    if (way == 0)
        for (; calls > 0; calls--) __asm__ volatile("");
    else if (!is_many)
        for (; calls > 0; calls--) way->digest(payload, payload_len, answer);
    else
        for (; calls > 0; calls--) {
            const u8 *message = payload;
            for (u32 i = 0; i < messages; i++) {
                way->digest(message, lens[i], answer + i * way->bytes);
                message += lens[i];
            }
        }
    return now() - begin;
}

static void ready(void) {
    u32 bytes = way == 0 ? 0 : way->bytes * (is_many ? messages : 1);
    timed(1);
    say(bytes == 0 ? "ready -" : "ready ");
    for (u32 i = 0; i < bytes; i++) {
        char pair[3] = {"0123456789abcdef"[answer[i] >> 4], "0123456789abcdef"[answer[i] & 15], 0};
        say(pair);
    }
    say("\n");
}

/* A list of lengths with commas between, up to the end of a word; where it ends, or null. */
static const char *read_lens(const char *text) {
    u64 sum = 0, len;
    for (messages = 0;; text++) {
        if (messages == MAX_MESSAGES || (text = number(text, &len)) == 0 || len > MAX_PAYLOAD)
            return 0;
        lens[messages++] = (u32)len;
        sum += len;
        if (*text != ',') break;
    }
    if (sum > MAX_PAYLOAD || (*text != ' ' && *text != 0)) return 0;
    read_payload((u32)sum);
    return text;
}

/* Reads the payload as soon as its length is right; false where the job cannot be done. */
static int job(char *words) {
    const char *kind = "", *rest;
    char *name, *end;
    u64 len;
    if (same(words, "empty")) {
        way = 0;
        is_many = 0;
        return 1;
    }
    /* Files are refused, but the path is read: else it would be the next line. */
    if ((rest = after(words, "open len=")) != 0) {
        if ((rest = number(rest, &len)) != 0 && *rest == 0 && len <= MAX_PAYLOAD)
            read_payload((u32)len);
        return 0;
    }
    for (name = words; *name != ' '; name++)
        if (*name == 0) return 0;
    *name++ = 0;
    for (end = name; *end != ' '; end++)
        if (*end == 0) return 0;
    *end++ = 0;
    is_many = same(words, "many");
    if (is_many) {
        if ((rest = after(end, "lens=")) == 0 || (rest = read_lens(rest)) == 0) return 0;
    } else {
        if ((rest = after(end, "len=")) == 0 || (rest = number(rest, &len)) == 0
            || len > MAX_PAYLOAD)
            return 0;
        if (*rest != ' ' && *rest != 0) return 0;
        read_payload((u32)len);
        if (!same(words, "digest")) return 0;
    }
    if (*rest != 0 && (kind = after(rest, " impl=")) == 0) return 0;
    for (u32 i = 0; i < COUNT; i++)
        if (same(WAYS[i].name, name) && is_here(&WAYS[i])
            && (*kind == 0 || same(WAYS[i].kind, kind))) {
            way = &WAYS[i];
            return 1;
        }
    return 0;
}

static void list(void) {
    const char *last = "";
    for (u32 i = 0; i < COUNT; i++) {
        if (!is_here(&WAYS[i])) continue;
        if (!same(WAYS[i].name, last)) {
            say(*last == 0 ? "digest " : "\ndigest ");
            say(WAYS[i].name);
        }
        say(" ");
        say(WAYS[i].kind);
        last = WAYS[i].name;
    }
    say("\nend\n");
}

static void serve(void) {
    u64 calls;
    const char *rest;
    make_table();
    say("runner 1 x86-32 " __VERSION__ " compiler=gcc\n");
    flush();
    for (; next_line(); flush()) {
        if (same(line, "list")) {
            list();
        } else if (after(line, "job ") != 0) {
            has_job = job(line + 4);
            if (has_job) ready();
            else say("error cannot do this job\n");
        } else if (!has_job) {
            say("error no job, or not understood\n");
        } else if (same(line, "again")) {
            ready();
        } else if ((rest = after(line, "run ")) != 0 && (rest = number(rest, &calls)) != 0
                   && *rest == 0) {
            u64 took = timed(calls);
            say("ran ");
            say_number(took);
            say("\n");
        } else {
            say("error not understood\n");
        }
    }
    leave(0);
}

/* With any argument it only shows that it runs. */
__attribute__((used)) static void begin(const u32 *stack) {
    if (stack[0] > 1) leave(0);
    serve();
}

__asm__(".globl _start\n_start: mov eax, esp\nand esp, -16\nsub esp, 12\npush eax\ncall begin\n");
