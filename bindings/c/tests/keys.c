/* Keys: every function of theirs, used and misused. */
#include <stdlib.h>

#include "smoke.h"

/* RFC 4231, test case 2; BLAKE3's first test vector; seeds and secrets, whole, in pieces and
   many. */
static void keys_of_every_kind(void)
{
    const hashdyno_algorithm *sha256 = hashdyno_find("sha256"), *blake3 = hashdyno_find("blake3"),
                             *xxh3 = hashdyno_find("xxh3");
    const char message[] = "what do ya want for nothing?";
    const void *messages[] = {message, message};
    size_t lens[] = {28, 28};
    int64_t offsets[] = {0, 28};
    uint8_t out[64], long_out[131];
    hashdyno_key *key;
    hashdyno_keyed *keyed;
    const char *expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

    IS(hashdyno_key_hmac(&key, sha256, "Jefe", 4), OK);
    IS(hashdyno_key_digest(key, message, 28, out, 32), OK);
    CHECK(is_hex_of(expected, out, 32));
    IS(hashdyno_key_digest(key, message, 28, out, 31), WRONG_LENGTH);
    IS(hashdyno_key_digest_many(key, NULL, messages, lens, 2, out, 64), OK);
    CHECK(is_hex_of(expected, out, 32) && memcmp(out, out + 32, 32) == 0);
    IS(hashdyno_key_digest_large_offsets(key, NULL, message, 28, offsets, 1, out, 32), OK);
    CHECK(is_hex_of(expected, out, 32));
    IS(hashdyno_key_digest_rows(key, NULL, message, 28, 28, out, 32), OK);
    CHECK(is_hex_of(expected, out, 32));
    IS(hashdyno_key_digest_rows(key, NULL, message, 28, 0, out, 32), WRONG_LENGTH);
    IS(hashdyno_keyed_new(&keyed, key), OK);
    hashdyno_key_free(key);
    for (int times = 0; times < 2; times++) {
        IS(hashdyno_keyed_update(keyed, message, 5), OK);
        IS(hashdyno_keyed_update(keyed, message + 5, 23), OK);
        IS(hashdyno_keyed_finish(keyed, out, 32), OK);
        CHECK(is_hex_of(expected, out, 32));
    }
    IS(hashdyno_keyed_finish(keyed, out, 33), WRONG_LENGTH);
    hashdyno_keyed_free(keyed);

    IS(hashdyno_key_own(&key, blake3, "whats the Elvish word for friend", 32), OK);
    IS(hashdyno_key_digest(key, NULL, 0, long_out, sizeof long_out), OK);
    CHECK(is_hex_of("92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26",
                    long_out, 32));
    hashdyno_key_free(key);
    IS(hashdyno_key_seed(&key, hashdyno_find("xxh64"), 2654435761u), OK);
    IS(hashdyno_key_digest(key, NULL, 0, out, 8), OK);
    CHECK(is_hex_of("ac75fda2929b17ef", out, 8));
    hashdyno_key_free(key);
    IS(hashdyno_key_secret(&key, xxh3, pattern, 136), OK);
    hashdyno_key_free(key);

    IS(hashdyno_key_secret(&key, xxh3, pattern, 135), WRONG_KEY);
    CHECK(key == NULL);
    IS(hashdyno_key_seed(&key, hashdyno_find("xxh32"), UINT64_MAX), WRONG_KEY);
    IS(hashdyno_key_seed(&key, sha256, 1), NO_KEY);
    IS(hashdyno_key_hmac(&key, hashdyno_find("crc32b"), "k", 1), NO_KEY);
    IS(hashdyno_key_own(&key, sha256, "k", 1), NO_KEY);
    IS(hashdyno_key_own(&key, blake3, "k", 1), WRONG_KEY);
    IS(hashdyno_key_hmac(&key, sha256, NULL, 1), NULL_POINTER);
    IS(hashdyno_key_hmac(NULL, sha256, "k", 1), NULL_POINTER);
    IS(hashdyno_key_hmac(&key, NULL, "k", 1), NULL_POINTER);
    IS(hashdyno_key_digest(NULL, "", 0, out, 32), NULL_POINTER);
    IS(hashdyno_keyed_new(&keyed, NULL), NULL_POINTER);
    IS(hashdyno_keyed_update(NULL, "", 0), NULL_POINTER);
    IS(hashdyno_keyed_finish(NULL, out, 32), NULL_POINTER);
    hashdyno_key_free(NULL);
    hashdyno_keyed_free(NULL);
}

