/* leman reproduce --table zinc,…: the tables of networks, one data set after the other; their JSON. */
#include "cli/options/choices.h"
#include "cli/page.h"
#include "cli/reproduce/reproduce.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct all_tables {
    lm_work *work;
    const lm_reproduce_options *asked;
    leman_network_tables *r;
    bool found;            /* some data set */
    char first[LM_REASON]; /* why the first that is missing is */
    bool missing[LM_SETS]; /* of lm_choices_sets */
} all_tables;

/* ---- What was asked for ---------------------------------------------------------------------- */

/* Names with commas between them; NULL where there are none. lm_free(). */
static leman_status join(leman_context *ctx, const char *const *name, size_t count, char **out)
{
    leman_status st = LEMAN_OK;
    size_t length = 1;
    char *joined = NULL;
    *out = NULL;
    if (!count) goto done;
    for (size_t i = 0; i < count; i++) length += strlen(name[i]) + 1;
    NEW(ctx, joined, length);
    *joined = 0;
    for (size_t i = 0; i < count; i++) strcat(strcat(joined, i ? "," : ""), name[i]);
    *out = joined;
done:
    return st;
}

static leman_status sets_of(leman_context *ctx, uint64_t bits, char **out)
{
    const char *name[LM_SETS];
    size_t count = 0;
    for (size_t i = 0; i < LM_SETS; i++)
        if (bits >> i & 1) name[count++] = lm_choices_sets[i];
    return join(ctx, name, count, out);
}

static bool asks_for(const all_tables *all, leman_network_table table, size_t column)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    for (size_t row = 0; row < shape->rows; row++)
        if (leman_network_tables_has(all->r, table, row, column)) return true;
    return false;
}

/* Does some table ask for the set? */
static bool wants(const all_tables *all, const char *set)
{
    for (int t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        for (size_t c = 0; c < shape->columns; c++)
            if (!strcmp(shape->set[c], set) && asks_for(all, (leman_network_table)t, c)) return true;
    }
    return false;
}

/* ---- The cells ------------------------------------------------------------------------------- */

static void print_cell(const all_tables *all, leman_network_table table, size_t row, size_t column)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    const leman_network_cell c = leman_network_tables_cell(all->r, table, row, column);
    const size_t shown = c.value[0] == c.value[0] ? 0 : 1; /* a ratio is known when all rows are there */
    char time[LM_NUMBER_TEXT];
    if (c.runs)
        lm_work_log(all->work, "%s, %s, %s: %s %.4g, %zu run%s of %s", leman_network_table_name(table),
                    shape->set[column], shape->method[row], shape->quantity[shown], c.value[shown], c.runs,
                    lm_plural(c.runs), lm_seconds_text(c.seconds, time));
    if (*c.note)
        lm_work_log(all->work, "%s, %s, %s: %s", leman_network_table_name(table), shape->set[column],
                    shape->method[row], c.note);
}

static leman_status run_cells(const all_tables *all, const char *set, const leman_dataset *data, const char *path)
{
    leman_status st = LEMAN_OK;
    for (int i = 0; i < LEMAN_NETWORK_TABLE_COUNT; i++) {
        const leman_network_table table = (leman_network_table)i;
        const leman_network_table_shape *shape = leman_network_table_describe(table);
        for (size_t row = 0; row < shape->rows; row++)
            for (size_t column = 0; column < shape->columns; column++) {
                if (strcmp(shape->set[column], set) || !leman_network_tables_has(all->r, table, row, column)) continue;
                TRY(leman_network_tables_run(all->work->ctx, all->r, table, row, column, data, path, NULL));
                print_cell(all, table, row, column);
            }
    }
done:
    return st;
}

