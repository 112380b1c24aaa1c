/* leman reproduce --json. */
#include "cli/reproduce/reproduce.h"
#include <math.h>
#include <string.h>

/* A published result: a number, or null and its word ("OOM", "<1") beside it. */
static void json_published(lm_json *json, json_t *object, leman_published_value value)
{
    static const char *const WORDS[LEMAN_CELL_STATE_COUNT] = {NULL, NULL, "OOM", "OOT", "<1"};
    lm_json_real(json, object, "published", value.state == LEMAN_CELL_STATE_NUMBER ? value.value : NAN);
    lm_json_real(json, object, "published_std", value.has_deviation ? value.deviation : NAN);
    lm_json_text(json, object, "published_word", WORDS[value.state]);
    lm_json_bool(json, object, "misprint", value.misprint);
}

static void json_cell(lm_json *json, json_t *list, const leman_reproduction *r, leman_paper_quantity quantity,
                      leman_paper_method method, leman_paper_set set)
{
    static const char *const STATES[LEMAN_CELL_STATE_COUNT] = {"open", "done", "oom", "oot", NULL};
    const leman_cell *cell = leman_reproduction_cell(r, quantity, method, set);
    bool done = cell->state == LEMAN_CELL_STATE_NUMBER, accuracy = cell->quantity == LEMAN_PAPER_QUANTITY_TEST;
    double difference = leman_reproduction_difference(r, quantity, method, set);
    json_t *object = lm_json_object(json, list, NULL);
    lm_json_text(json, object, "method", leman_paper_method_name(method));
    lm_json_text(json, object, "set", leman_paper_set_name(set));
    lm_json_text(json, object, "part", leman_paper_quantity_name(quantity));
    lm_json_text(json, object, "state", *leman_reproduction_missing(r, set) && !done ? "missing" : STATES[cell->state]);
    lm_json_real(json, object, "ours", leman_reproduction_value(r, quantity, method, set));
    bool deviates = done && quantity == LEMAN_PAPER_QUANTITY_TEST && cell->repetitions > 1;
    lm_json_real(json, object, "ours_std", deviates ? cell->test_std : NAN);
    lm_json_real(json, object, "ours_std_folds",
                 done && quantity == LEMAN_PAPER_QUANTITY_TEST ? cell->test_std_folds : NAN);
    json_published(json, object, leman_published(quantity, method, set));
    lm_json_real(json, object, "difference", accuracy ? difference : NAN);
    lm_json_real(json, object, "faster", accuracy ? NAN : difference);
    if (done && accuracy)
        lm_json_count(json, object, "repetitions", cell->repetitions);
    else
        lm_json_null(json, object, "repetitions");
    lm_json_real(json, object, "seconds", done ? cell->seconds_features + cell->seconds_svm : NAN);
    lm_json_text(json, object, "note", *cell->note ? cell->note : NULL);
    lm_json_text(json, object, "remark", leman_paper_method_remark(method));
}

static void json_table(lm_json *json, json_t *tables, const leman_reproduction *r, leman_paper_table table_id,
                       const leman_paper_quantity *quantities, size_t count)
{
    json_t *table = lm_json_object(json, tables, NULL);
    lm_json_text(json, table, "table", leman_paper_table_name(table_id));
    json_t *cells = lm_json_array(json, table, "cells");
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        for (size_t q = 0; q < count; q++)
            for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) {
                leman_paper_method method = (leman_paper_method)m;
                bool there = leman_reproduction_has(r, quantities[q], method, (leman_paper_set)s);
                if (quantities[0] == LEMAN_PAPER_QUANTITY_TRAIN) /* methods of which one is published */
                    there &= leman_published(LEMAN_PAPER_QUANTITY_TRAIN, method, LEMAN_PAPER_SET_ENZYMES).state !=
                             LEMAN_CELL_STATE_EMPTY;
                if (there) json_cell(json, cells, r, quantities[q], method, (leman_paper_set)s);
            }
}

/* null where there is no cell, or where cells are of different data. */
static void json_checksum(lm_json *json, json_t *object, const leman_reproduction *r, leman_paper_set set)
{
    bool several;
    uint64_t sum = leman_reproduction_checksum(r, set, &several);
    if (sum && !several)
        lm_json_hex(json, object, "data_checksum", sum);
    else
        lm_json_null(json, object, "data_checksum");
}

leman_status lm_reproduction_json(leman_context *ctx, const leman_reproduction *r,
                                  const lm_reproduction_request *request, lm_output *out)
{
    static const leman_paper_quantity KERNELS[] = {LEMAN_PAPER_QUANTITY_TEST},
                                      OVERFITTING[] = {LEMAN_PAPER_QUANTITY_TRAIN, LEMAN_PAPER_QUANTITY_TEST},
                                      TIMES[] = {LEMAN_PAPER_QUANTITY_SECONDS};
    lm_json json = lm_json_new();
    lm_json_count(&json, json.object, "repetitions", request->repetitions);
    lm_json_count(&json, json.object, "folds", leman_protocol_default().folds);
    lm_json_count(&json, json.object, "seed", request->seed);
    lm_json_text(&json, json.object, "version", leman_version());
    lm_json_count(&json, json.object, "threads", (uint64_t)ctx->settings.threads);
    json_t *sets = lm_json_array(&json, json.object, "sets");
    for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) {
        if (!(request->sets >> s & 1)) continue;
        const char *missing = leman_reproduction_missing(r, (leman_paper_set)s);
        json_t *set = lm_json_object(&json, sets, NULL);
        lm_json_text(&json, set, "name", leman_paper_set_name((leman_paper_set)s));
        lm_json_text(&json, set, "missing", *missing ? missing : NULL);
        json_checksum(&json, set, r, (leman_paper_set)s);
        lm_json_real(&json, set, "baseline", leman_paper_set_majority((leman_paper_set)s));
    }
    json_t *tables = lm_json_array(&json, json.object, "tables");
    if (request->tables >> LEMAN_PAPER_TABLE_KERNELS & 1)
        json_table(&json, tables, r, LEMAN_PAPER_TABLE_KERNELS, KERNELS, 1);
    if (request->tables >> LEMAN_PAPER_TABLE_OVERFITTING & 1)
        json_table(&json, tables, r, LEMAN_PAPER_TABLE_OVERFITTING, OVERFITTING, 2);
    if (request->tables >> LEMAN_PAPER_TABLE_TIMES & 1) json_table(&json, tables, r, LEMAN_PAPER_TABLE_TIMES, TIMES, 1);
    leman_status st = lm_json_write(ctx, &json, out);
    lm_json_free(&json);
    return st;
}
