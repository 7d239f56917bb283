/* Digests in hexadecimal: as many messages are short, this counts. */
#ifndef PHP_HASHDYNO_HEXADECIMAL_H
#define PHP_HASHDYNO_HEXADECIMAL_H

#include "php.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef WORDS_BIGENDIAN
#define LITTLE_ENDIAN_32(x) __builtin_bswap32(x)
#define LITTLE_ENDIAN_64(x) __builtin_bswap64(x)
#else
#define LITTLE_ENDIAN_32(x) (x)
#define LITTLE_ENDIAN_64(x) (x)
#endif

/* Four bytes in hexadecimal: nibbles side by side in one word, each then made a digit. */
static zend_always_inline char *four(char *end, const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    uint64_t x = LITTLE_ENDIAN_32(word);
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x >> 4 | x << 8) & 0x0f0f0f0f0f0f0f0f;
    x += 0x3030303030303030
        + ((x + 0x0606060606060606) >> 4 & 0x0101010101010101) * ('a' - '0' - 10);
    x = LITTLE_ENDIAN_64(x);
    memcpy(end, &x, sizeof x);
    return end + sizeof x;
}

#ifdef __SSE2__
/* The digits of sixteen nibbles. */
static zend_always_inline __m128i digits(__m128i nibbles)
{
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(nibbles, _mm_set1_epi8(9)),
        _mm_set1_epi8('a' - '0' - 10));
    return _mm_add_epi8(_mm_add_epi8(nibbles, _mm_set1_epi8('0')), letters);
}

/* Sixteen bytes in hexadecimal, in vectors that every x86-64 has. */
static zend_always_inline char *sixteen(char *end, const uint8_t *bytes)
{
    __m128i low_nibbles = _mm_set1_epi8(15), x = _mm_loadu_si128((const __m128i *)bytes);
    __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), low_nibbles),
        low = _mm_and_si128(x, low_nibbles);
    _mm_storeu_si128((__m128i *)end, digits(_mm_unpacklo_epi8(high, low)));
    _mm_storeu_si128((__m128i *)(end + 16), digits(_mm_unpackhi_epi8(high, low)));
    return end + 32;
}
#endif

/* A digest in hexadecimal. */
static zend_always_inline char *hexadecimal(char *end, const uint8_t *bytes, size_t len)
{
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
    return end;
}

#endif
