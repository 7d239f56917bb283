/* What hashdyno.stub.php declares, for the engine. */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_many, 0, 2, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, messages, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_hmac_many, 0, 3, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, messages, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_rows, 0, 3, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, rows, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, width, IS_LONG, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_derive_key, 0, 3, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, context, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, length, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_pbkdf2_many, 0, 4, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, passwords, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO(0, salts, IS_ARRAY, 0)
    ZEND_ARG_TYPE_INFO(0, iterations, IS_LONG, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, length, IS_LONG, 0, "0")
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_composite, 0, 2, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, part_size, IS_LONG, 0, "0")
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, filename, IS_STRING, 0, "\"\"")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_hashdyno_composite_file, 0, 2,
    MAY_BE_STRING | MAY_BE_FALSE)
    ZEND_ARG_TYPE_INFO(0, algo, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO(0, filename, IS_STRING, 0)
    ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, part_size, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_hashdyno_info, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

static const zend_function_entry functions[] = {
    PHP_FE(hashdyno_many, arginfo_hashdyno_many)
    PHP_FE(hashdyno_hmac_many, arginfo_hashdyno_hmac_many)
    PHP_FE(hashdyno_rows, arginfo_hashdyno_rows)
    PHP_FE(hashdyno_derive_key, arginfo_hashdyno_derive_key)
    PHP_FE(hashdyno_pbkdf2_many, arginfo_hashdyno_pbkdf2_many)
    PHP_FE(hashdyno_composite, arginfo_hashdyno_composite)
    PHP_FE(hashdyno_composite_file, arginfo_hashdyno_composite_file)
    PHP_FE(hashdyno_info, arginfo_hashdyno_info)
    PHP_FE_END
};
