/* Every function of hashdyno.h, used and misused; keys.c has those of keys. Exit status 0: all is
   as it must be. */
#include <stdlib.h>

#include "smoke.h"

uint8_t pattern[PATTERN];
int failures = 0;

void check(bool holds, const char *what, const char *file, int line, const char *whom)
{
    if (!holds) {
        failures++;
        fprintf(stderr, "%s:%d: %s does not hold %s\n", file, line, what, whom);
    }
}

void is(hashdyno_status got, hashdyno_status expected, const char *call, const char *file, int line)
{
    if (got != expected) {
        failures++;
        fprintf(stderr, "%s:%d: %s says \"%s\", expected \"%s\"\n", file, line, call,
                hashdyno_message(got), hashdyno_message(expected));
    }
}

bool is_hex_of(const char *hex, const uint8_t *bytes, size_t len)
{
    char text[2 * HASHDYNO_MAX_OUTPUT_LEN + 1] = "";
    for (size_t i = 0; i < len; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    return strcmp(hex, text) == 0;
}

static void digest(const hashdyno_algorithm *algorithm, const char *kernel, const void *message,
                   size_t len, uint8_t *out)
{
    IS(hashdyno_digest(algorithm, kernel, NULL, message, len, out, algorithm->output_len), OK);
}

/* The pattern in pieces, the hasher copied and saved on its way. */
static void in_pieces(const hashdyno_algorithm *algorithm, const char *kernel,
                      const uint8_t *expected)
{
    hashdyno_hasher first, second, third;
    uint8_t out[HASHDYNO_MAX_OUTPUT_LEN], saved[HASHDYNO_MAX_SAVED_LEN];
    size_t at = 0, step = 1, len = sizeof saved;

    IS(hashdyno_start_with(&first, algorithm, kernel, NULL), OK);
    for (; at + step < PATTERN / 2; at += step, step = step * 3 / 2 + 1)
        IS(hashdyno_update(&first, pattern + at, step), OK);
    second = first;
    IS(hashdyno_save(&first, saved, &len), OK);
    IS(hashdyno_restore(&third, saved, len), OK);
    saved[len / 2] ^= 1;
    IS(hashdyno_restore(&third, saved, len), BAD_SAVED);

    hashdyno_hasher *hashers[] = {&first, &second, &third};
    for (int i = 0; i < 3; i++) {
        CHECK_FOR(hashdyno_algorithm_of(hashers[i]) == algorithm, algorithm);
        IS(hashdyno_update(hashers[i], pattern + at, PATTERN - at), OK);
        IS(hashdyno_finish(hashers[i], out, algorithm->output_len), OK);
        CHECK_FOR(memcmp(out, expected, algorithm->output_len) == 0, algorithm);
    }
    IS(hashdyno_update(&first, "123456789", 9), OK); /* it began anew */
    IS(hashdyno_finish(&first, out, algorithm->output_len), OK);
    CHECK_FOR(is_hex_of(algorithm->check, out, algorithm->output_len), algorithm);
}

/* In memory that is just long enough for the algorithm; what is beyond, the sanitizers and valgrind
   guard. */
static void fitted(const hashdyno_algorithm *algorithm, const uint8_t *expected)
{
    size_t size = hashdyno_hasher_size_of(algorithm);
    hashdyno_hasher *first = malloc(size), *second = malloc(size), whole;
    uint8_t out[HASHDYNO_MAX_OUTPUT_LEN], saved[HASHDYNO_MAX_SAVED_LEN];
    size_t len = sizeof saved;

    CHECK_FOR(size <= sizeof(hashdyno_hasher) && size % HASHDYNO_HASHER_ALIGN == 0, algorithm);
    IS(hashdyno_start(first, algorithm), OK);
    for (size_t at = 0; at < PATTERN; at += 100)
        IS(hashdyno_update(first, pattern + at, 100), OK);
    memcpy(second, first, size);
    IS(hashdyno_save(second, saved, &len), OK);
    IS(hashdyno_restore(&whole, saved, len), OK);
    memcpy(second, &whole, size);
    IS(hashdyno_finish(first, out, algorithm->output_len), OK);
    CHECK_FOR(memcmp(out, expected, algorithm->output_len) == 0, algorithm);
    IS(hashdyno_finish(second, out, algorithm->output_len), OK);
    CHECK_FOR(memcmp(out, expected, algorithm->output_len) == 0, algorithm);
    free(first);
    free(second);
}

/* Messages of one algorithm and of MD5 side by side, in pieces that differ. */
static void side_by_side(const hashdyno_algorithm *algorithm, const uint8_t *expected)
{
    enum { COUNT = 40 };
    const hashdyno_algorithm *md5 = hashdyno_find("md5");
    hashdyno_hasher *all = malloc(COUNT * sizeof *all), *hashers[COUNT];
    const void *pieces[COUNT];
    size_t lens[COUNT], at[COUNT] = {0};
    uint8_t out[HASHDYNO_MAX_OUTPUT_LEN], of_md5[16];

    digest(md5, NULL, pattern, PATTERN, of_md5);
    for (int i = 0; i < COUNT; i++) {
        hashers[i] = &all[i];
        IS(hashdyno_start(hashers[i], i % 4 ? algorithm : md5), OK);
    }
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < COUNT; i++) {
            pieces[i] = pattern + at[i];
            lens[i] = round < 3 ? (size_t)(1000 + 7 * i) : PATTERN - at[i];
            at[i] += lens[i];
        }
        IS(hashdyno_update_many(hashers, pieces, lens, COUNT), OK);
    }
    hashers[COUNT - 1] = hashers[1];
    IS(hashdyno_update_many(hashers, pieces, lens, COUNT), SAME_HASHER);
    IS(hashdyno_update_many(hashers, NULL, lens, 2), NULL_POINTER);
    IS(hashdyno_update_many(NULL, NULL, NULL, 0), OK);
    for (int i = 0; i < COUNT; i++) {
        const hashdyno_algorithm *own = i % 4 ? algorithm : md5;
        IS(hashdyno_finish(&all[i], out, own->output_len), OK);
        CHECK_FOR(memcmp(out, i % 4 ? expected : of_md5, own->output_len) == 0, algorithm);
    }
    memset(&all[0], 0, 16);
    IS(hashdyno_update_many(hashers, pieces, lens, 1), NOT_STARTED);
    free(all);
}

