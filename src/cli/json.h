/*
 * One JSON object, built piece by piece and written once. Every function may be given the NULL of one that failed, so
 * a builder reads straight through; the failure is remembered and comes out of lm_json_write(). Counts past 2^63-1,
 * reals that are not finite, and text that is NULL are null.
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

/* What objects take counts in the budget of this context until the next call; NULL: nowhere. */
void lm_json_count_in(const leman_context *ctx);
lm_json lm_json_new(void);
/* A new object or array under key of parent (an object), or at the end of parent (an array, key NULL). */
json_t *lm_json_object(lm_json *json, json_t *parent, const char *key);
json_t *lm_json_array(lm_json *json, json_t *parent, const char *key);
void lm_json_count(lm_json *json, json_t *parent, const char *key, uint64_t value);
void lm_json_integer(lm_json *json, json_t *parent, const char *key, int64_t value);
void lm_json_real(lm_json *json, json_t *parent, const char *key, double value);
void lm_json_bool(lm_json *json, json_t *parent, const char *key, bool value);
/* Bytes that are not UTF-8 become '?'. */
void lm_json_text(lm_json *json, json_t *parent, const char *key, const char *value);
/* The same, not NUL-terminated. */
void lm_json_bytes(lm_json *json, json_t *parent, const char *key, const char *value, size_t length);
/* 64 bits as 16 hexadecimal digits. */
void lm_json_hex(lm_json *json, json_t *parent, const char *key, uint64_t word);
void lm_json_null(lm_json *json, json_t *parent, const char *key);
/* The object and a newline. */
leman_status lm_json_write(leman_context *ctx, const lm_json *json, lm_output *out);
void lm_json_free(lm_json *json);

#endif