/* Messages under a key in memory that is just long enough, the hasher copied on its way, as whole
   messages have them. */
static void placed(const hashdyno_key *key, const hashdyno_algorithm *algorithm)
{
    size_t size = hashdyno_hasher_size_under(key), n = algorithm->output_len,
           saved_len = HASHDYNO_MAX_SAVED_LEN;
    const size_t lens[] = {0, 1, 8, 64, 127, 128, 129, 200, 256, 257, 1024, 1025, PATTERN};
    hashdyno_hasher *first = malloc(size), *second = malloc(size);
    uint8_t out[HASHDYNO_MAX_OUTPUT_LEN], expected[HASHDYNO_MAX_OUTPUT_LEN],
            saved[HASHDYNO_MAX_SAVED_LEN];

    CHECK_FOR(size > 0 && size <= sizeof(hashdyno_hasher) && size % HASHDYNO_HASHER_ALIGN == 0,
              algorithm);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        size_t half = lens[i] / 2;
        IS(hashdyno_key_digest(key, pattern, lens[i], expected, n), OK);
        IS(hashdyno_start_under(first, size, key), OK);
        CHECK_FOR(hashdyno_algorithm_of(first) == algorithm, algorithm);
        IS(hashdyno_update(first, pattern, half), OK);
        memcpy(second, first, size);
        IS(hashdyno_save(first, saved, &saved_len), NOT_STARTED);
        hashdyno_hasher *hashers[] = {first, second};
        for (int which = 0; which < 2; which++) {
            IS(hashdyno_update(hashers[which], pattern + half, lens[i] - half), OK);
            IS(hashdyno_finish(hashers[which], out, n), OK);
            CHECK_FOR(memcmp(out, expected, n) == 0, algorithm);
            IS(hashdyno_update(hashers[which], "", 0), NOT_STARTED);
            CHECK(hashdyno_algorithm_of(hashers[which]) == NULL);
        }
    }
    IS(hashdyno_start_under(first, size - 1, key), WRONG_LENGTH);
    IS(hashdyno_update(first, "", 0), NOT_STARTED);
    free(first);
    free(second);
}

static void every_placed(void)
{
    size_t count = 0, tried = 0, least, most;
    const hashdyno_algorithm *all = hashdyno_all(&count);
    hashdyno_key *key;

    for (const hashdyno_algorithm *algorithm = all; algorithm < all + count; algorithm++) {
        hashdyno_status status = hashdyno_key_lens(algorithm, &least, &most);
        if (status == HASHDYNO_STATUS_OK) {
            CHECK_FOR(least >= 1 && most >= least, algorithm);
            IS(hashdyno_key_own(&key, algorithm, pattern, least - 1), WRONG_KEY);
            if (most < SIZE_MAX)
                IS(hashdyno_key_own(&key, algorithm, pattern, most + 1), WRONG_KEY);
            IS(hashdyno_key_own(&key, algorithm, pattern, least), OK);
            placed(key, algorithm);
            hashdyno_key_free(key);
            tried++;
        } else {
            IS(status, NO_KEY);
        }
        if (hashdyno_key_seed(&key, algorithm, 12345) == HASHDYNO_STATUS_OK) {
            placed(key, algorithm);
            hashdyno_key_free(key);
            tried++;
        }
        if (hashdyno_key_secret(&key, algorithm, pattern, 1024) == HASHDYNO_STATUS_OK) {
            placed(key, algorithm);
            hashdyno_key_free(key);
            tried++;
        }
        if (hashdyno_key_derive(&key, algorithm, "a context", 9) == HASHDYNO_STATUS_OK) {
            placed(key, algorithm);
            hashdyno_key_free(key);
            tried++;
        }
    }
    CHECK(tried >= 25);
}

