/* hashdyno_many(): many messages in one call, a batch at a time. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_hashdyno.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Few enough to stay in the second-level cache with their digests, enough to fill SIMD lanes with messages of like length. */
enum { AT_ONCE = 1024 };

typedef struct {
    const hashdyno_algorithm *algorithm;
    zend_array *result;
    bool list;
    bool binary;
    size_t count;
    zend_string *strings[AT_ONCE];
    const void *messages[AT_ONCE];
    size_t lens[AT_ONCE];
    zend_ulong indices[AT_ONCE];
    zend_string *keys[AT_ONCE];
    uint8_t digests[AT_ONCE * HASHDYNO_MAX_OUTPUT_LEN];
} batch;

#ifdef WORDS_BIGENDIAN
#define LITTLE_ENDIAN_32(x) __builtin_bswap32(x)
#define LITTLE_ENDIAN_64(x) __builtin_bswap64(x)
#else
#define LITTLE_ENDIAN_32(x) (x)
#define LITTLE_ENDIAN_64(x) (x)
#endif

/* Four bytes in hexadecimal: nibbles side by side in one word, each then made a digit. As many messages are short, this counts. */
static zend_always_inline char *four(char *end, const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    uint64_t x = LITTLE_ENDIAN_32(word);
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x >> 4 | x << 8) & 0x0f0f0f0f0f0f0f0f;
    x += 0x3030303030303030 + ((x + 0x0606060606060606) >> 4 & 0x0101010101010101) * ('a' - '0' - 10);
    x = LITTLE_ENDIAN_64(x);
    memcpy(end, &x, sizeof x);
    return end + sizeof x;
}

#ifdef __SSE2__
/* The digits of sixteen nibbles. */
static zend_always_inline __m128i digits(__m128i nibbles)
{
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(nibbles, _mm_set1_epi8(9)), _mm_set1_epi8('a' - '0' - 10));
    return _mm_add_epi8(_mm_add_epi8(nibbles, _mm_set1_epi8('0')), letters);
}

/* Sixteen bytes in hexadecimal, in vectors that every x86-64 has. */
static zend_always_inline char *sixteen(char *end, const uint8_t *bytes)
{
    __m128i low_nibbles = _mm_set1_epi8(15), x = _mm_loadu_si128((const __m128i *)bytes);
    __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), low_nibbles), low = _mm_and_si128(x, low_nibbles);
    _mm_storeu_si128((__m128i *)end, digits(_mm_unpacklo_epi8(high, low)));
    _mm_storeu_si128((__m128i *)(end + 16), digits(_mm_unpackhi_epi8(high, low)));
    return end + 32;
}
#endif

/* The digest of message i of the batch as PHP wants it. */
static zend_always_inline zend_string *digest(const batch *batch, size_t i)
{
    size_t len = batch->algorithm->output_len;
    const uint8_t *bytes = batch->digests + i * len;
    if (batch->binary) {
        return zend_string_init((const char *)bytes, len, false);
    }
    zend_string *text = zend_string_alloc(2 * len, false);
    char *end = ZSTR_VAL(text);
    size_t at = 0;
#ifdef __SSE2__
    for (; at + 16 <= len; at += 16) {
        end = sixteen(end, bytes + at);
    }
#endif
    for (; at + 4 <= len; at += 4) {
        end = four(end, bytes + at);
    }
    for (; at < len; at++) {
        *end++ = "0123456789abcdef"[bytes[at] >> 4];
        *end++ = "0123456789abcdef"[bytes[at] & 15];
    }
    *end = 0;
    return text;
}

static void append(const batch *batch)
{
    ZEND_HASH_FILL_PACKED(batch->result) {
        for (size_t i = 0; i < batch->count; i++) {
            zval value;
            ZVAL_STR(&value, digest(batch, i));
            ZEND_HASH_FILL_ADD(&value);
        }
    } ZEND_HASH_FILL_END();
}

static void add_under_keys(const batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        zval value;
        ZVAL_STR(&value, digest(batch, i));
        if (batch->keys[i]) {
            zend_hash_add_new(batch->result, batch->keys[i], &value);
        } else {
            zend_hash_index_add_new(batch->result, batch->indices[i], &value);
        }
    }
}

/* Hashes what the batch holds, and empties it. False: something was thrown. */
static bool flush(batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        batch->messages[i] = ZSTR_VAL(batch->strings[i]);
        batch->lens[i] = ZSTR_LEN(batch->strings[i]);
    }
    size_t len = batch->count * batch->algorithm->output_len;
    hashdyno_status status =
        hashdyno_digest_many(batch->algorithm, NULL, batch->messages, batch->lens, batch->count, batch->digests, len);
    if (!php_hashdyno_ok(status)) {
        return false;
    }
    (batch->list ? append : add_under_keys)(batch);
    batch->count = 0;
    return true;
}

/* Takes a message into the batch, and hashes the batch when it is full. False: something was thrown. */
static zend_always_inline bool take(batch *batch, zval *message)
{
    ZVAL_DEREF(message);
    if (UNEXPECTED(Z_TYPE_P(message) != IS_STRING)) {
        zend_argument_type_error(2, "must be an array of strings, %s found in it", zend_zval_type_name(message));
        return false;
    }
    batch->strings[batch->count] = Z_STR_P(message);
#ifdef __GNUC__
    /* Looked into when the batch is full: of a million strings, most are in no near cache. */
    __builtin_prefetch(Z_STR_P(message));
#endif
    return ++batch->count < AT_ONCE || flush(batch);
}

static bool hash_all(batch *batch, zend_array *messages)
{
    zend_ulong index;
    zend_string *key;
    zval *message;

    if (batch->list) {
        ZEND_HASH_FOREACH_VAL(messages, message) {
            if (!take(batch, message)) {
                return false;
            }
        } ZEND_HASH_FOREACH_END();
    } else {
        ZEND_HASH_FOREACH_KEY_VAL(messages, index, key, message) {
            batch->indices[batch->count] = index;
            batch->keys[batch->count] = key;
            if (!take(batch, message)) {
                return false;
            }
        } ZEND_HASH_FOREACH_END();
    }
    return flush(batch);
}

/* {{{ hashdyno_many(string $algo, array $messages, bool $binary = false): array
   The digest of each message, under the message's key and in its order. */
PHP_FUNCTION(hashdyno_many)
{
    zend_string *name;
    zend_array *messages;
    bool binary = false;

    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR(name)
        Z_PARAM_ARRAY_HT(messages)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(binary)
    ZEND_PARSE_PARAMETERS_END();

    const hashdyno_algorithm *algorithm = php_hashdyno_find(name);
    if (!algorithm) {
        zend_argument_value_error(1, "must be an algorithm that hashdyno_info() names");
        RETURN_THROWS();
    }
    array_init_size(return_value, zend_hash_num_elements(messages));
    batch *batch = emalloc(sizeof *batch);
    batch->algorithm = algorithm;
    batch->result = Z_ARRVAL_P(return_value);
    batch->list = HT_IS_PACKED(messages) && HT_IS_WITHOUT_HOLES(messages);
    batch->binary = binary;
    batch->count = 0;
    if (batch->list) {
        zend_hash_real_init_packed(batch->result);
    }
    hash_all(batch, messages);
    efree(batch);
}
/* }}} */