/* Messages of 0, 1, 2 ... bytes, in all three layouts; then rows of one width. */
static void many(const hashdyno_algorithm *algorithm)
{
    enum { COUNT = 70 };
    const void *messages[COUNT];
    size_t lens[COUNT], n = algorithm->output_len;
    int32_t offsets[COUNT + 1] = {0};
    int64_t large[COUNT + 1] = {0};
    uint8_t one[HASHDYNO_MAX_OUTPUT_LEN], *out = malloc(3 * COUNT * n);

    for (int i = 0; i < COUNT; i++) {
        messages[i] = i ? pattern + offsets[i] : NULL;
        lens[i] = i;
        large[i + 1] = offsets[i + 1] = offsets[i] + i;
    }
    IS(hashdyno_digest_many(algorithm, NULL, messages, lens, COUNT, out, COUNT * n), OK);
    IS(hashdyno_digest_offsets(algorithm, NULL, pattern, PATTERN, offsets, COUNT, out + COUNT * n,
                               COUNT * n), OK);
    IS(hashdyno_digest_large_offsets(algorithm, NULL, pattern, PATTERN, large, COUNT,
                                     out + 2 * COUNT * n, COUNT * n), OK);
    for (int i = 0; i < 3 * COUNT; i++) {
        digest(algorithm, NULL, messages[i % COUNT], lens[i % COUNT], one);
        CHECK_FOR(memcmp(one, out + i * n, n) == 0, algorithm);
    }
    IS(hashdyno_digest_rows(algorithm, NULL, pattern, 9 * COUNT, 9, out, COUNT * n), OK);
    for (int i = 0; i < COUNT; i++) {
        digest(algorithm, NULL, pattern + 9 * i, 9, one);
        CHECK_FOR(memcmp(one, out + i * n, n) == 0, algorithm);
    }
    free(out);
}

