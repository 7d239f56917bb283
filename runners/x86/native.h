/* Digests as 32-bit x86 code: CRC-32 by a table, as a compiler makes it and in the documents'
   assembly, CRC-32C by the instruction, MD5. */

typedef unsigned char u8;
typedef unsigned u32;
typedef unsigned long long u64;

/* The runner has them. */
void *memset(void *to, int byte, u32 count);
void *memcpy(void *to, const void *from, u32 count);

static u32 table[256];

static void make_table(void) {
    for (u32 i = 0; i < 256; i++) {
        u32 value = i;
        for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[i] = value;
    }
}

/* CalcCRC32 of the documents, as this compiler makes it. */
__attribute__((noinline)) static u32 bytewise(const u8 *data, u32 len) {
    u32 crc = ~0u;
    for (u32 i = 0; i < len; i++) crc = table[(u8)(crc ^ data[i])] ^ crc >> 8;
    return ~crc;
}

/* The documents' loop for MASM: counted down by two instructions. */
__attribute__((noinline)) static u32 dec_jnz(const u8 *data, u32 len) {
    u32 crc = ~0u;
    if (len == 0) return 0;
    __asm__ volatile(
        "xor edx, edx\n"
        "1: mov dl, byte ptr [esi]\n"
        "xor dl, al\n"
        "shr eax, 8\n"
        "xor eax, dword ptr [edi + edx*4]\n"
        "inc esi\n"
        "dec ecx\n"
        "jnz 1b\n"
        : "+a"(crc), "+c"(len), "+S"(data)
        : "D"(table)
        : "edx", "cc", "memory");
    return ~crc;
}

/* Their first one, counted down by the instruction loop. */
__attribute__((noinline)) static u32 by_loop(const u8 *data, u32 len) {
    u32 crc = ~0u;
    if (len == 0) return 0;
    __asm__ volatile(
        "xor eax, eax\n"
        "1: xor dl, byte ptr [esi]\n"
        "mov al, dl\n"
        "shr edx, 8\n"
        "xor edx, dword ptr [edi + eax*4]\n"
        "inc esi\n"
        "loop 1b\n"
        : "+d"(crc), "+c"(len), "+S"(data)
        : "D"(table)
        : "eax", "cc", "memory");
    return ~crc;
}

/* crc32csse42 of document 001: bytes up to a multiple of eight, two times four bytes a turn,
   bytes. */
__attribute__((noinline)) static u32 by_two_words(const u8 *data, u32 len) {
    u32 crc = ~0u, turns;
    for (; len > 0 && ((u32)data & 7) != 0; len--, data++)
        __asm__("crc32 %0, byte ptr [%1]" : "+r"(crc) : "r"(data), "m"(*data));
    turns = len >> 3;
    if (turns > 0)
        __asm__ volatile(
            "1: crc32 eax, dword ptr [esi]\n"
            "crc32 eax, dword ptr [esi + 4]\n"
            "dec ecx\n"
            "lea esi, [esi + 8]\n"
            "jnz 1b\n"
            : "+a"(crc), "+c"(turns), "+S"(data)
            :
            : "cc", "memory");
    for (len &= 7; len > 0; len--, data++)
        __asm__("crc32 %0, byte ptr [%1]" : "+r"(crc) : "r"(data), "m"(*data));
    return ~crc;
}

static int has_crc32(void) {
    u32 a = 1, b, c, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
    return c >> 20 & 1;
}

/* MD5 (RFC 1321). */

#define TURN(word, by) ((word) << (by) | (word) >> (32 - (by)))
#define F(b, c, d) ((((c) ^ (d)) & (b)) ^ (d))
#define G(b, c, d) ((((b) ^ (c)) & (d)) ^ (c))
#define H(b, c, d) ((b) ^ (c) ^ (d))
#define I(b, c, d) ((c) ^ ((b) | ~(d)))
#define STEP(mix, a, b, c, d, word, by, constant) \
    a += mix(b, c, d) + words[word] + constant##u; \
    a = TURN(a, by) + b;
