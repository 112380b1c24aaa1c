/* leman reproduce --json. */
#include "cli/reproduce/reproduction.h"
#include <math.h>
#include <string.h>

static const char *const STATES[LM_CELL_STATES] = {"open", "done", "oom", "oot"};

/* A published figure: a number, or null and its word ("OOM", "<1") beside it. */
static void json_published(lm_json *json, json_t *object, lm_figure figure)
{
    static const char *const WORDS[] = {NULL, NULL, "<1", "OOM", "OOT"};
    lm_json_real(json, object, "published", figure.kind == LM_FIGURE_NUMBER ? figure.value : NAN);
    lm_json_real(json, object, "published_std", figure.spread_known ? figure.spread : NAN);
    lm_json_text(json, object, "published_word", WORDS[figure.kind]);
    lm_json_bool(json, object, "misprint", figure.misprint);
}

static void json_cell(lm_json *json, json_t *list, const lm_reproduction *r, lm_paper_part part, lm_paper_method method,
                      lm_paper_set set)
{
    static const char *const PARTS[] = {"test", "train", "seconds", "ratio"};
    const lm_cell *cell = lm_reproduction_cell(r, part, method, set);
    bool done = cell->state == LM_CELL_DONE, accuracy = cell->measure == LM_MEASURE_ACCURACY;
    double difference = lm_reproduction_difference(r, part, method, set);
    json_t *object = lm_json_object(json, list, NULL);
    lm_json_text(json, object, "method", lm_paper_method_name(method));
    lm_json_text(json, object, "set", lm_paper_set_name(set));
    lm_json_text(json, object, "part", PARTS[part]);
    lm_json_text(json, object, "state", *r->missing[set] && !done ? "missing" : STATES[cell->state]);
    lm_json_real(json, object, "ours", lm_reproduction_value(r, part, method, set));
    lm_json_real(json, object, "ours_std", done && part == LM_PAPER_TEST ? cell->test_std : NAN);
    lm_json_real(json, object, "ours_std_folds", done && part == LM_PAPER_TEST ? cell->test_std_folds : NAN);
    json_published(json, object, lm_published(part, method, set));
    lm_json_real(json, object, "difference", accuracy ? difference : NAN);
    lm_json_real(json, object, "faster", accuracy ? NAN : difference);
    if (done && accuracy)
        lm_json_count(json, object, "repetitions", cell->repetitions);
    else
        lm_json_null(json, object, "repetitions");
    lm_json_real(json, object, "seconds", done ? cell->seconds_features + cell->seconds_svm : NAN);
    lm_json_text(json, object, "note", *cell->note ? cell->note : NULL);
    lm_json_text(json, object, "remark", lm_reproduction_remark(method));
}

static void json_table(lm_json *json, json_t *tables, const lm_reproduction *r, const char *name,
                       const lm_paper_part *parts, size_t count)
{
    json_t *table = lm_json_object(json, tables, NULL);
    lm_json_text(json, table, "table", name);
    json_t *cells = lm_json_array(json, table, "cells");
    for (unsigned m = 0; m < LM_PAPER_METHODS; m++)
        for (size_t p = 0; p < count; p++)
            for (unsigned s = 0; s < LM_PAPER_SETS; s++) {
                lm_paper_method method = (lm_paper_method)m;
                bool there = r->sets >> s & 1 && r->methods >> m & 1;
                if (parts[0] == LM_PAPER_TRAIN)
                    there &= lm_published(LM_PAPER_TRAIN, method, LM_PAPER_ENZYMES).kind != LM_FIGURE_NONE;
                if (there) json_cell(json, cells, r, parts[p], method, (lm_paper_set)s);
            }
}

/* null where there is no cell, or where cells are of different data. */
static void json_checksum(lm_json *json, json_t *object, const lm_reproduction *r, lm_paper_set set)
{
    bool several;
    uint64_t sum = lm_reproduction_data(r, set, &several);
    if (sum && !several)
        lm_json_hex(json, object, "data_checksum", sum);
    else
        lm_json_null(json, object, "data_checksum");
}

leman_status lm_reproduction_json(leman_context *ctx, const lm_reproduction *r, lm_output *out)
{
    static const lm_paper_part KERNELS[] = {LM_PAPER_TEST}, OVERFITTING[] = {LM_PAPER_TRAIN, LM_PAPER_TEST},
                               TIMES[] = {LM_PAPER_SECONDS};
    lm_json json = lm_json_new();
    lm_json_count(&json, json.object, "repetitions", r->repetitions);
    lm_json_count(&json, json.object, "folds", leman_protocol_default().folds);
    lm_json_count(&json, json.object, "seed", r->seed);
    lm_json_text(&json, json.object, "version", leman_version());
    lm_json_count(&json, json.object, "threads", (uint64_t)r->threads);
    json_t *sets = lm_json_array(&json, json.object, "sets");
    for (unsigned s = 0; s < LM_PAPER_SETS; s++) {
        if (!(r->sets >> s & 1)) continue;
        json_t *set = lm_json_object(&json, sets, NULL);
        lm_json_text(&json, set, "name", lm_paper_set_name((lm_paper_set)s));
        lm_json_text(&json, set, "missing", *r->missing[s] ? r->missing[s] : NULL);
        json_checksum(&json, set, r, (lm_paper_set)s);
    }
    json_t *tables = lm_json_array(&json, json.object, "tables");
    if (r->tables & LM_TABLE_KERNELS) json_table(&json, tables, r, "kernels", KERNELS, 1);
    if (r->tables & LM_TABLE_OVERFITTING) json_table(&json, tables, r, "overfitting", OVERFITTING, 2);
    if (r->tables & LM_TABLE_TIMES) json_table(&json, tables, r, "times", TIMES, 1);
    leman_status st = lm_json_write(ctx, &json, out);
    lm_json_free(&json);
    return st;
}
