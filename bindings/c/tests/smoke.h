/* What smoke.c and keys.c share. */
#ifndef SMOKE_H
#define SMOKE_H

#include <stdio.h>
#include <string.h>

#include "hashdyno.h"

enum { PATTERN = 5000 };

extern uint8_t pattern[PATTERN];
extern int failures;

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__, "")
#define CHECK_FOR(condition, algorithm) \
    check((condition), #condition, __FILE__, __LINE__, (algorithm)->name)
#define IS(call, expected) is((call), HASHDYNO_STATUS_##expected, #call, __FILE__, __LINE__)

void check(bool holds, const char *what, const char *file, int line, const char *whom);
void is(hashdyno_status got, hashdyno_status expected, const char *call, const char *file,
        int line);
bool is_hex_of(const char *hex, const uint8_t *bytes, size_t len);

void keys(void);

#endif