#define FOUR(mix, w0, w1, w2, w3, by0, by1, by2, by3, k0, k1, k2, k3) \
    STEP(mix, a, b, c, d, w0, by0, k0) STEP(mix, d, a, b, c, w1, by1, k1) \
    STEP(mix, c, d, a, b, w2, by2, k2) STEP(mix, b, c, d, a, w3, by3, k3)

static void md5_block(u32 state[4], const u32 *words) {
    u32 a = state[0], b = state[1], c = state[2], d = state[3];
    FOUR(F, 0, 1, 2, 3, 7, 12, 17, 22, 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee)
    FOUR(F, 4, 5, 6, 7, 7, 12, 17, 22, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501)
    FOUR(F, 8, 9, 10, 11, 7, 12, 17, 22, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be)
    FOUR(F, 12, 13, 14, 15, 7, 12, 17, 22, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821)
    FOUR(G, 1, 6, 11, 0, 5, 9, 14, 20, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa)
    FOUR(G, 5, 10, 15, 4, 5, 9, 14, 20, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8)
    FOUR(G, 9, 14, 3, 8, 5, 9, 14, 20, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed)
    FOUR(G, 13, 2, 7, 12, 5, 9, 14, 20, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a)
    FOUR(H, 5, 8, 11, 14, 4, 11, 16, 23, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c)
    FOUR(H, 1, 4, 7, 10, 4, 11, 16, 23, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70)
    FOUR(H, 13, 0, 3, 6, 4, 11, 16, 23, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05)
    FOUR(H, 9, 12, 15, 2, 4, 11, 16, 23, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665)
    FOUR(I, 0, 7, 14, 5, 6, 10, 15, 21, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039)
    FOUR(I, 12, 3, 10, 1, 6, 10, 15, 21, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1)
    FOUR(I, 8, 15, 6, 13, 6, 10, 15, 21, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1)
    FOUR(I, 4, 11, 2, 9, 6, 10, 15, 21, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391)
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void md5(const u8 *data, u32 len, u8 *digest) {
    u32 state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, tail[32],
        rest = len & 63, end = rest < 56 ? 64 : 128;
    u64 bits = (u64)len << 3;
    for (u32 left = len; left >= 64; left -= 64, data += 64) md5_block(state, (const u32 *)data);
    memset(tail, 0, sizeof tail);
    memcpy(tail, data, rest);
    ((u8 *)tail)[rest] = 0x80;
    memcpy((u8 *)tail + end - 8, &bits, 8);
    md5_block(state, tail);
    if (end == 128) md5_block(state, tail + 16);
    memcpy(digest, state, 16);
}

static void put_sum(u32 sum, u8 *digest) {
    for (int i = 0; i < 4; i++) digest[i] = (u8)(sum >> 8 * (3 - i));
}

static void sum_bytewise(const u8 *data, u32 len, u8 *digest) {
    put_sum(bytewise(data, len), digest);
}
static void sum_dec_jnz(const u8 *data, u32 len, u8 *digest) {
    put_sum(dec_jnz(data, len), digest);
}
static void sum_loop(const u8 *data, u32 len, u8 *digest) { put_sum(by_loop(data, len), digest); }
static void sum_two_words(const u8 *data, u32 len, u8 *digest) {
    put_sum(by_two_words(data, len), digest);
}

/* In the order of the offers: of a name the first is the default. */
static const struct way {
    const char *name, *kind;
    void (*digest)(const u8 *data, u32 len, u8 *digest);
    u32 bytes;
} WAYS[] = {
    {"crc32b", "bytewise", sum_bytewise, 4},
    {"crc32b", "dec-jnz", sum_dec_jnz, 4},
    {"crc32b", "loop", sum_loop, 4},
    {"crc32c", "sse4.2x4", sum_two_words, 4},
    {"md5", "native", md5, 16},
};
enum { COUNT = sizeof WAYS / sizeof WAYS[0] };

static int is_here(const struct way *way) { return way->digest != sum_two_words || has_crc32(); }

