/*
 * leman reproduce --beside: results that leman evaluate, compare and train wrote as JSON, for the figure of errors
 * against seconds. An object has the name of its data set, and either a method with its scores or a list of methods:
 *
 *   evaluate, compare   {method test_mean test_std seconds_features seconds_svm parameters}
 *   train               {method best.test_error seconds parameters}, of --runs {test_mean test_std runs} too
 */
#include "cli/json.h"
#include "cli/reproduce/reproduce.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct file {
    lm_work *work;
    const char *path, *set;
    leman_network_tables *tables;
} file;

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static leman_status add_method(const file *f, const json_t *object)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = f->work->ctx;
    const char *method = json_string_value(json_object_get(object, "method"));
    const char *learns = json_string_value(json_object_get(object, "learns"));
    const size_t runs = json_array_size(json_object_get(object, "runs"));
    const double parameters = number_of(object, "parameters");
    double value = number_of(object, "test_mean"), deviation = number_of(object, "test_std");
    double seconds = number_of(object, "seconds_features") + number_of(object, "seconds_svm");
    if (isnan(seconds)) seconds = number_of(object, "seconds") / (double)(runs ? runs : 1);
    if (isnan(value)) {
        value = number_of(json_object_get(object, "best"), "test_error");
        if (learns && strcmp(learns, "targets")) value = 100 - value;
    }
    if (!method || isnan(value) || isnan(seconds))
        FAIL(ctx, LEMAN_ERROR_INPUT,
             "%s: found no method with its test score and seconds, expected the JSON of leman evaluate, compare or "
             "train",
             f->path);
    if (leman_network_tables_beside(ctx, f->tables, f->set, method, value, deviation, seconds,
                                    parameters > 0 ? (size_t)parameters : 0)) {
        char why[LM_REASON];
        snprintf(why, sizeof why, "%s", leman_context_message(ctx));
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: %s", f->path, why);
    }
done:
    return st;
}

leman_status lm_reproduce_beside(lm_work *work, const char *path, leman_network_tables *tables)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    static const uint64_t MAX_BYTES = UINT64_C(1) << 28;
    lm_bytes bytes = {0};
    json_error_t error;
    json_t *root = NULL;
    TRY(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    root = json_loadb((const char *)bytes.data, bytes.size, 0, &error);
    if (!root) FAIL(ctx, LEMAN_ERROR_INPUT, "%s:%d: found no JSON: %s", path, error.line, error.text);
    const json_t *methods = json_object_get(root, "methods");
    const file f = {work, path, json_string_value(json_object_get(root, "name")), tables};
    if (!f.set)
        FAIL(ctx, LEMAN_ERROR_INPUT,
             "%s: found no name of a data set, expected the JSON of leman evaluate, compare or train", path);
    if (!methods) TRY(add_method(&f, root));
    for (size_t i = 0; i < json_array_size(methods); i++) TRY(add_method(&f, json_array_get(methods, i)));
done:
    json_decref(root);
    lm_bytes_close(ctx, &bytes);
    return st;
}
