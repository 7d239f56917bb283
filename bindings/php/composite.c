/* hashdyno_composite() and hashdyno_composite_file(): digests by which clouds and networks name
   files. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "ext/standard/file.h"
#include "php_hashdyno.h"

/* The most bytes of a file that are read at a time: parts of 4 and 8 MiB then fill lanes. They do
   not count for memory_limit. */
enum { ROOM = 64 << 20 };

/* Begins a message; null, and something is thrown: there is no such digest, or its parts have no
   such length. */
static hashdyno_composite *begin(const char *name, zend_long part_size, const char *file,
    const uint64_t *len)
{
    hashdyno_composite *composite = NULL;
    hashdyno_status status = part_size < 0
        ? HASHDYNO_STATUS_WRONG_LENGTH
        : hashdyno_composite_start(&composite, name, (size_t)part_size, file, len);
    if (status == HASHDYNO_STATUS_UNKNOWN_ALGORITHM) {
        zend_argument_value_error(1, "must be a composite digest that hashdyno_info() names");
    } else if (status == HASHDYNO_STATUS_WRONG_LENGTH) {
        zend_argument_value_error(3, "must be 0, or more where the parts may have any length");
    } else {
        php_hashdyno_ok(status);
    }
    return composite;
}

/* The digest as text; frees the message. */
static void end(hashdyno_composite *composite, zval *return_value)
{
    char text[HASHDYNO_COMPOSITE_TEXT_SIZE];
    hashdyno_status status = hashdyno_composite_text(composite, text);
    hashdyno_composite_free(composite);
    if (php_hashdyno_ok(status)) {
        RETVAL_STRING(text);
    }
}

/* {{{ hashdyno_composite(string $algo, string $data, int $part_size = 0,
                          string $filename = ""): string
   The digest as programs write it. */
PHP_FUNCTION(hashdyno_composite)
{
    char *name, *data, *file = "";
    size_t name_len, data_len, file_len;
    zend_long part_size = 0;

    ZEND_PARSE_PARAMETERS_START(2, 4)
        Z_PARAM_PATH(name, name_len)
        Z_PARAM_STRING(data, data_len)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(part_size)
        Z_PARAM_PATH(file, file_len)
    ZEND_PARSE_PARAMETERS_END();

    uint64_t len = data_len;
    hashdyno_composite *composite = begin(name, part_size, file, &len);
    if (!composite) {
        RETURN_THROWS();
    }
    php_hashdyno_ok(hashdyno_composite_update(composite, data, data_len));
    end(composite, return_value);
}
/* }}} */

/* Takes a stream to its end, or until it has more than `len` bytes, by way of `bytes`, and counts
   them; false if it cannot be read. */
static bool take_by(char *bytes, size_t room, hashdyno_composite *composite, php_stream *stream,
    uint64_t len, uint64_t *taken)
{
    ssize_t read = 0;
    *taken = 0;
    do {
        size_t filled = 0;
        while (filled < room
            && (read = php_stream_read(stream, bytes + filled, room - filled)) > 0) {
            filled += (size_t)read;
        }
        php_hashdyno_ok(hashdyno_composite_update(composite, bytes, filled));
        *taken += filled;
    } while (read > 0 && *taken <= len && !EG(exception));
    return read >= 0;
}

/* The same. Where a stream's own code ends the script, PHP never comes back to the caller: then
   the message is freed here. */
static bool take(hashdyno_composite *composite, php_stream *stream, uint64_t len, uint64_t *taken)
{
    const size_t room = len < ROOM ? (size_t)len : ROOM;
    char *const bytes = pemalloc(room, true);
    volatile bool readable = false;
    zend_try {
        readable = take_by(bytes, room, composite, stream, len, taken);
    } zend_catch {
        pefree(bytes, true);
        hashdyno_composite_free(composite);
        zend_bailout();
    } zend_end_try();
    pefree(bytes, true);
    return readable;
}

/* {{{ hashdyno_composite_file(string $algo, string $filename, int $part_size = 0): string|false
   The same of a file, or whatever PHP's streams read. */
PHP_FUNCTION(hashdyno_composite_file)
{
    char *name, *file;
    size_t name_len, file_len;
    zend_long part_size = 0;

    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_PATH(name, name_len)
        Z_PARAM_PATH(file, file_len)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(part_size)
    ZEND_PARSE_PARAMETERS_END();

    php_stream *stream = php_stream_open_wrapper_ex(file, "rb", REPORT_ERRORS, NULL,
        FG(default_context));
    if (!stream) {
        RETURN_FALSE;
    }
    php_stream_statbuf stat;
    /* Of php://stdin, others may have read the beginning. */
    zend_off_t at = php_stream_tell(stream);
    /* Filters make other bytes of those that the file has. */
    bool known = !stream->readfilters.head && php_stream_stat(stream, &stat) == 0
        && S_ISREG(stat.sb.st_mode) && at >= 0 && stat.sb.st_size > at;
    uint64_t len = known ? (uint64_t)(stat.sb.st_size - at) : UINT64_MAX, taken = 0;
    hashdyno_composite *composite = begin(name, part_size, file, known ? &len : NULL);
    bool readable = composite && take(composite, stream, len, &taken);
    if (readable && known && taken != len && !EG(exception)) {
        /* As of files of /sys, and what is compressed. */
        hashdyno_composite_free(composite);
        composite = NULL;
        readable = php_stream_seek(stream, at, SEEK_SET) == 0;
        if (readable) {
            composite = begin(name, part_size, file, NULL);
            readable = composite && take(composite, stream, UINT64_MAX, &taken);
        } else if (!EG(exception)) {
            php_error_docref(NULL, E_WARNING,
                "%s has not the length that it tells, and cannot be read again", file);
        }
    }
    php_stream_close(stream);
    if (!readable) {
        hashdyno_composite_free(composite);
        RETURN_FALSE;
    }
    end(composite, return_value);
}
/* }}} */
