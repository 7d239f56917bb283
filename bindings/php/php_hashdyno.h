#ifndef PHP_HASHDYNO_H
#define PHP_HASHDYNO_H

#include "php.h"
#include "hashdyno.h"

/* The algorithm of that name: any of the library's or PHP's names, with or without the prefix of ours. Null: there is none. */
const hashdyno_algorithm *php_hashdyno_find(zend_string *name);

/* Throws what a status says, unless it is OK or something was thrown before. Whether it is OK. */
bool php_hashdyno_ok(hashdyno_status status);

PHP_FUNCTION(hashdyno_many);
PHP_FUNCTION(hashdyno_rows);
PHP_FUNCTION(hashdyno_composite);
PHP_FUNCTION(hashdyno_composite_file);
PHP_FUNCTION(hashdyno_info);

#define PHP_HASHDYNO_PREFIX "hashdyno-"

#endif