/* BLAKE3's first test vector of its derivation; RFC 6070's second and fifth key. */
static void derived(void)
{
    const hashdyno_algorithm *blake3 = hashdyno_find("blake3"), *sha1 = hashdyno_find("sha1");
    const char context[] = "BLAKE3 2019-12-27 16:29:52 test vectors context";
    const void *passwords[] = {"password", "passwordPASSWORDpassword"},
               *salts[] = {"salt", "saltSALTsaltSALTsaltSALTsaltSALTsalt"};
    const void *none[] = {NULL, NULL};
    size_t password_lens[] = {8, 24}, salt_lens[] = {4, 36}, zeros[] = {0, 0}, least, most;
    uint8_t out[50];
    _Alignas(HASHDYNO_HASHER_ALIGN) uint8_t few[16];
    hashdyno_hasher hasher;
    hashdyno_key *key;

    IS(hashdyno_key_derive(&key, blake3, context, strlen(context)), OK);
    IS(hashdyno_key_digest(key, NULL, 0, out, 32), OK);
    CHECK(is_hex_of("2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d", out, 32));
    hashdyno_key_free(key);
    IS(hashdyno_key_derive(&key, blake3, "\xff", 1), WRONG_KEY);
    IS(hashdyno_key_derive(&key, sha1, "c", 1), NO_KEY);
    CHECK(key == NULL);
    IS(hashdyno_key_lens(sha1, &least, &most), NO_KEY);
    IS(hashdyno_key_lens(NULL, &least, &most), NULL_POINTER);
    IS(hashdyno_key_lens(blake3, NULL, &most), NULL_POINTER);

    IS(hashdyno_pbkdf2_many(sha1, NULL, passwords, password_lens, salts, salt_lens, 1, 2, out, 20),
       OK);
    CHECK(is_hex_of("ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957", out, 20));
    IS(hashdyno_pbkdf2_many(sha1, NULL, passwords, password_lens, salts, salt_lens, 2, 4096, out,
                            50), OK);
    CHECK(is_hex_of("3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038", out + 25, 25));
    IS(hashdyno_pbkdf2_many(sha1, NULL, none, zeros, none, zeros, 2, 1, out, 40), OK);
    IS(hashdyno_pbkdf2_many(sha1, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, 0), OK);
    IS(hashdyno_pbkdf2_many(sha1, NULL, passwords, password_lens, salts, salt_lens, 2, 0, out, 40),
       WRONG_LENGTH);
    IS(hashdyno_pbkdf2_many(sha1, NULL, passwords, password_lens, salts, salt_lens, 2, 1, out, 41),
       WRONG_LENGTH);
    IS(hashdyno_pbkdf2_many(sha1, NULL, none, password_lens, salts, salt_lens, 2, 1, out, 40),
       NULL_POINTER);
    IS(hashdyno_pbkdf2_many(sha1, NULL, passwords, password_lens, NULL, NULL, 2, 1, out, 40),
       NULL_POINTER);
    IS(hashdyno_pbkdf2_many(hashdyno_find("crc32b"), NULL, passwords, password_lens, salts,
                            salt_lens, 2, 1, out, 40), NO_KEY);

    memset(few, 0xA5, sizeof few);
    IS(hashdyno_key_hmac(&key, sha1, "k", 1), OK);
    CHECK(hashdyno_hasher_size_under(key) == 0 && hashdyno_hasher_size_under(NULL) == 0);
    IS(hashdyno_start_under(&hasher, sizeof hasher, key), NO_KEY);
    IS(hashdyno_start_under(&hasher, sizeof hasher, NULL), NULL_POINTER);
    IS(hashdyno_start_under(NULL, 0, key), NULL_POINTER);
    IS(hashdyno_start_under((hashdyno_hasher *)few, 0, key), NO_KEY);
    hashdyno_key_free(key);
    IS(hashdyno_key_own(&key, blake3, pattern, 32), OK);
    IS(hashdyno_start_under((hashdyno_hasher *)few, 0, key), WRONG_LENGTH);
    IS(hashdyno_start_under((hashdyno_hasher *)few, 7, key), WRONG_LENGTH);
    hashdyno_key_free(key);
    for (size_t i = 0; i < sizeof few; i++)
        CHECK(few[i] == 0xA5); /* beyond the room nothing is written */
}

void keys(void)
{
    keys_of_every_kind();
    every_placed();
    derived();
}
