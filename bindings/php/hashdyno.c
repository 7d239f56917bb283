/* The algorithms of hashdyno in PHP's own hash(): registered through ext/hash, so that hash_file,
   hash_hmac, hash_pbkdf2, hash_init and its kin know them, too. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_hashdyno.h"
#include "ext/hash/php_hash.h"
#include "ext/standard/info.h"
#include "zend_attributes.h"
#include "zend_exceptions.h"

/* At least as many as there are algorithms; MINIT checks. */
#define SIXTEEN(X, digit) \
    X(0x##digit##0) X(0x##digit##1) X(0x##digit##2) X(0x##digit##3) \
    X(0x##digit##4) X(0x##digit##5) X(0x##digit##6) X(0x##digit##7) \
    X(0x##digit##8) X(0x##digit##9) X(0x##digit##a) X(0x##digit##b) \
    X(0x##digit##c) X(0x##digit##d) X(0x##digit##e) X(0x##digit##f)
#define EVERY(X) \
    SIXTEEN(X, 0) SIXTEEN(X, 1) SIXTEEN(X, 2) SIXTEEN(X, 3) \
    SIXTEEN(X, 4) SIXTEEN(X, 5) SIXTEEN(X, 6) SIXTEEN(X, 7) \
    SIXTEEN(X, 8) SIXTEEN(X, 9) SIXTEEN(X, a) SIXTEEN(X, b) \
    SIXTEEN(X, c) SIXTEEN(X, d) SIXTEEN(X, e) SIXTEEN(X, f) \
    SIXTEEN(X, 10) SIXTEEN(X, 11) SIXTEEN(X, 12) SIXTEEN(X, 13) \
    SIXTEEN(X, 14) SIXTEEN(X, 15) SIXTEEN(X, 16) SIXTEEN(X, 17)

/* What ext/hash keeps beside a saved hash, to tell whose it is. */
#define MAGIC 0x68646e6f

#define ONE(which) +1
enum { COUNT = 0 EVERY(ONE) };

static const hashdyno_algorithm *algorithms;
static size_t count;
static php_hash_ops ops[COUNT];

bool php_hashdyno_ok(hashdyno_status status)
{
    if (status != HASHDYNO_STATUS_OK && !EG(exception)) {
        zend_throw_error(NULL, "hashdyno: %s", hashdyno_message(status));
    }
    return status == HASHDYNO_STATUS_OK;
}

const hashdyno_algorithm *php_hashdyno_find(zend_string *name)
{
    const char *text = ZSTR_VAL(name);
    if (strlen(text) != ZSTR_LEN(name)) {
        return NULL;
    }
    if (zend_binary_strncasecmp(text, ZSTR_LEN(name), ZEND_STRL(PHP_HASHDYNO_PREFIX),
            strlen(PHP_HASHDYNO_PREFIX)) == 0) {
        text += strlen(PHP_HASHDYNO_PREFIX);
    }
    return hashdyno_find(text);
}

/* What a context begins with that holds no started hasher. Behind it lies a message so short that
   it waits for its end, to be digested in one call. With a key of its options a hasher is started
   at once. */
typedef struct {
    uint64_t zero[2];
    const hashdyno_algorithm *algorithm;
    size_t len;
    size_t room; /* for a message that waits */
    uint64_t unused[3]; /* 64 bytes in all: a line of the cache */
} head;

/* A longer message does not wait: to copy it would cost more than to start. */
#define MAX_ROOM 256
#define MIN_ROOM 192

/* The head of a context, unless a hasher was started in it. */
static head *unstarted(void *context)
{
    head *it = context;
    return it->zero[0] | it->zero[1] ? NULL : it;
}

static void *behind(head *head)
{
    return head + 1;
}

/* Starts a hasher for the message that waits. */
static void start(head *head)
{
    uint8_t bytes[MAX_ROOM];
    size_t len = head->len;
    memcpy(bytes, behind(head), len);
    if (php_hashdyno_ok(hashdyno_start((hashdyno_hasher *)head, head->algorithm))) {
        php_hashdyno_ok(hashdyno_update((hashdyno_hasher *)head, bytes, len));
    }
}

/* What each algorithm's context begins with. Copied as it stands: to put it together anew took
   longer than a short checksum. */
static head fresh[COUNT];

/* Begins a message under the key that the options name. Leaves a good context even where it throws,
   because PHP goes on to update and final before it looks. */
static void take_options(head *head, HashTable *args, size_t which)
{
    hashdyno_key *key = php_hashdyno_key(algorithms + which, args);
    if (key && !php_hashdyno_ok(hashdyno_start_under((hashdyno_hasher *)head,
            ops[which].context_size, key))) {
        memcpy(head, fresh + which, sizeof *fresh);
    }
    php_hashdyno_release(key);
}

/* hash_pbkdf2 of PHP 8.1 hands over a pointer that was never set. PHP's own digests do not look at
   it. */
static zend_always_inline bool may_have_options(size_t which)
{
    return PHP_VERSION_ID >= 80200 || !ops[which].is_crypto;
}

static zend_always_inline void begin(void *context, HashTable *args, size_t which)
{
    memcpy(context, fresh + which, sizeof *fresh);
    if (may_have_options(which) && UNEXPECTED(args)) {
        take_options(context, args, which);
    }
}

/* PHP tells an init function no more than the context: each algorithm needs its own. */
#define INIT(which) \
    static void init_##which(void *context, HashTable *args) \
    { \
        begin(context, args, which); \
    }
EVERY(INIT)

#define ADDRESS(which) init_##which,
static const php_hash_init_func_t inits[COUNT] = {EVERY(ADDRESS)};

static void update(void *context, const unsigned char *bytes, size_t len)
{
    head *head = unstarted(context);
    if (EXPECTED(head && len <= head->room - head->len)) {
        memcpy((char *)behind(head) + head->len, bytes, len);
        head->len += len;
        return;
    }
    if (head) {
        start(head);
    }
    php_hashdyno_ok(hashdyno_update(context, bytes, len));
}

static void final(unsigned char *digest, void *context)
{
    head *head = unstarted(context);
    const hashdyno_algorithm *algorithm = head ? head->algorithm : hashdyno_algorithm_of(context);
    size_t len = algorithm ? algorithm->output_len : 0;
    hashdyno_status status = head
        ? hashdyno_digest(algorithm, NULL, NULL, behind(head), head->len, digest, len)
        : hashdyno_finish(context, digest, len);
    if (!php_hashdyno_ok(status)) {
        memset(digest, 0, len); /* PHP looks at it before it sees what was thrown */
    }
}

#if PHP_VERSION_ID < 80400
typedef void original;
#else
typedef const void original;
#endif

static int copy(const void *op, original *from, void *to)
{
    memcpy(to, from, ((const php_hash_ops *)op)->context_size);
    return SUCCESS;
}

static int serialize(const php_hashcontext_object *hash, zend_long *magic, zval *saved)
{
    uint8_t bytes[HASHDYNO_MAX_SAVED_LEN];
    size_t len = sizeof bytes;
    head *head = unstarted(hash->context);
    if (head) {
        start(head);
    }
    if (hashdyno_save(hash->context, bytes, &len) != HASHDYNO_STATUS_OK) {
        return FAILURE;
    }
    *magic = MAGIC;
    ZVAL_STRINGL(saved, (const char *)bytes, len);
    return SUCCESS;
}

/* The context has room for its own algorithm only, and what was saved may be of another. */
static int unserialize(php_hashcontext_object *hash, zend_long magic, const zval *saved)
{
    hashdyno_hasher any;
    if (magic != MAGIC || Z_TYPE_P(saved) != IS_STRING
        || hashdyno_restore(&any, (const uint8_t *)Z_STRVAL_P(saved), Z_STRLEN_P(saved))
            != HASHDYNO_STATUS_OK
        || hashdyno_algorithm_of(&any) != algorithms + (hash->ops - ops)) {
        return FAILURE;
    }
    memcpy(hash->context, &any, hashdyno_hasher_size_of(algorithms + (hash->ops - ops)));
    return SUCCESS;
}

/* PHP's own algorithm of that name; null if PHP lacks it. */
static const php_hash_ops *php_own(const char *name)
{
    zend_string *text = zend_string_init(name, strlen(name), false);
    const php_hash_ops *known = php_hash_fetch_ops(text);
    zend_string_release(text);
    return known >= ops && known < ops + count ? NULL : known;
}

/* Registers an algorithm under a name that PHP lacks as it is, and under one that PHP has with our
   prefix. */
static void register_name(php_hash_ops *op, const char *name, bool prefixed)
{
    char *text = pestrdup(name, true);
    if (prefixed) {
        free(text);
        size_t size = strlen(PHP_HASHDYNO_PREFIX) + strlen(name) + 1;
        text = pemalloc(size, true);
        snprintf(text, size, "%s%s", PHP_HASHDYNO_PREFIX, name);
    }
    php_hash_register_algo(text, op);
    if (op->algo) {
        pefree(text, true);
    } else {
        op->algo = text;
    }
}

static void register_algorithm(size_t which)
{
    const hashdyno_algorithm *algorithm = algorithms + which;
    php_hash_ops *op = ops + which;
    size_t hasher = MAX(hashdyno_hasher_size_of(algorithm),
        php_hashdyno_size_under_keys(algorithm));
    *op = (php_hash_ops){
        .hash_init = inits[which],
        .hash_update = update,
        .hash_final = final,
        .hash_copy = copy,
        .hash_serialize = serialize,
        .hash_unserialize = unserialize,
        .digest_size = algorithm->output_len,
        .block_size = algorithm->block_len,
        .context_size = MAX(hasher, sizeof(head) + MIN_ROOM),
        /* HMAC: not over checksums, and RFC 2104 wants a digest no longer than the block. */
        .is_crypto = algorithm->security != HASHDYNO_SECURITY_CHECKSUM
            && algorithm->output_len <= algorithm->block_len,
    };
    fresh[which] = (head){
        .algorithm = algorithm, .room = MIN(MAX_ROOM, op->context_size - sizeof(head))
    };
    if (algorithm->php) {
        register_name(op, algorithm->php, true);
    }
    for (const char *const *name = algorithm->names; *name; name++) {
        bool known = php_own(*name) != NULL;
        if (known || !algorithm->php) {
            register_name(op, *name, known);
        }
    }
}

PHP_FUNCTION(hashdyno_info)
{
    char features[4096];
    zval all;

    ZEND_PARSE_PARAMETERS_NONE();
    hashdyno_cpu_features(NULL, features, sizeof features);
    array_init(return_value);
    add_assoc_string(return_value, "version", hashdyno_version());
    add_assoc_string(return_value, "cpu", features);
    array_init_size(&all, count);
    for (size_t which = 0; which < count; which++) {
        const hashdyno_algorithm *algorithm = algorithms + which;
        size_t kernel = algorithm->kernel_count - 1;
        zval one;
        hashdyno_kernel_of(algorithm, NULL, &kernel);
        array_init(&one);
        add_assoc_string(&one, "algo", ops[which].algo);
        add_assoc_string(&one, "kernel", algorithm->kernels[kernel].name);
        add_assoc_string(&one, "specified_in", algorithm->specified_in);
        add_assoc_zval(&all, algorithm->name, &one);
    }
    add_assoc_zval(return_value, "algorithms", &all);
    array_init(&all);
    for (size_t which = 0; hashdyno_composite_name(which); which++) {
        add_next_index_string(&all, hashdyno_composite_name(which));
    }
    add_assoc_zval(return_value, "composites", &all);
}

/* Secrets that no stack trace shows. */
static void hide_secrets(void)
{
#if PHP_VERSION_ID >= 80200
    static const struct {
        const char *function;
        uint32_t argument;
    } secrets[] = {
        {"hashdyno_hmac_many", 2}, {"hashdyno_derive_key", 1}, {"hashdyno_pbkdf2_many", 1}
    };
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        zend_function *function = zend_hash_str_find_ptr(CG(function_table), secrets[i].function,
            strlen(secrets[i].function));
        zend_add_parameter_attribute(function, secrets[i].argument,
            ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);
    }
#endif
}

static PHP_MINIT_FUNCTION(hashdyno)
{
#if defined(ZTS) && defined(COMPILE_DL_HASHDYNO)
    ZEND_TSRMLS_CACHE_UPDATE(); /* hide_secrets needs PHP's globals before any request begins */
#endif
    algorithms = hashdyno_all(&count);
    if (count > COUNT || hashdyno_hasher_size() != sizeof(hashdyno_hasher)) {
        return FAILURE;
    }
    for (size_t which = 0; which < count; which++) {
        register_algorithm(which);
    }
    hide_secrets();
    return SUCCESS;
}

static PHP_RINIT_FUNCTION(hashdyno)
{
#if defined(ZTS) && defined(COMPILE_DL_HASHDYNO)
    ZEND_TSRMLS_CACHE_UPDATE(); /* each thread finds PHP's globals by it */
#endif
    return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(hashdyno)
{
    php_hashdyno_forget();
    return SUCCESS;
}

static PHP_MINFO_FUNCTION(hashdyno)
{
    char features[4096], number[32];
    hashdyno_cpu_features(NULL, features, sizeof features);
    snprintf(number, sizeof number, "%zu", count);
    php_info_print_table_start();
    php_info_print_table_row(2, "hashdyno", hashdyno_version());
    php_info_print_table_row(2, "algorithms", number);
    php_info_print_table_row(2, "CPU features", features);
    php_info_print_table_end();
}

#include "hashdyno_arginfo.h"

static const zend_module_dep dependencies[] = {
    ZEND_MOD_REQUIRED("hash")
    ZEND_MOD_END
};

zend_module_entry hashdyno_module_entry = {
    STANDARD_MODULE_HEADER_EX, NULL, dependencies,
    "hashdyno", functions,
    PHP_MINIT(hashdyno), NULL, PHP_RINIT(hashdyno), PHP_RSHUTDOWN(hashdyno), PHP_MINFO(hashdyno),
    PHP_HASHDYNO_VERSION,
    STANDARD_MODULE_PROPERTIES
};

#ifdef COMPILE_DL_HASHDYNO
#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif
ZEND_GET_MODULE(hashdyno)
#endif