static void every_algorithm(void)
{
    size_t count = 0;
    const hashdyno_algorithm *all = hashdyno_all(&count);
    CHECK(count >= 100);
    for (const hashdyno_algorithm *algorithm = all; algorithm < all + count; algorithm++) {
        uint8_t out[HASHDYNO_MAX_OUTPUT_LEN], expected[HASHDYNO_MAX_OUTPUT_LEN];
        size_t best = 99;
        CHECK_FOR(algorithm->names[0] == algorithm->name && algorithm->specified_in[0] != 0,
                  algorithm);
        for (const char *const *name = algorithm->names; *name; name++)
            CHECK_FOR(hashdyno_find(*name) == algorithm, algorithm);
        CHECK_FOR(*algorithm->kernels[algorithm->kernel_count - 1].needs == 0, algorithm);
        IS(hashdyno_kernel_of(algorithm, NULL, &best), OK);
        digest(algorithm, NULL, pattern, PATTERN, expected);
        for (size_t i = best; i < algorithm->kernel_count; i++) {
            const char *kernel = algorithm->kernels[i].name;
            hashdyno_status status = hashdyno_digest(algorithm, kernel, NULL, pattern, PATTERN, out,
                                                     algorithm->output_len);
            if (status == HASHDYNO_STATUS_UNSUPPORTED_KERNEL)
                continue;
            IS(status, OK);
            CHECK_FOR(memcmp(out, expected, algorithm->output_len) == 0, algorithm);
            in_pieces(algorithm, kernel, expected);
        }
        fitted(algorithm, expected);
        side_by_side(algorithm, expected);
        digest(algorithm, NULL, "123456789", 9, out);
        CHECK_FOR(is_hex_of(algorithm->check, out, algorithm->output_len), algorithm);
        many(algorithm);
    }
}

static void cpus(void)
{
    char text[4096], cut[4];
    hashdyno_cpu native = hashdyno_cpu_native(), none = {1}, forged = {UINT64_MAX};
    const hashdyno_algorithm *sha256 = hashdyno_find("SHA-256");
    size_t best = 99, forged_best = 99, len;

    IS(hashdyno_cpu_masked("none", &none), OK);
    CHECK(none.features == 0);
    CHECK(hashdyno_cpu_features(&none, text, sizeof text) == 0 && *text == 0);
    len = hashdyno_cpu_features(&native, text, sizeof text);
    CHECK(len == strlen(text) && len == hashdyno_cpu_features(NULL, NULL, 0));
    CHECK(hashdyno_cpu_features(NULL, cut, sizeof cut) == len && strncmp(cut, text, 3) == 0
          && strlen(cut) <= 3);
    IS(hashdyno_kernel_of(sha256, &none, &best), OK);
    CHECK(*sha256->kernels[best].needs == 0);
    /* Bits that this machine lacks count for nothing. */
    IS(hashdyno_kernel_of(sha256, &forged, &forged_best), OK);
    IS(hashdyno_kernel_of(sha256, &native, &best), OK);
    CHECK(best == forged_best);
    for (size_t i = 0; i < sha256->kernel_count; i++) {
        hashdyno_hasher hasher;
        bool runs = *sha256->kernels[i].needs == 0;
        is(hashdyno_start_with(&hasher, sha256, sha256->kernels[i].name, &none),
           runs ? HASHDYNO_STATUS_OK : HASHDYNO_STATUS_UNSUPPORTED_KERNEL,
           "hashdyno_start_with(.., none)", __FILE__, __LINE__);
    }
    IS(hashdyno_cpu_masked("avx2", &none), BAD_MASK);
    IS(hashdyno_cpu_masked("-\xff", &none), BAD_MASK);
    IS(hashdyno_cpu_masked(NULL, &none), NULL_POINTER);
    IS(hashdyno_cpu_masked("all", NULL), NULL_POINTER);
}

