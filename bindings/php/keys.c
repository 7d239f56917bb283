/* Keys: options of hash() and its kin, hashdyno_derive_key(). */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_hashdyno.h"

/* The most of a secret that PHP's own XXH3 takes; ours does as that does. */
enum { MOST_OF_A_SECRET = 256 };

const hashdyno_algorithm *php_hashdyno_wanted(zend_string *name)
{
    const hashdyno_algorithm *algorithm = php_hashdyno_find(name);
    if (!algorithm) {
        zend_argument_value_error(1, "must be an algorithm that hashdyno_info() names");
    }
    return algorithm;
}

bool php_hashdyno_cryptographic(hashdyno_status status)
{
    if (status == HASHDYNO_STATUS_NO_KEY) {
        zend_argument_value_error(1, "must be a valid cryptographic hashing algorithm");
        return false;
    }
    return php_hashdyno_ok(status);
}

static bool takes_seed(const hashdyno_algorithm *algorithm)
{
    hashdyno_key *key;
    hashdyno_status status = hashdyno_key_seed(&key, algorithm, 0);
    hashdyno_key_free(key);
    return status == HASHDYNO_STATUS_OK;
}

static bool takes_secret(const hashdyno_algorithm *algorithm)
{
    hashdyno_key *key;
    return hashdyno_key_secret(&key, algorithm, NULL, 0) == HASHDYNO_STATUS_WRONG_KEY;
}

size_t php_hashdyno_size_under_keys(const hashdyno_algorithm *algorithm)
{
    static const uint8_t zeros[MOST_OF_A_SECRET];
    hashdyno_key *key;
    size_t least, most, size = 0;
    if (takes_secret(algorithm)
        && hashdyno_key_secret(&key, algorithm, zeros, sizeof zeros) == HASHDYNO_STATUS_OK) {
        size = hashdyno_hasher_size_under(key);
        hashdyno_key_free(key);
    } else if (hashdyno_key_seed(&key, algorithm, 1) == HASHDYNO_STATUS_OK
        || (hashdyno_key_lens(algorithm, &least, &most) == HASHDYNO_STATUS_OK
            && hashdyno_key_own(&key, algorithm, zeros, least) == HASHDYNO_STATUS_OK)) {
        size = hashdyno_hasher_size_under(key);
        hashdyno_key_free(key);
    }
    return size;
}

/* The seed of the last call and its key: who hashes keys of a table has one seed for all, and to
   make its key takes longer than to hash a short message. It is no secret. */
ZEND_TLS struct {
    const hashdyno_algorithm *algorithm;
    zend_long seed;
    hashdyno_key *key;
} last;

void php_hashdyno_forget(void)
{
    hashdyno_key_free(last.key);
    last.key = NULL;
}

void php_hashdyno_release(hashdyno_key *key)
{
    if (key != last.key) {
        hashdyno_key_free(key);
    }
}

/* A seed that is no int is none to PHP. */
static hashdyno_key *key_of_seed(
    const hashdyno_algorithm *algorithm, const zval *seed, bool secrets)
{
    hashdyno_key *key;
    if (Z_TYPE_P(seed) != IS_LONG) {
#if PHP_VERSION_ID >= 80400
        php_error_docref(NULL, E_DEPRECATED,
            "Passing a seed of a type other than int is deprecated because it is %s",
            secrets ? "ignored" : "the same as setting the seed to 0");
#endif
        return NULL;
    }
    hashdyno_status status = hashdyno_key_seed(&key, algorithm, (uint64_t)Z_LVAL_P(seed));
    if (status == HASHDYNO_STATUS_WRONG_KEY) { /* PHP takes the lower bits where there are 32 */
        status = hashdyno_key_seed(&key, algorithm, (uint32_t)Z_LVAL_P(seed));
    }
    if (php_hashdyno_ok(status)) {
        php_hashdyno_forget();
        last.algorithm = algorithm;
        last.seed = Z_LVAL_P(seed);
        last.key = key;
    }
    return key;
}

static hashdyno_key *key_of_secret(const hashdyno_algorithm *algorithm, zval *secret)
{
    hashdyno_key *key = NULL;
#if PHP_VERSION_ID >= 80400
    if (Z_TYPE_P(secret) != IS_STRING) {
        php_error_docref(NULL, E_DEPRECATED,
            "Passing a secret of a type other than string is deprecated because it implicitly "
            "converts to a string, potentially hiding bugs");
        if (EG(exception)) {
            return NULL;
        }
    }
#endif
    zend_string *text = zval_try_get_string(secret);
    if (!text) {
        return NULL;
    }
    size_t len = ZSTR_LEN(text);
    if (len > MOST_OF_A_SECRET) {
        len = MOST_OF_A_SECRET;
        php_error_docref(NULL, E_WARNING, "%s: Secret content exceeding %zu bytes discarded",
            algorithm->php, len);
    }
    hashdyno_status status = hashdyno_key_secret(&key, algorithm, ZSTR_VAL(text), len);
    if (status == HASHDYNO_STATUS_WRONG_KEY) {
        zend_throw_error(NULL, "%s: Secret length must be >= 136 bytes, %zu bytes passed",
            algorithm->php, len);
    } else {
        php_hashdyno_ok(status);
    }
    zend_string_release(text);
    return key;
}

/* As PHP's own algorithms take them: those that know neither ignore them, and so do ours of the
   same name. Others refuse. */
