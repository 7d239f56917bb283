/* hashdyno_many(), hashdyno_hmac_many() and hashdyno_rows(): many messages in one call, a batch at
   a time. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_hashdyno.h"
#include "hexadecimal.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

/* Few enough to stay in the second-level cache with their digests, enough to fill SIMD lanes with
   messages of like length. */
enum { AT_ONCE = 2048 };

/* The fewest bytes that PHP allocates for a string's value and its zero byte, and may be read
   together. */
enum { LEAST_ROOM = 8 };

/* How many messages lie between the one that is looked into and the one that is asked for: of a
   million strings, most are in no near cache. */
enum { AHEAD = 64 };

typedef struct {
    const hashdyno_algorithm *algorithm;
    const hashdyno_key *key; /* or null */
    zend_array *result;
    bool list;
    bool binary;
    size_t count;
    const void *messages[AT_ONCE];
    size_t lens[AT_ONCE];
    zend_ulong indices[AT_ONCE];
    zend_string *keys[AT_ONCE];
    /* Of each message the bytes that there are if it is shorter than LEAST_ROOM, side by side: if
       all are, there is one pointer fewer to follow for each. */
    int32_t offsets[AT_ONCE + 1];
    char data[AT_ONCE * LEAST_ROOM];
    uint8_t digests[AT_ONCE * HASHDYNO_MAX_OUTPUT_LEN];
} batch;

/* The values of an array, those before `next` seen. They are elements of a packed array, or the
   first fields of buckets. */
typedef struct {
    const char *begin;
    const char *next;
    const char *end;
    size_t step;
    bool packed;
} walk;

/* The digest of message i of the batch as PHP wants it; `len` is that of every digest. */
static zend_always_inline zend_string *digest(const batch *batch, size_t i, size_t len)
{
    const uint8_t *bytes = batch->digests + i * len;
    if (batch->binary) {
        return zend_string_init((const char *)bytes, len, false);
    }
    zend_string *text = zend_string_alloc(2 * len, false);
    *hexadecimal(ZSTR_VAL(text), bytes, len) = 0;
    return text;
}

static zend_always_inline void fill(const batch *batch, size_t len)
{
    ZEND_HASH_FILL_PACKED(batch->result) {
        for (size_t i = 0; i < batch->count; i++) {
            zval value;
            ZVAL_STR(&value, digest(batch, i, len));
            ZEND_HASH_FILL_ADD(&value);
        }
    } ZEND_HASH_FILL_END();
}

/* Of a length that is known when this is compiled, PHP allocates a string faster, and no loop is
   left in it. */
static void append(const batch *batch)
{
    switch (batch->algorithm->output_len) {
    case 4: fill(batch, 4); break;
    case 8: fill(batch, 8); break;
    case 16: fill(batch, 16); break;
    case 20: fill(batch, 20); break;
    case 32: fill(batch, 32); break;
    case 64: fill(batch, 64); break;
    default: fill(batch, batch->algorithm->output_len);
    }
}

static void add_under_keys(const batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        zval value;
        ZVAL_STR(&value, digest(batch, i, batch->algorithm->output_len));
        if (batch->keys[i]) {
            zend_hash_add_new(batch->result, batch->keys[i], &value);
        } else {
            zend_hash_index_add_new(batch->result, batch->indices[i], &value);
        }
    }
}

static walk walk_of(zend_array *array)
{
    bool packed = HT_IS_PACKED(array);
#if PHP_VERSION_ID < 80200
    const void *first = array->arData;
    size_t step = sizeof(Bucket);
#else
    const void *first = packed ? (const void *)array->arPacked : array->arData;
    size_t step = packed ? sizeof(zval) : sizeof(Bucket);
#endif
    return (walk){first, first, (const char *)first + array->nNumUsed * step, step, packed};
}

/* Has the memory of a message to come fetched. What is no string is as good: an address asked for
   in vain does no harm. */
static zend_always_inline void look_ahead(const walk *walk)
{
#ifdef __GNUC__
    size_t ahead = AHEAD * walk->step;
    if (EXPECTED((size_t)(walk->end - walk->next) > ahead)) {
        __builtin_prefetch(Z_PTR_P((const zval *)(walk->next + ahead)));
    }
#endif
}

/* Notes the key of the value that is next as that of message i of the batch. */
static zend_always_inline void note_key(batch *batch, size_t i, const walk *walk)
{
    const Bucket *bucket = (const Bucket *)walk->next;
    batch->indices[i] = walk->packed
        ? (zend_ulong)(walk->next - walk->begin) / walk->step
        : bucket->h;
    batch->keys[i] = walk->packed ? NULL : bucket->key;
}

/* Gathers the next messages as rows if they are strings of one length, which is shorter than
   LEAST_ROOM and not 0, and returns it. Otherwise takes none and returns 0. Most short keys are
   such, and to note nothing but their bytes is faster. */
