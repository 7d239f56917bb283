/* hashdyno_pbkdf2_many(). */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_hashdyno.h"
#include "hexadecimal.h"

/* Passwords with their salts, and where their keys go. */
typedef struct {
    const hashdyno_algorithm *algorithm;
    size_t count;
    const void **passwords;
    const void **salts;
    size_t *password_lens;
    size_t *salt_lens;
} pairs;

static void free_pairs(pairs *pairs)
{
    efree(pairs->passwords);
    efree(pairs->salts);
    efree(pairs->password_lens);
    efree(pairs->salt_lens);
}

/* Notes a string; false, and something is thrown: it is none. */
static bool note(zval *value, const void **bytes, size_t *len, uint32_t argument)
{
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) != IS_STRING) {
        zend_argument_type_error(argument, "must be an array of strings, %s found in it",
            zend_zval_type_name(value));
        return false;
    }
    *bytes = Z_STRVAL_P(value);
    *len = Z_STRLEN_P(value);
    return true;
}

/* Notes each password and the salt under its key. False: something was thrown. */
static bool gather(pairs *pairs, zend_array *passwords, zend_array *salts)
{
    zend_ulong index;
    zend_string *key;
    zval *password;
    ZEND_HASH_FOREACH_KEY_VAL(passwords, index, key, password) {
        size_t at = pairs->count;
        zval *salt = key ? zend_hash_find(salts, key) : zend_hash_index_find(salts, index);
        if (!salt) {
            zend_argument_value_error(
                3, "must have a salt under each key of argument #2 ($passwords)");
            return false;
        }
        if (!note(password, pairs->passwords + at, pairs->password_lens + at, 2)
            || !note(salt, pairs->salts + at, pairs->salt_lens + at, 3)) {
            return false;
        }
        pairs->count++;
    } ZEND_HASH_FOREACH_END();
    return true;
}

/* Adds the keys of `len` bytes to the result, each under its password's key. In hexadecimal they
   have `digits` digits. */
static void add_keys(zval *result, zend_array *passwords, const uint8_t *keys, size_t len,
    size_t digits, bool binary)
{
    zend_ulong index;
    zend_string *key;
    ZEND_HASH_FOREACH_KEY(passwords, index, key) {
        zval value;
        if (binary) {
            ZVAL_STRINGL(&value, (const char *)keys, len);
        } else {
            zend_string *text = zend_string_alloc(2 * len, false);
            hexadecimal(ZSTR_VAL(text), keys, len);
            ZSTR_LEN(text) = digits; /* one less than there are, where they are odd */
            ZSTR_VAL(text)[digits] = 0;
            ZVAL_STR(&value, text);
        }
        if (key) {
            zend_hash_add_new(Z_ARRVAL_P(result), key, &value);
        } else {
            zend_hash_index_add_new(Z_ARRVAL_P(result), index, &value);
        }
        keys += len;
    } ZEND_HASH_FOREACH_END();
}

/* {{{ hashdyno_pbkdf2_many(string $algo, array $passwords, array $salts, int $iterations,
       int $length = 0, bool $binary = false): array
   The key of each password, under the password's key and in its order. */
PHP_FUNCTION(hashdyno_pbkdf2_many)
{
    zend_string *name;
    zend_array *passwords, *salts;
    zend_long iterations, length = 0;
    bool binary = false;
    pairs pairs = {0};

    if (zend_parse_parameters(ZEND_NUM_ARGS(), "Shhl|lb", &name, &passwords, &salts, &iterations,
            &length, &binary)
            == FAILURE
        || !(pairs.algorithm = php_hashdyno_wanted(name))) {
        RETURN_THROWS();
    }
    if (iterations <= 0 || (uint64_t)iterations > UINT32_MAX) {
        zend_argument_value_error(4,
            iterations <= 0 ? "must be greater than 0"
                            : "must be less than or equal to 4294967295");
        RETURN_THROWS();
    }
    if (length < 0) {
        zend_argument_value_error(5, "must be greater than or equal to 0");
        RETURN_THROWS();
    }
    /* As hash_pbkdf2() has it: the length is that of what is returned. */
    size_t digits = length > 0 ? (size_t)length : (binary ? 1 : 2) * pairs.algorithm->output_len;
    size_t len = binary ? digits : digits / 2 + digits % 2;
    size_t count = zend_hash_num_elements(passwords);
    pairs.passwords = safe_emalloc(count, sizeof(void *), 1);
    pairs.salts = safe_emalloc(count, sizeof(void *), 1);
    pairs.password_lens = safe_emalloc(count, sizeof(size_t), 1);
    pairs.salt_lens = safe_emalloc(count, sizeof(size_t), 1);
    if (gather(&pairs, passwords, salts)) {
        uint8_t *keys = safe_emalloc(count, len, 1);
        hashdyno_status status = hashdyno_pbkdf2_many(pairs.algorithm, NULL, pairs.passwords,
            pairs.password_lens, pairs.salts, pairs.salt_lens, count, (uint32_t)iterations, keys,
            count * len);
        if (php_hashdyno_cryptographic(status)) {
            array_init_size(return_value, count);
            add_keys(return_value, passwords, keys, len, digits, binary);
        }
        ZEND_SECURE_ZERO(keys, count * len);
        efree(keys);
    }
    free_pairs(&pairs);
}
/* }}} */