static hashdyno_key *key_as_php(const hashdyno_algorithm *algorithm, const zval *seed, zval *secret)
{
    if (seed && !secret && last.key && last.algorithm == algorithm && Z_TYPE_P(seed) == IS_LONG
        && Z_LVAL_P(seed) == last.seed) {
        return last.key;
    }
    bool secrets = takes_secret(algorithm);
    if (secrets && seed && secret) {
        zend_throw_error(NULL,
            "%s: Only one of seed or secret is to be passed for initialization", algorithm->php);
        return NULL;
    }
    if (secrets && secret) {
        return key_of_secret(algorithm, secret);
    }
    if (!secrets && !takes_seed(algorithm)) {
        if (!algorithm->php) {
            zend_value_error(
                "hashdyno's %s takes no option \"seed\" or \"secret\"", algorithm->name);
        }
        return NULL;
    }
    return seed ? key_of_seed(algorithm, seed, secrets) : NULL;
}

static hashdyno_key *own_key(const hashdyno_algorithm *algorithm, const zval *bytes)
{
    hashdyno_key *key = NULL;
    size_t least, most, len = Z_STRLEN_P(bytes);
    hashdyno_status status = hashdyno_key_own(&key, algorithm, Z_STRVAL_P(bytes), len);
    if (status == HASHDYNO_STATUS_NO_KEY) {
        zend_value_error("hashdyno's %s takes no option \"key\"", algorithm->name);
    } else if (status == HASHDYNO_STATUS_WRONG_KEY
        && php_hashdyno_ok(hashdyno_key_lens(algorithm, &least, &most))) {
        char expected[64];
        if (most == SIZE_MAX) {
            snprintf(expected, sizeof expected, "%zu or more", least);
        } else if (most > least) {
            snprintf(expected, sizeof expected, "%zu to %zu", least, most);
        } else {
            snprintf(expected, sizeof expected, "%zu", least);
        }
        zend_value_error("hashdyno's %s takes an option \"key\" of %s bytes, %zu bytes given",
            algorithm->name, expected, len);
    } else {
        php_hashdyno_ok(status);
    }
    return key;
}

static hashdyno_key *key_of_context(const hashdyno_algorithm *algorithm, const zval *context)
{
    hashdyno_key *key = NULL;
    hashdyno_status status
        = hashdyno_key_derive(&key, algorithm, Z_STRVAL_P(context), Z_STRLEN_P(context));
    if (status == HASHDYNO_STATUS_NO_KEY) {
        zend_value_error("hashdyno's %s takes no option \"context\"", algorithm->name);
    } else if (status == HASHDYNO_STATUS_WRONG_KEY) {
        zend_value_error("hashdyno's %s takes an option \"context\" in UTF-8", algorithm->name);
    } else {
        php_hashdyno_ok(status);
    }
    return key;
}

static zval *option(const HashTable *options, const char *name)
{
    zval *value = zend_hash_str_find(options, name, strlen(name));
    if (value) {
        ZVAL_DEREF(value);
    }
    return value;
}

hashdyno_key *php_hashdyno_key(const hashdyno_algorithm *algorithm, const HashTable *options)
{
    if (!options || zend_hash_num_elements(options) == 0) {
        return NULL;
    }
    zval *seed = option(options, "seed"), *secret = option(options, "secret");
    zval *own = option(options, "key"), *context = option(options, "context");
    if (!own && !context) {
        return seed || secret ? key_as_php(algorithm, seed, secret) : NULL;
    }
    const char *name = own ? "key" : "context";
    zval *value = own ? own : context;
    if ((own && context) || seed || secret) {
        zend_value_error("hashdyno's %s takes only one of the options \"key\", \"context\", "
                         "\"seed\" and \"secret\"",
            algorithm->name);
    } else if (Z_TYPE_P(value) != IS_STRING) {
        zend_type_error("hashdyno's %s takes an option \"%s\" of type string, %s given",
            algorithm->name, name, zend_zval_type_name(value));
    } else {
        return own ? own_key(algorithm, own) : key_of_context(algorithm, context);
    }
    return NULL;
}

/* {{{ hashdyno_derive_key(string $algo, string $key, string $context, int $length = 0): string
   The key of $length bytes, as they are, that BLAKE3 derives from another for a context. */
PHP_FUNCTION(hashdyno_derive_key)
{
    zend_string *name, *material, *context;
    zend_long length = 0;
    const hashdyno_algorithm *algorithm;
    hashdyno_key *key;

    if (zend_parse_parameters(ZEND_NUM_ARGS(), "SSS|l", &name, &material, &context, &length)
            == FAILURE
        || !(algorithm = php_hashdyno_wanted(name))) {
        RETURN_THROWS();
    }
    if (length < 0) {
        zend_argument_value_error(4, "must be greater than or equal to 0");
        RETURN_THROWS();
    }
    size_t len = length > 0 ? (size_t)length : algorithm->output_len;
    /* Before the key: where memory_limit ends the script, nobody would wipe it. */
    zend_string *result = zend_string_alloc(len, false);
    hashdyno_status status
        = hashdyno_key_derive(&key, algorithm, ZSTR_VAL(context), ZSTR_LEN(context));
    if (status == HASHDYNO_STATUS_NO_KEY) {
        zend_argument_value_error(1, "must be an algorithm that derives keys: blake3");
    } else if (status == HASHDYNO_STATUS_WRONG_KEY) {
        zend_argument_value_error(3, "must be valid UTF-8");
    } else {
        php_hashdyno_ok(status);
    }
    if (EG(exception)) {
        zend_string_efree(result);
        RETURN_THROWS();
    }
    ZSTR_VAL(result)[len] = 0;
    status = hashdyno_key_digest(
        key, ZSTR_VAL(material), ZSTR_LEN(material), (uint8_t *)ZSTR_VAL(result), len);
    hashdyno_key_free(key);
    if (!php_hashdyno_ok(status)) {
        zend_string_efree(result);
        RETURN_THROWS();
    }
    RETURN_STR(result);
}
/* }}} */