static zend_always_inline size_t gather_rows(batch *batch, walk *walk)
{
    const size_t count = MIN((size_t)(walk->end - walk->next) / walk->step, AT_ONCE);
    const zval *value = (const zval *)walk->next;
    const size_t len = Z_TYPE_P(value) == IS_STRING ? Z_STRLEN_P(value) : 0;
    if (len == 0 || len >= LEAST_ROOM) {
        return 0;
    }
    const char *first = walk->next;
    for (size_t i = 0; i < count; i++, walk->next += walk->step) {
        value = (const zval *)walk->next;
        look_ahead(walk);
        if (UNEXPECTED(Z_TYPE_P(value) != IS_STRING || Z_STRLEN_P(value) != len)) {
            walk->next = first;
            return 0;
        }
        if (!batch->list) {
            note_key(batch, i, walk);
        }
        memcpy(batch->data + i * len, Z_STRVAL_P(value), LEAST_ROOM);
    }
    batch->count = count;
    return len;
}

/* Gathers the next messages, as many as a batch holds; `lens` then has the bits of all their
   lengths. False: something was thrown. */
static bool gather(batch *batch, walk *walk, size_t *lens)
{
    size_t count = 0;
    *lens = 0;
    int32_t data_len = 0;
    for (; count < AT_ONCE && walk->next < walk->end; walk->next += walk->step) {
        const zval *value = (const zval *)walk->next;
        look_ahead(walk);
        if (UNEXPECTED(Z_TYPE_P(value) == IS_UNDEF)) {
            continue; /* a hole */
        }
        ZVAL_DEREF(value);
        if (UNEXPECTED(Z_TYPE_P(value) != IS_STRING)) {
            zend_argument_type_error(2, "must be an array of strings, %s found in it",
                zend_zval_type_name(value));
            return false;
        }
        if (!batch->list) {
            note_key(batch, count, walk);
        }
        const zend_string *message = Z_STR_P(value);
        size_t len = ZSTR_LEN(message);
        batch->messages[count] = ZSTR_VAL(message);
        batch->lens[count] = len;
        *lens |= len;
        memcpy(batch->data + data_len, ZSTR_VAL(message), LEAST_ROOM);
        data_len += (int32_t)(len % LEAST_ROOM);
        batch->offsets[++count] = data_len;
    }
    batch->count = count;
    return true;
}

/* Hashes the next messages, as many as a batch holds. False: something was thrown. */
static bool hash_some(batch *batch, walk *walk)
{
    const hashdyno_algorithm *algorithm = batch->algorithm;
    size_t width = gather_rows(batch, walk), lens;
    if (width == 0 && !gather(batch, walk, &lens)) {
        return false;
    }
    size_t count = batch->count, out_len = count * algorithm->output_len;
    uint8_t *out = batch->digests;
    hashdyno_status status;
    if (batch->key) {
        status = width > 0
            ? hashdyno_key_digest_rows(batch->key, NULL, batch->data, count * width, width, out,
                out_len)
            : hashdyno_key_digest_many(batch->key, NULL, batch->messages, batch->lens, count, out,
                out_len);
    } else if (width > 0) {
        status = hashdyno_digest_rows(algorithm, NULL, batch->data, count * width, width, out,
            out_len);
    } else if (lens < LEAST_ROOM) {
        size_t data_len = (size_t)batch->offsets[count];
        status = hashdyno_digest_offsets(algorithm, NULL, batch->data, data_len, batch->offsets,
            count, out, out_len);
    } else {
        status = hashdyno_digest_many(algorithm, NULL, batch->messages, batch->lens, count, out,
            out_len);
    }
    if (!php_hashdyno_ok(status)) {
        return false;
    }
    (batch->list ? append : add_under_keys)(batch);
    return true;
}

static void hash_all(batch *batch, zend_array *messages)
{
    walk walk = walk_of(messages);
    batch->offsets[0] = 0;
    while (walk.next < walk.end && hash_some(batch, &walk)) {
    }
}

#if defined(__linux__) && !defined(MADV_COLLAPSE)
#define MADV_COLLAPSE 25 /* of Linux 6.1; an older one refuses it */
#endif

/* Puts large pages under what is about to be filled: one fault takes the place of 512. PHP gives a
   block of that size back to the system when it is freed, so that the next is new again. Where the
   system has none to give, nothing is lost. */
static void fill_soon(void *begin, size_t len)
{
#ifdef MADV_COLLAPSE
    const size_t large = (size_t)2 << 20;
    const uintptr_t page = 4096;
    if (len >= large) {
        uintptr_t from = (uintptr_t)begin & ~(page - 1);
        madvise((void *)from, (uintptr_t)begin + len - from, MADV_COLLAPSE);
    }
#endif
}

/* Not compiled into what calls setjmp, where values leave their registers. */
static zend_never_inline void digest_each(const hashdyno_algorithm *algorithm,
    const hashdyno_key *key, zend_array *messages, bool binary, zval *return_value)
{
    array_init_size(return_value, zend_hash_num_elements(messages));
    batch *batch = emalloc(sizeof *batch);
    batch->algorithm = algorithm;
    batch->key = key;
    batch->result = Z_ARRVAL_P(return_value);
    batch->list = HT_IS_PACKED(messages) && HT_IS_WITHOUT_HOLES(messages);
    batch->binary = binary;
    if (batch->list) {
        zend_hash_real_init_packed(batch->result);
        fill_soon(batch->result->arData, batch->result->nTableSize * sizeof(zval));
    }
    hash_all(batch, messages);
    efree(batch);
}

