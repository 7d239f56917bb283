#ifndef PHP_HASHDYNO_H
#define PHP_HASHDYNO_H

#include "php.h"
#include "hashdyno.h"

/* The algorithm of that name: any of the library's or PHP's names, with or without the prefix of
   ours. Null: there is none. */
const hashdyno_algorithm *php_hashdyno_find(zend_string *name);

/* The algorithm that a function's first argument names; null, and something is thrown: there is
   none. */
const hashdyno_algorithm *php_hashdyno_wanted(zend_string *name);

/* The key that options name: `seed` and `secret` as PHP's own algorithms take them, `key` of the
   algorithm's own keyed mode, `context` of BLAKE3's derivation. Null: they name none, or something
   was thrown. It is for one call, which gives it back. */
hashdyno_key *php_hashdyno_key(const hashdyno_algorithm *algorithm, const HashTable *options);

/* Takes back a key, or null. */
void php_hashdyno_release(hashdyno_key *key);

/* Frees the key that is kept from one call to the next. */
void php_hashdyno_forget(void);

/* The most bytes that a message under a key needs of a hasher; 0: the algorithm takes none. */
size_t php_hashdyno_size_under_keys(const hashdyno_algorithm *algorithm);

/* Throws unless a status of HMAC is OK: the first argument is to blame. Whether it is OK. */
bool php_hashdyno_cryptographic(hashdyno_status status);

/* Throws what a status says, unless it is OK or something was thrown before. Whether it is OK. */
bool php_hashdyno_ok(hashdyno_status status);

PHP_FUNCTION(hashdyno_many);
PHP_FUNCTION(hashdyno_hmac_many);
PHP_FUNCTION(hashdyno_rows);
PHP_FUNCTION(hashdyno_derive_key);
PHP_FUNCTION(hashdyno_pbkdf2_many);
PHP_FUNCTION(hashdyno_composite);
PHP_FUNCTION(hashdyno_composite_file);
PHP_FUNCTION(hashdyno_info);

#define PHP_HASHDYNO_PREFIX "hashdyno-"

#endif