/* All sets that are in one file. */
static leman_status run_file(all_tables *all, const char *file)
{
    leman_status st = LEMAN_OK;
    lm_work *work = all->work;
    leman_dataset *data = NULL;
    char path[4096], why[LM_REASON] = "";
    const bool positions = !strcmp(file, "QM9");
    TRY(lm_reproduce_locate(work, all->asked, file, positions, path, sizeof path, why));
    if (*path) {
        work->without_vertex_attributes = !positions;
        TRY(lm_work_read(work, path, NULL, &data));
        all->found = true;
    } else if (!*all->first) {
        snprintf(all->first, sizeof all->first, "%s", why);
    }
    for (size_t i = 0; i < LM_SETS && lm_choices_sets[i]; i++) {
        const char *set = lm_choices_sets[i], *own = leman_network_set_file(set);
        if (!own || strcmp(own, file) || !wants(all, set)) continue;
        all->missing[i] = !data;
        TRY(leman_network_tables_set_missing(work->ctx, all->r, set, why));
        if (!data) lm_work_log(work, "%s: %s", set, why);
        if (data) TRY(run_cells(all, set, data, path));
    }
done:
    leman_dataset_free(data);
    return st;
}

/* Where every cell failed, the first says why; what the time limit stopped is no failure. */
static leman_status check_cells(const all_tables *all)
{
    leman_status first = LEMAN_OK;
    char why[LM_REASON] = "";
    size_t failed = 0;
    for (int t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table table = (leman_network_table)t;
        const leman_network_table_shape *shape = leman_network_table_describe(table);
        for (size_t row = 0; row < shape->rows; row++)
            for (size_t column = 0; column < shape->columns; column++) {
                const leman_status st = leman_network_tables_status(all->r, table, row, column);
                if (!leman_network_tables_has(all->r, table, row, column)) continue;
                const leman_network_cell cell = leman_network_tables_cell(all->r, table, row, column);
                if (cell.runs || st == LEMAN_ERROR_CANCELLED) return LEMAN_OK;
                if (st && !failed++) {
                    first = st;
                    snprintf(why, sizeof why, "%s, %s, %s: %s", leman_network_table_name(table), shape->set[column],
                             shape->method[row], cell.note);
                }
            }
    }
    if (!failed) return LEMAN_OK;
    return lm_fail(all->work->ctx, first, "%s%s", why, failed > 1 ? "; nor could any other cell be computed" : "");
}

/* Every file once, in the order of the sets. */
static leman_status run_files(all_tables *all)
{
    leman_status st = LEMAN_OK;
    const char *done_files[LM_SETS];
    size_t count = 0;
    for (size_t i = 0; i < LM_SETS && lm_choices_sets[i]; i++) {
        const char *file = leman_network_set_file(lm_choices_sets[i]);
        bool before = false;
        if (!file || !wants(all, lm_choices_sets[i])) continue;
        for (size_t j = 0; j < count; j++) before |= !strcmp(done_files[j], file);
        if (before) continue;
        done_files[count++] = file;
        TRY(run_file(all, file));
    }
    if (!all->found)
        FAIL(all->work->ctx, LEMAN_ERROR_FILE, "%s%s", all->first,
             count > 1 ? "; nor is any other data set there that was asked for" : "");
    TRY(check_cells(all));
done:
    return st;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_cell(lm_json *json, json_t *list, const all_tables *all, leman_network_table table, size_t quantity,
                      size_t row, size_t column)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    const leman_network_cell c = leman_network_tables_cell(all->r, table, row, column);
    const leman_published_value v = leman_network_published(table, quantity, row, column);
    const bool has = v.state == LEMAN_CELL_STATE_NUMBER;
    bool missing = false;
    for (size_t i = 0; i < LM_SETS && lm_choices_sets[i]; i++)
        if (!strcmp(lm_choices_sets[i], shape->set[column])) missing = all->missing[i];
    json_t *object = lm_json_object(json, list, NULL);
    lm_json_text(json, object, "method", shape->method[row]);
    lm_json_text(json, object, "set", shape->set[column]);
    lm_json_text(json, object, "part", shape->quantity[quantity]);
    lm_json_text(json, object, "state", c.runs ? "done" : missing ? "missing" : "not run");
    lm_json_real(json, object, "ours", c.value[quantity]);
    lm_json_real(json, object, "ours_std", c.deviation[quantity]);
    lm_json_real(json, object, "published", has ? v.value : NAN);
    lm_json_real(json, object, "published_std", has && v.has_deviation ? v.deviation : NAN);
    lm_json_real(json, object, "difference", c.difference[quantity]);
    lm_json_count(json, object, "runs", c.runs);
    lm_json_real(json, object, "epochs", c.runs ? c.epochs : NAN);
    lm_json_real(json, object, "seconds", c.runs ? c.seconds : NAN);
    if (c.parameters)
        lm_json_count(json, object, "parameters", c.parameters);
    else
        lm_json_null(json, object, "parameters");
    lm_json_text(json, object, "note", *c.note ? c.note : NULL);
}