/* The digest of each message to `return_value`, under a key or null. Where memory_limit ends the
   script, PHP never comes back to the caller: then the key is wiped here. */
static void digest_all(const hashdyno_algorithm *algorithm, hashdyno_key *key,
    zend_array *messages, bool binary, zval *return_value)
{
    zend_try {
        digest_each(algorithm, key, messages, binary, return_value);
    } zend_catch {
        php_hashdyno_release(key);
        zend_bailout();
    } zend_end_try();
}

/* {{{ hashdyno_many(string $algo, array $messages, bool $binary = false,
                     array $options = []): array
   The digest of each message, under the message's key and in its order. */
PHP_FUNCTION(hashdyno_many)
{
    zend_string *name;
    zend_array *messages, *options = NULL;
    bool binary = false;
    const hashdyno_algorithm *algorithm;

    if (zend_parse_parameters(ZEND_NUM_ARGS(), "Sh|bh", &name, &messages, &binary, &options)
            == FAILURE
        || !(algorithm = php_hashdyno_wanted(name))) {
        RETURN_THROWS();
    }
    hashdyno_key *key = php_hashdyno_key(algorithm, options);
    if (!EG(exception)) {
        digest_all(algorithm, key, messages, binary, return_value);
    }
    php_hashdyno_release(key);
}
/* }}} */

/* {{{ hashdyno_hmac_many(string $algo, array $messages, string $key, bool $binary = false): array
   The HMAC of each message, under the message's key and in its order. */
PHP_FUNCTION(hashdyno_hmac_many)
{
    zend_string *name, *secret;
    zend_array *messages;
    bool binary = false;
    const hashdyno_algorithm *algorithm;
    hashdyno_key *key;

    if (zend_parse_parameters(ZEND_NUM_ARGS(), "ShS|b", &name, &messages, &secret, &binary)
            == FAILURE
        || !(algorithm = php_hashdyno_wanted(name))) {
        RETURN_THROWS();
    }
    if (!php_hashdyno_cryptographic(hashdyno_key_hmac(&key, algorithm, ZSTR_VAL(secret),
            ZSTR_LEN(secret)))) {
        RETURN_THROWS();
    }
    digest_all(algorithm, key, messages, binary, return_value);
    hashdyno_key_free(key);
}
/* }}} */

/* {{{ hashdyno_rows(string $algo, string $rows, int $width, bool $binary = false,
                     array $options = []): string
   The digests, one after another, of rows of $width bytes that lie one after another. */
PHP_FUNCTION(hashdyno_rows)
{
    zend_string *name, *rows;
    zend_array *options = NULL;
    zend_long width;
    bool binary = false;
    const hashdyno_algorithm *algorithm;

    if (zend_parse_parameters(ZEND_NUM_ARGS(), "SSl|bh", &name, &rows, &width, &binary, &options)
            == FAILURE
        || !(algorithm = php_hashdyno_wanted(name))) {
        RETURN_THROWS();
    }
    if (width < 1) {
        zend_argument_value_error(3, "must be greater than 0");
        RETURN_THROWS();
    }
    if (ZSTR_LEN(rows) % (size_t)width != 0) {
        zend_argument_value_error(2, "must be whole rows of " ZEND_LONG_FMT
            " bytes, %zu bytes given", width, ZSTR_LEN(rows));
        RETURN_THROWS();
    }
    size_t count = ZSTR_LEN(rows) / (size_t)width, len = algorithm->output_len;
    /* Before the key: where memory_limit ends the script, nobody would wipe it. */
    zend_string *result = zend_string_safe_alloc(count, binary ? len : 2 * len, 0, false);
    hashdyno_key *key = php_hashdyno_key(algorithm, options);
    char *end = ZSTR_VAL(result);
    fill_soon(end, ZSTR_LEN(result));
    uint8_t digests[128 * HASHDYNO_MAX_OUTPUT_LEN]; /* small beside the stack of a fiber */
    hashdyno_status status = HASHDYNO_STATUS_OK;
    for (size_t some, done = 0; done < count && status == HASHDYNO_STATUS_OK && !EG(exception);
        done += some) {
        some = MIN(count - done, sizeof digests / len);
        const char *from = ZSTR_VAL(rows) + done * (size_t)width;
        uint8_t *to = binary ? (uint8_t *)end : digests;
        status = key
            ? hashdyno_key_digest_rows(key, NULL, from, some * (size_t)width, (size_t)width, to,
                some * len)
            : hashdyno_digest_rows(algorithm, NULL, from, some * (size_t)width, (size_t)width, to,
                some * len);
        if (status == HASHDYNO_STATUS_OK) {
            end = binary ? end + some * len : hexadecimal(end, digests, some * len);
        }
    }
    php_hashdyno_release(key);
    if (!php_hashdyno_ok(status) || EG(exception)) {
        zend_string_efree(result);
        RETURN_THROWS();
    }
    *end = 0;
    RETURN_STR(result);
}
/* }}} */
