/*
 * Builds one JSON object, which is written once. If a function fails it returns NULL. Every function accepts such a
 * NULL as `parent`, so callers need no checks; the failure is remembered and returned by lm_json_write(). Counts above
 * 2^63-1, reals that are not finite, and a text of NULL become null.
 *
 *   LM_PUT(json, parent, KEY("fold", fold->fold), KEY("test", fold->test), KEY_IF(has_rounds, "rounds", rounds));
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
 * parent is an array. */
json_t *lm_json_object(lm_json *json, json_t *parent, const char *key);
json_t *lm_json_array(lm_json *json, json_t *parent, const char *key);

/* A key and its value. KEY() makes one from a bool, a number or a text, KEY_TEXT() from text[length] (null if the length
 * is 0), KEY_HEX() from 64 bits, as a string of 16 hexadecimal digits; KEY_IF() makes null if the condition is false.
 * Bytes of a text that are not UTF-8 become '?'. */
typedef struct lm_json_item {
    const char *key;
    json_t *value;
} lm_json_item;
json_t *lm_json_of_bool(bool value);
json_t *lm_json_of_count(uint64_t value);
json_t *lm_json_of_real(double value);
json_t *lm_json_of_text(const char *value);
json_t *lm_json_of_bytes(const char *value, size_t length);
json_t *lm_json_of_hex(uint64_t word);
#ifdef LEMAN_CPPCHECK /* which crashes where _Generic stands among the items of an array */
#define LM_JSON_OF(value) ((void)(value), json_null())
#else
#define LM_JSON_OF(value)                                                                                              \
    _Generic((value), bool                                                                                             \
             : lm_json_of_bool, int                                                                                    \
             : json_integer, long                                                                                \
             : json_integer, long long                                                                           \
             : json_integer, unsigned                                                                            \
             : lm_json_of_count, unsigned long                                                                         \
             : lm_json_of_count, unsigned long long                                                                    \
             : lm_json_of_count, double                                                                                \
             : lm_json_of_real, char *                                                                                 \
             : lm_json_of_text, const char *                                                                           \
             : lm_json_of_text)(value)
#endif
#define KEY(key, value) ((lm_json_item){key, LM_JSON_OF(value)})
#define KEY_IF(condition, key, value) ((lm_json_item){key, (condition) ? LM_JSON_OF(value) : json_null()})
/* A member of a struct, under its own name. */
#define MEMBER(object, name) KEY(#name, (object)->name)
#define KEY_NULL(key) ((lm_json_item){key, json_null()})
#define KEY_TEXT(key, value, length) ((lm_json_item){key, lm_json_of_bytes(value, length)})
#define KEY_HEX(key, word) ((lm_json_item){key, lm_json_of_hex(word)})
/* Adds items to parent: to an object by their keys, to the end of an array with keys of NULL. */
void lm_json_put(lm_json *json, json_t *parent, const lm_json_item *items, size_t count);
#define LM_PUT(json, parent, ...)                                                                                      \
    lm_json_put(json, parent, (const lm_json_item[]){__VA_ARGS__},                                                     \
                sizeof((const lm_json_item[]){__VA_ARGS__}) / sizeof(lm_json_item))
/* Adds an array under a key. Its values are those of an expression for every i below count. */
#define LM_PUT_EACH(json, parent, key, count, expression)                                                              \
    do {                                                                                                               \
        json_t *const list_of_each = lm_json_array(json, parent, key);                                                 \
        for (size_t i = 0; i < (count); i++) LM_PUT(json, list_of_each, KEY(NULL, expression));                        \
    } while (0)
/* Adds an array of objects under a key. For every i below count there is one, whose items may use i and `row`, a pointer
 * to element i of `array`. */
#define LM_PUT_ROWS(json, parent, key, row, array, count, ...)                                                         \
    do {                                                                                                               \
        json_t *const list_of_rows = lm_json_array(json, parent, key);                                                 \
        for (size_t i = 0; i < (count); i++) {                                                                         \
            const __typeof__(*(array)) *const row = (array) + i;                                                       \
            LM_PUT(json, lm_json_object(json, list_of_rows, NULL), __VA_ARGS__);                                       \
        }                                                                                                              \
    } while (0)
/* Writes the object and a newline. Fails if an earlier function failed. */
leman_status lm_json_write(leman_context *ctx, const lm_json *json, lm_output *out);
void lm_json_free(lm_json *json);

#endif