/* The composite digest of the pattern in pieces, as text; part_len 0: the usual one. Where the
   length that is told decides, there is no text before all bytes were taken. */
static bool composed_is(const char *name, size_t part_len, const char *expected)
{
    hashdyno_composite *composite = NULL;
    uint64_t len = PATTERN;
    char text[HASHDYNO_COMPOSITE_TEXT_SIZE] = "";
    bool told = strcmp(name, "git-blob") == 0 || strcmp(name, "btih") == 0;

    IS(hashdyno_composite_start(&composite, name, part_len, "folder/pattern", &len), OK);
    IS(hashdyno_composite_update(composite, pattern, 1), OK);
    is(hashdyno_composite_text(composite, text),
       told ? HASHDYNO_STATUS_WRONG_LENGTH : HASHDYNO_STATUS_OK, name, __FILE__, __LINE__);
    CHECK(strcmp(text, expected) != 0);
    IS(hashdyno_composite_update(composite, pattern + 1, PATTERN - 1), OK);
    IS(hashdyno_composite_text(composite, text), OK);
    hashdyno_composite_free(composite);
    return strcmp(text, expected) == 0;
}

/* Expected by Python's hashlib, and by RHash 1.4.3. */
static void composites(void)
{
    hashdyno_composite *composite = (hashdyno_composite *)pattern;
    char text[HASHDYNO_COMPOSITE_TEXT_SIZE];
    uint64_t lens[2] = {0};
    size_t count = 0;

    CHECK(composed_is("s3-etag", 1000, "e60b0d443f77f8c784ed930b47661991-5"));
    CHECK(composed_is("S3-SHA256", 1000, "g1ATX5qmckIHlK9/xCx4slUR+lYf1h8yrh3Qe/7ElO4=-5"));
    CHECK(composed_is("git-blob", 0, "3211b84c097b73a6778d41b04a596bfb9291ec8b"));
    CHECK(composed_is("dropbox", 0,
                      "a01433be4b762a5bbdf5d0a7809f20774a129799267cbf0ecba1264efce64225"));
    CHECK(composed_is("tth", 0, "mi5hxrobq7rk44eaxqaijjhnqy6xgypmymvfvwa"));
    CHECK(composed_is("aich", 0, "42jxviawxqdo3ka5hmrh7766qjoyqhhf"));
    CHECK(composed_is("ed2k", 0, "f004216e08cefa2f891863ca8af406ac"));
    CHECK(composed_is("btih", 0, "27a70ea55757d4d2afbf4b0c0df6e56b1306db36"));
    while (hashdyno_composite_name(count) != NULL) {
        IS(hashdyno_composite_start(&composite, hashdyno_composite_name(count), 0, NULL, NULL), OK);
        IS(hashdyno_composite_text(composite, text), OK);
        hashdyno_composite_free(composite);
        count++;
    }
    CHECK(count >= 14 && hashdyno_composite_name((size_t)-1) == NULL);

    IS(hashdyno_composite_start(NULL, "tth", 0, NULL, NULL), NULL_POINTER);
    IS(hashdyno_composite_start(&composite, NULL, 0, NULL, NULL), NULL_POINTER);
    CHECK(composite == NULL);
    IS(hashdyno_composite_start(&composite, "md5", 0, NULL, NULL), UNKNOWN_ALGORITHM);
    IS(hashdyno_composite_start(&composite, "\xff", 0, NULL, NULL), UNKNOWN_ALGORITHM);
    IS(hashdyno_composite_start(&composite, "tth", 1024, NULL, NULL), WRONG_LENGTH);
    CHECK(composite == NULL);
    composite = (hashdyno_composite *)pattern;
    IS(hashdyno_composite_start(&composite, "tth", 0, NULL, (uint64_t *)((char *)lens + 1)),
       MISALIGNED);
    CHECK(composite == NULL);
    IS(hashdyno_composite_update(NULL, "", 0), NULL_POINTER);
    IS(hashdyno_composite_text(NULL, text), NULL_POINTER);
    IS(hashdyno_composite_start(&composite, "tth", 0, NULL, NULL), OK);
    IS(hashdyno_composite_update(composite, NULL, 1), NULL_POINTER);
    IS(hashdyno_composite_text(composite, NULL), NULL_POINTER);
    hashdyno_composite_free(composite);
    hashdyno_composite_free(NULL);
}

