/*
 * Builds one JSON object, which is written once. If a function fails it returns NULL. Every function accepts such a
 * NULL as `parent`, so callers need no checks; the failure is remembered and returned by lm_json_write(). Counts above
 * 2^63-1, reals that are not finite, and a text of NULL become null.
 */
#ifndef LM_JSON_H
#define LM_JSON_H

#include "base/context.h"
#include "base/file.h"
#include <jansson.h>

typedef struct lm_json {
    json_t *object;
    bool failed;
} lm_json;

/* Counts the memory of JSON objects in the budget of this context, until the next call. NULL: it is not counted. */
void lm_json_count_in(const leman_context *ctx);
lm_json lm_json_new(void);
/* Creates an object or array and adds it to parent: under key if parent is an object; at the end, with key NULL, if
 * parent is an array. The functions below use parent and key alike. */
json_t *lm_json_object(lm_json *json, json_t *parent, const char *key);
json_t *lm_json_array(lm_json *json, json_t *parent, const char *key);
void lm_json_count(lm_json *json, json_t *parent, const char *key, uint64_t value);
void lm_json_integer(lm_json *json, json_t *parent, const char *key, int64_t value);
void lm_json_real(lm_json *json, json_t *parent, const char *key, double value);
void lm_json_bool(lm_json *json, json_t *parent, const char *key, bool value);
/* Replaces bytes that are not UTF-8 by '?'. */
void lm_json_text(lm_json *json, json_t *parent, const char *key, const char *value);
/* Like lm_json_text(), for text that is not NUL-terminated. */
void lm_json_bytes(lm_json *json, json_t *parent, const char *key, const char *value, size_t length);
/* Adds 64 bits as a string of 16 hexadecimal digits. */
void lm_json_hex(lm_json *json, json_t *parent, const char *key, uint64_t word);
void lm_json_null(lm_json *json, json_t *parent, const char *key);
/* Writes the object and a newline. Fails if an earlier function failed. */
leman_status lm_json_write(leman_context *ctx, const lm_json *json, lm_output *out);
void lm_json_free(lm_json *json);

#endif