static void json_table(lm_json *json, json_t *tables, const all_tables *all, leman_network_table table)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    json_t *object = lm_json_object(json, tables, NULL);
    lm_json_text(json, object, "table", leman_network_table_name(table));
    json_t *cells = lm_json_array(json, object, "cells");
    for (size_t row = 0; row < shape->rows; row++)
        for (size_t q = 0; q < shape->quantities; q++)
            for (size_t column = 0; column < shape->columns; column++)
                if (leman_network_tables_has(all->r, table, row, column))
                    json_cell(json, cells, all, table, q, row, column);
}

static leman_status write_json(const all_tables *all, uint64_t tables, size_t runs)
{
    leman_context *ctx = all->work->ctx;
    lm_json json = lm_json_new();
    lm_json_count(&json, json.object, "runs", runs);
    lm_json_count(&json, json.object, "seed", all->work->options->seed);
    lm_json_text(&json, json.object, "version", leman_version());
    lm_json_count(&json, json.object, "threads", (uint64_t)ctx->settings.threads);
    lm_json_text(&json, json.object, "device", ctx->settings.device);
    json_t *sets = lm_json_array(&json, json.object, "sets");
    for (size_t i = 0; i < LM_SETS && lm_choices_sets[i]; i++) {
        if (!wants(all, lm_choices_sets[i])) continue;
        json_t *set = lm_json_object(&json, sets, NULL);
        lm_json_text(&json, set, "name", lm_choices_sets[i]);
        lm_json_bool(&json, set, "missing", all->missing[i]);
        const uint64_t sum = leman_network_tables_checksum(all->r, lm_choices_sets[i], NULL);
        if (sum)
            lm_json_hex(&json, set, "data_checksum", sum);
        else
            lm_json_null(&json, set, "data_checksum");
    }
    json_t *list = lm_json_array(&json, json.object, "tables");
    for (int t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++)
        if (tables >> t & 1) json_table(&json, list, all, (leman_network_table)t);
    leman_status st = lm_output_open(ctx, "-", &all->work->out); /* --output is where the page went */
    if (!st) st = lm_json_write(ctx, &json, &all->work->out);
    lm_json_free(&json);
    return st;
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status write_tables(leman_context *ctx, const void *tables, const char *command, const char *path)
{
    return leman_network_tables_write(ctx, tables, command, path);
}

leman_status lm_reproduce_networks(lm_work *work, const lm_reproduce_options *asked, uint64_t tables)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_network_tables_options wanted = leman_network_tables_options_default();
    all_tables all = {.work = work, .asked = asked};
    const char *path = asked->common.output;
    char *methods = NULL, *sets = NULL;
    TRY(join(ctx, asked->methods.text.items, asked->methods.text.count, &methods));
    TRY(sets_of(ctx, asked->sets, &sets));
    wanted.tables = tables;
    wanted.methods = methods;
    wanted.sets = sets;
    if (asked->runs) wanted.runs = (size_t)asked->runs;
    wanted.epochs = (size_t)asked->epochs;
    wanted.time_limit = asked->limit;
    wanted.cells = asked->resume;
    wanted.finished_only = asked->finished;
    wanted.others = asked->merge.text.items;
    wanted.others_count = asked->merge.text.count;
    TRY(leman_network_tables_new(ctx, &wanted, &all.r));
    for (size_t i = 0; i < asked->beside.text.count; i++)
        TRY(lm_reproduce_beside(work, ((const char *const *)asked->beside.text.items)[i], all.r));
    if (!asked->finished) TRY(run_files(&all));
    if (path || !work->options->json) TRY(lm_reproduce_page(work, write_tables, all.r, path));
    if (work->options->json) TRY(write_json(&all, tables, wanted.runs));
done:
    leman_network_tables_free(all.r);
    lm_free(ctx, methods);
    lm_free(ctx, sets);
    return st;
}
