/* JSON by jansson, with one place that remembers failures. */
#include "cli/json.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Adds value to parent, which then owns it. Returns value, or NULL after a failure. value and parent may be NULL. */
static json_t *put(lm_json *json, json_t *parent, const char *key, json_t *value)
{
    int failed = key ? json_object_set_new(parent, key, value) : json_array_append_new(parent, value);
    if (!failed) return value;
    json->failed = true;
    return NULL;
}

/* ---- Memory: jansson uses malloc and has no context ------------------------------------------ */

#ifdef __GLIBC__
static lm_meter *counting; /* meter of the running command */

static void *counted_malloc(size_t size)
{
    void *pointer = malloc(size);
    if (!pointer || !counting || lm_meter_take(counting, malloc_usable_size(pointer))) return pointer;
    free(pointer);
    return NULL;
}

static void counted_free(void *pointer)
{
    if (pointer && counting) lm_meter_give(counting, malloc_usable_size(pointer));
    free(pointer);
}
#endif

void lm_json_count_in(const leman_context *ctx)
{
#ifdef __GLIBC__
    counting = ctx ? ctx->meter : NULL;
    json_set_alloc_funcs(counted_malloc, counted_free);
#else
    (void)ctx;
#endif
}

/* ---- Building and writing -------------------------------------------------------------------- */

lm_json lm_json_new(void)
{
    json_t *object = json_object();
    return (lm_json){object, !object};
}

json_t *lm_json_object(lm_json *json, json_t *parent, const char *key)
{
    return put(json, parent, key, json_object());
}

json_t *lm_json_array(lm_json *json, json_t *parent, const char *key)
{
    return put(json, parent, key, json_array());
}

json_t *lm_json_of_bool(bool value)
{
    return json_boolean(value);
}

json_t *lm_json_of_count(uint64_t value)
{
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_null();
}

json_t *lm_json_of_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *lm_json_of_text(const char *value)
{
    if (!value) return json_null();
    return *value ? lm_json_of_bytes(value, strlen(value)) : json_string("");
}

json_t *lm_json_of_bytes(const char *value, size_t length)
{
    if (!length) return json_null();
    char *clean = strndup(value, length);
    if (clean) lm_text_clean(clean, '?');
    json_t *text = clean ? json_string(clean) : NULL;
    free(clean);
    return text;
}

json_t *lm_json_of_hex(uint64_t word)
{
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)word);
    return json_string(text);
}

void lm_json_put(lm_json *json, json_t *parent, const lm_json_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) put(json, parent, items[i].key, items[i].value);
}

static int append(const char *bytes, size_t size, void *out)
{
    return lm_output_write(out, bytes, size) ? -1 : 0;
}

leman_status lm_json_write(leman_context *ctx, const lm_json *json, lm_output *out)
{
    char budget[LM_BUDGET_TEXT];
    if (json->failed && ctx->budget)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                       "the JSON object needs more memory than there is, the memory budget is %s",
                       lm_budget_text(ctx, lm_budget(ctx), budget));
    if (json->failed) return lm_fail(ctx, LEMAN_ERROR_MEMORY, "out of memory: the JSON object could not be built");
    if (json_dump_callback(json->object, append, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17))) {
        if (out->error) return lm_output_write(out, "", 0); /* the earlier message names the file */
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "out of memory: the JSON object could not be written");
    }
    return lm_output_write(out, "\n", 1);
}

void lm_json_free(lm_json *json)
{
    json_decref(json->object);
    json->object = NULL;
}