static void misuse(void)
{
    const hashdyno_algorithm *md5 = hashdyno_find("md5"), *shake = hashdyno_find("shake128");
    hashdyno_hasher hasher = {0};
    uint8_t out[400], *odd = (uint8_t *)&hasher + 1;
    int32_t descending[] = {0, 4, 2}, outside[] = {0, 4, 99}, negative[] = {-1, 0, 4};
    int32_t one[4] = {0, 9};
    int64_t large[2] = {0, 9};
    const void *messages[] = {NULL};
    size_t len = 1, index;

    CHECK(hashdyno_find(NULL) == NULL && hashdyno_find("") == NULL && hashdyno_find("md55") == NULL
          && hashdyno_find("\xff") == NULL);
    CHECK(hashdyno_all(NULL) != NULL);
    IS(hashdyno_update(&hasher, "", 0), NOT_STARTED);
    IS(hashdyno_finish(&hasher, out, 16), NOT_STARTED);
    IS(hashdyno_save(&hasher, out, &len), NOT_STARTED);
    CHECK(hashdyno_algorithm_of(&hasher) == NULL && hashdyno_algorithm_of(NULL) == NULL);
    IS(hashdyno_start(NULL, md5), NULL_POINTER);
    IS(hashdyno_start(&hasher, NULL), NULL_POINTER);
    IS(hashdyno_start((hashdyno_hasher *)odd, md5), MISALIGNED);
    IS(hashdyno_start(&hasher, (const hashdyno_algorithm *)((const char *)md5 + 8)),
       UNKNOWN_ALGORITHM);
    IS(hashdyno_start(&hasher, (const hashdyno_algorithm *)&hasher), UNKNOWN_ALGORITHM);
    IS(hashdyno_start_with(&hasher, md5, "no-such", NULL), UNKNOWN_KERNEL);
    IS(hashdyno_start_with(&hasher, md5, "\xff", NULL), UNKNOWN_KERNEL);
    IS(hashdyno_update(&hasher, "", 0), NOT_STARTED);
    CHECK(hashdyno_hasher_size_of(NULL) == 0
          && hashdyno_hasher_size_of((const hashdyno_algorithm *)&hasher) == 0);
    IS(hashdyno_start(&hasher, md5), OK);
    IS(hashdyno_update(&hasher, NULL, 0), OK);
    IS(hashdyno_update(&hasher, NULL, 1), NULL_POINTER);
    IS(hashdyno_update(&hasher, pattern, SIZE_MAX), WRONG_LENGTH);
    IS(hashdyno_update(NULL, pattern, 1), NULL_POINTER);
    IS(hashdyno_finish(&hasher, out, 15), WRONG_LENGTH);
    IS(hashdyno_finish(&hasher, NULL, 16), NULL_POINTER);
    IS(hashdyno_save(&hasher, out, &len), WRONG_LENGTH);
    CHECK(len > 1 && len <= HASHDYNO_MAX_SAVED_LEN);
    IS(hashdyno_save(&hasher, out, NULL), NULL_POINTER);
    IS(hashdyno_restore(&hasher, NULL, 0), BAD_SAVED);
    IS(hashdyno_restore(&hasher, NULL, 9), NULL_POINTER);
    IS(hashdyno_restore(NULL, out, 9), NULL_POINTER);
    IS(hashdyno_digest(md5, NULL, NULL, NULL, 0, out, 16), OK);
    IS(hashdyno_digest(md5, NULL, NULL, NULL, 1, out, 16), NULL_POINTER);
    IS(hashdyno_digest(md5, NULL, NULL, pattern, 1, out, 17), WRONG_LENGTH);
    IS(hashdyno_digest(shake, NULL, NULL, pattern, 1, out, sizeof out), OK);
    IS(hashdyno_digest(shake, NULL, NULL, pattern, 1, NULL, 0), OK);
    IS(hashdyno_kernel_of(md5, NULL, NULL), NULL_POINTER);
    IS(hashdyno_kernel_of(NULL, NULL, &index), NULL_POINTER);
    IS(hashdyno_digest_many(md5, NULL, NULL, NULL, 0, NULL, 0), OK);
    IS(hashdyno_digest_many(md5, NULL, NULL, NULL, 1, out, 16), NULL_POINTER);
    IS(hashdyno_digest_many(md5, NULL, messages, &len, 1, out, 16), NULL_POINTER);
    IS(hashdyno_digest_many(md5, NULL, messages, &len, SIZE_MAX, out, 16), WRONG_LENGTH);
    IS(hashdyno_digest_offsets(md5, NULL, pattern, 9, NULL, 0, NULL, 0), OK);
    IS(hashdyno_digest_offsets(md5, NULL, pattern, 9, descending, 2, out, 32), BAD_OFFSETS);
    IS(hashdyno_digest_offsets(md5, NULL, pattern, 9, outside, 2, out, 32), BAD_OFFSETS);
    IS(hashdyno_digest_offsets(md5, NULL, pattern, 9, negative, 2, out, 32), BAD_OFFSETS);
    IS(hashdyno_digest_rows(md5, NULL, NULL, 0, 9, NULL, 0), OK);
    IS(hashdyno_digest_rows(md5, NULL, NULL, 9, 9, out, 16), NULL_POINTER);
    IS(hashdyno_digest_rows(md5, NULL, pattern, 9, 0, out, 16), WRONG_LENGTH);
    IS(hashdyno_digest_rows(md5, NULL, pattern, 9, 2, out, 64), WRONG_LENGTH);
    IS(hashdyno_digest_rows(md5, NULL, pattern, 9, 9, out, 32), WRONG_LENGTH);
    IS(hashdyno_digest_rows(md5, NULL, out, 32, 16, out + 31, 32), WRONG_LENGTH);
    IS(hashdyno_digest_rows(md5, NULL, out, 32, 16, out + 32, 32), OK);
    IS(hashdyno_digest_offsets(md5, NULL, out + 15, 9, one, 1, out, 16), WRONG_LENGTH);
    IS(hashdyno_digest_offsets(md5, NULL, pattern, 9, one, 1, (uint8_t *)one, 16), WRONG_LENGTH);
    IS(hashdyno_digest_large_offsets(md5, NULL, out, 9, large, 1, out, 16), WRONG_LENGTH);
    CHECK(strcmp(hashdyno_message(-1), "unknown status") == 0
          && strcmp(hashdyno_message(99), "unknown status") == 0);
    for (int status = 0; status <= HASHDYNO_STATUS_INTERNAL; status++)
        CHECK(strcmp(hashdyno_message(status), "unknown status") != 0);
}

int main(void)
{
    char version[32];

    for (int i = 0; i < PATTERN; i++)
        pattern[i] = i % 251;
    CHECK(strcmp(hashdyno_version(), HASHDYNO_VERSION) == 0);
    snprintf(version, sizeof version, "%d.%d.%d", HASHDYNO_VERSION_MAJOR,
             HASHDYNO_VERSION_MINOR, HASHDYNO_VERSION_PATCH);
    CHECK(strcmp(version, HASHDYNO_VERSION) == 0);
    CHECK(hashdyno_hasher_size() == HASHDYNO_HASHER_SIZE
          && sizeof(hashdyno_hasher) == HASHDYNO_HASHER_SIZE);
    CHECK(hashdyno_hasher_align() == HASHDYNO_HASHER_ALIGN
          && _Alignof(hashdyno_hasher) == HASHDYNO_HASHER_ALIGN);
    every_algorithm();
    keys();
    cpus();
    composites();
    misuse();
    printf("hashdyno %s: %d failures\n", hashdyno_version(), failures);
    return failures != 0;
}
