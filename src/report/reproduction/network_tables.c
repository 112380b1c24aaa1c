/*
 * The tables of networks computed again, run by run: taken from the file of finished runs, or computed and added to it.
 * A run that is beyond the time limit keeps its state beside that file, and the next call goes on with it. What cannot
 * be computed (a network that this version does not have, a list of parts that is missing) is a note of its cell.
 */
#include "report/reproduction/network_tables.h"
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/text.h"
#include "report/reproduction/time_limit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TIMES_EPOCHS = 3, NAME = 64 };

void leman_network_tables_options_init(leman_network_tables_options *options, size_t size)
{
    const leman_network_tables_options defaults = {.runs = 5};
    lm_options_init(options, size, &defaults, sizeof defaults);
}

/* ---- Which cells ----------------------------------------------------------------------------- */

/* The next name of a list with commas into name[NAME]; false behind the last. */
static bool next_name(const char **list, char name[NAME])
{
    if (!*list) return false;
    const size_t length = strcspn(*list, ",");
    snprintf(name, NAME, "%.*s", (int)length, *list);
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return true;
}

/* Is it the method of the row, under any of its names? */
static bool is_method(leman_context *ctx, leman_network_table table, size_t row, const char *name)
{
    const char *own = leman_network_table_describe(table)->method[row], *known = lm_network_method_known(table, row);
    char a[NAME], b[NAME];
    if (lm_is_word(name, strlen(name), own) || lm_is_word(name, strlen(name), known)) return true;
    if (lm_network_method_is_kernel(table, row)) {
        leman_kernel x = leman_kernel_default(), y = x;
        x.k = 0; /* a name without k is none of the paper's */
        if (leman_kernel_parse(ctx, name, &x) || leman_kernel_parse(ctx, known, &y)) return false;
        leman_kernels_paper_name(&x, 1, a, sizeof a);
        leman_kernels_paper_name(&y, 1, b, sizeof b);
    } else {
        leman_architecture x = leman_architecture_default(), y = x;
        if (leman_architecture_parse(ctx, name, &x) || leman_architecture_parse(ctx, known, &y)) return false;
        leman_architecture_paper_name(&x, a, sizeof a);
        leman_architecture_paper_name(&y, b, sizeof b);
    }
    return !strcmp(a, b);
}

static bool is_set(leman_context *ctx, leman_network_table table, size_t column, const char *name)
{
    (void)ctx;
    return lm_is_word(name, strlen(name), leman_network_table_describe(table)->set[column]);
}

typedef bool is_named(leman_context *ctx, leman_network_table table, size_t i, const char *name);

/* Bits of the rows or columns of all tables that a list names; NULL: all. */
static leman_status choose(leman_context *ctx, uint64_t tables, const char *list, bool rows, is_named *is,
                           uint64_t chosen[LEMAN_NETWORK_TABLE_COUNT])
{
    leman_status st = LEMAN_OK;
    char name[NAME];
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) chosen[t] = list ? 0 : UINT64_MAX;
    while (next_name(&list, name)) {
        bool found = false;
        for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
            const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
            for (size_t i = 0; tables >> t & 1 && i < (rows ? shape->rows : shape->columns); i++) {
                if (!is(ctx, (leman_network_table)t, i, name)) continue;
                chosen[t] |= UINT64_C(1) << i;
                found = true;
            }
        }
        if (!found)
            FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found '%s', which is no %s of the tables that were asked for", name,
                 rows ? "method" : "data set");
    }
done:
    return st;
}

static leman_status choose_cells(leman_context *ctx, const leman_network_tables_options *o, leman_network_tables *r)
{
    leman_status st = LEMAN_OK;
    uint64_t rows[LEMAN_NETWORK_TABLE_COUNT], columns[LEMAN_NETWORK_TABLE_COUNT];
    TRY(choose(ctx, r->tables, o->methods, true, is_method, rows));
    TRY(choose(ctx, r->tables, o->sets, false, is_set, columns));
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        for (size_t row = 0; row < shape->rows; row++)
            for (size_t column = 0; column < shape->columns; column++)
                r->cell[t][row][column].asked = r->tables >> t & rows[t] >> row & columns[t] >> column & 1;
    }
done:
    return st;
}

size_t lm_network_tables_limit(const leman_network_tables *r, leman_network_table table, size_t row, size_t column)
{
    if (lm_network_method_is_kernel(table, row)) return 0;
    if (r->epochs) return r->epochs;
    return table == LEMAN_NETWORK_TABLE_TIMES ? TIMES_EPOCHS : lm_network_set_of(table, column)->epochs;
}

/* ---- The object ------------------------------------------------------------------------------ */

static leman_status check_options(leman_context *ctx, const leman_network_tables_options *o)
{
    if (o->tables >> LEMAN_NETWORK_TABLE_COUNT)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "leman_network_tables_options: found a bit beyond the %d tables",
                       LEMAN_NETWORK_TABLE_COUNT);
    if (!o->runs) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found 0 runs, expected at least 1");
    if (!(o->time_limit >= 0))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found a time limit of %g seconds, expected 0 or more",
                       o->time_limit);
    if (o->others_count && !o->others)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "others: found NULL, expected %zu path%s", o->others_count,
                       lm_plural(o->others_count));
    for (size_t i = 0; i < o->others_count; i++)
        if (!o->others[i]) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "others[%zu]: found NULL, expected a path", i);
    if (o->finished_only && !o->cells && !o->others_count)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "finished runs without a file of them, expected its path");
    return LEMAN_OK;
}

/* The files of finished runs: the lines of the first one are the last word. */
static leman_status read_finished(leman_context *ctx, const leman_network_tables_options *o, leman_network_tables *r)
{
    leman_status st = LEMAN_OK;
    size_t size = o->cells ? strlen(o->cells) + 1 : 0;
    for (size_t i = 0; i < o->others_count; i++) size += strlen(o->others[i]) + 2;
    if (!size) goto done;
    NEW(ctx, r->sources, size);
    *r->sources = 0;
    if (o->cells) strcpy(r->sources, o->cells);
    for (size_t i = 0; i < o->others_count; i++) {
        TRY(lm_network_runs_read(ctx, o->others[i], false, &r->finished));
        strcat(strcat(r->sources, *r->sources ? ", " : ""), o->others[i]);
    }
    if (!o->cells) goto done;
    NEW(ctx, r->path, strlen(o->cells) + 1);
    strcpy(r->path, o->cells);
    TRY(lm_network_runs_read(ctx, r->path, !r->finished_only, &r->finished));
done:
    return st;
}

leman_status leman_network_tables_new(leman_context *ctx, const leman_network_tables_options *options,
                                      leman_network_tables **out)
{
    leman_status st = LEMAN_OK;
    leman_network_tables *r = NULL;
    leman_network_tables_options o = leman_network_tables_options_default();
    REQUIRE(ctx, out);
    TRY(lm_options_copy(ctx, "leman_network_tables_options", options, &o, sizeof o));
    TRY(check_options(ctx, &o));
    NEW(ctx, r, 1);
    memset(r, 0, sizeof *r);
    r->allocator = ctx->allocator;
    r->tables = o.tables ? o.tables : (UINT64_C(1) << LEMAN_NETWORK_TABLE_COUNT) - 1;
    r->runs = o.runs;
    r->epochs = o.epochs;
    r->time_limit = o.time_limit;
    r->until = o.time_limit > 0 ? lm_now() + o.time_limit : INFINITY;
    r->seed = ctx->settings.seed;
    r->threads = ctx->settings.threads;
    snprintf(r->device, sizeof r->device, "%s", ctx->settings.device ? ctx->settings.device : "cpu");
    r->finished_only = o.finished_only;
    TRY(choose_cells(ctx, &o, r));
    TRY(read_finished(ctx, &o, r));
done:
    if (st)
        leman_network_tables_free(r);
    else
        *out = r;
    return st;
}

void leman_network_tables_free(leman_network_tables *r)
{
    if (!r) return;
    leman_context owner = {.allocator = r->allocator};
    lm_vector_free(&owner, &r->finished);
    lm_vector_free(&owner, &r->beside);
    lm_free(&owner, r->path);
    lm_free(&owner, r->sources);
    lm_free(&owner, r);
}

static bool in_range(leman_network_table table, size_t row, size_t column)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    return shape && row < shape->rows && column < shape->columns;
}

bool leman_network_tables_has(const leman_network_tables *r, leman_network_table table, size_t row, size_t column)
{
    return r && in_range(table, row, column) && r->cell[table][row][column].asked;
}

/* Does a finished run belong to the cell as it was asked for? */
static bool belongs(const leman_network_tables *r, const lm_network_run *f, leman_network_table table, size_t row,
                    size_t column)
{
    if (f->table != table || f->row != row || f->column != column) return false;
    if (f->limit != lm_network_tables_limit(r, table, row, column)) return false;
    if (r->finished_only) return true;
    return f->seed == r->seed && f->data_checksum == r->column[table][column].data_checksum;
}

/* The i-th of the finished runs, if it belongs to the cell and no later one has its number. */
static const lm_network_run *run_of(const leman_network_tables *r, size_t i, leman_network_table table, size_t row,
                                    size_t column)
{
    const lm_network_run *f = r->finished.items;
    if (!belongs(r, f + i, table, row, column)) return NULL;
    for (size_t j = i + 1; j < r->finished.count; j++)
        if (f[j].run == f[i].run && belongs(r, f + j, table, row, column)) return NULL;
    return f + i;
}

leman_status leman_network_tables_status(const leman_network_tables *r, leman_network_table table, size_t row,
                                         size_t column)
{
    return r && in_range(table, row, column) ? r->cell[table][row][column].status : LEMAN_OK;
}

uint64_t leman_network_tables_checksum(const leman_network_tables *r, const char *set, bool *several)
{
    const lm_network_run *f = r && set ? r->finished.items : NULL;
    uint64_t found = 0;
    bool others = false;
    for (unsigned t = 0; r && set && t < LEMAN_NETWORK_TABLE_COUNT; t++) { /* of what was read */
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        for (size_t c = 0; c < shape->columns && !found; c++)
            if (!strcmp(shape->set[c], set)) found = r->column[t][c].data_checksum;
    }
    for (size_t i = 0; f && i < r->finished.count; i++) {
        const leman_network_table_shape *shape = leman_network_table_describe(f[i].table);
        const bool own = leman_network_tables_has(r, f[i].table, f[i].row, f[i].column) &&
                         run_of(r, i, f[i].table, f[i].row, f[i].column);
        if (!own || strcmp(shape->set[f[i].column], set) != 0) continue;
        others |= found && found != f[i].data_checksum;
        if (!found) found = f[i].data_checksum;
    }
    if (several) *several = others;
    return found;
}

bool lm_network_tables_asks(const leman_network_tables *r, leman_network_table table, size_t column)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    for (size_t row = 0; row < shape->rows; row++)
        if (r->cell[table][row][column].asked) return true;
    return false;
}

leman_status leman_network_tables_beside(leman_context *ctx, leman_network_tables *tables, const char *set,
                                         const char *method, double value, double deviation, double seconds,
                                         size_t parameters)
{
    leman_status st = LEMAN_OK;
    lm_tables_result result = {.value = value, .deviation = deviation, .seconds = seconds, .parameters = parameters};
    bool found = false;
    REQUIRE(ctx, tables);
    REQUIRE(ctx, set);
    REQUIRE(ctx, method);
    if (!isfinite(value) || !(seconds >= 0))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %g in %g seconds, expected a result in 0 seconds or more", method,
             value, seconds);
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        for (size_t c = 0; c < shape->columns; c++)
            found |= !strcmp(shape->set[c], set) && lm_network_tables_asks(tables, (leman_network_table)t, c);
    }
    if (!found)
        FAIL(ctx, LEMAN_ERROR_INPUT, "found results on '%s', which is no set of the tables that were asked for", set);
    snprintf(result.set, sizeof result.set, "%s", set);
    snprintf(result.method, sizeof result.method, "%s", method);
    TRY(lm_vector_append(ctx, &tables->beside, &result, 1, sizeof result));
done:
    return st;
}

leman_status leman_network_tables_set_missing(leman_context *ctx, leman_network_tables *tables, const char *set,
                                              const char *why)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, tables);
    REQUIRE(ctx, set);
    REQUIRE(ctx, why);
    for (unsigned t = 0; t < LEMAN_NETWORK_TABLE_COUNT; t++) {
        const leman_network_table_shape *shape = leman_network_table_describe((leman_network_table)t);
        for (size_t c = 0; c < shape->columns; c++)
            if (!strcmp(shape->set[c], set)) snprintf(tables->column[t][c].missing, LM_TABLE_NOTE, "%s", why);
    }
done:
    return st;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* "FILE.zinc.delta-2-LGNN.ZINC_10k.run0": where the state of a run is kept; NULL where nothing is. */
static leman_status path_of(leman_context *ctx, const leman_network_tables *r, const lm_network_run *run, char **out)
{
    leman_status st = LEMAN_OK;
    const leman_network_table_shape *shape = leman_network_table_describe(run->table);
    enum { MORE = 160 };
    *out = NULL;
    if (!r->path) goto done;
    const size_t size = strlen(r->path) + MORE;
    NEW(ctx, *out, size);
    snprintf(*out, size, "%s.%s.%s.%s.run%llu", r->path, leman_network_table_name(run->table), shape->method[run->row],
             shape->set[run->column], (unsigned long long)run->run);
done:
    return st;
}

/* Failures that leave the other cells as they are. */
static bool is_note(leman_status st)
{
    return st == LEMAN_ERROR_BUDGET || st == LEMAN_ERROR_UNSUPPORTED || st == LEMAN_ERROR_FILE ||
           st == LEMAN_ERROR_INPUT;
}

/* The time limit came before the end of a run, of which some epochs, networks or folds may be kept. */
static void note_time(const leman_network_tables *r, const lm_network_run *run, const char *kept, char *note)
{
    const char *part = run->table == LEMAN_NETWORK_TABLE_TU          ? "network" /* of a fold's choices */
                       : run->table == LEMAN_NETWORK_TABLE_MID_SCALE ? "fold"
                                                                     : "epoch";
    const int used = lm_snprintf(note, LM_TABLE_NOTE, "run %llu was not finished within %g seconds",
                                 (unsigned long long)run->run, r->time_limit);
    if (kept && !access(kept, F_OK))
        snprintf(note + used, (size_t)(LM_TABLE_NOTE - used), "; the next time it goes on behind its last %s", part);
    else if (kept)
        snprintf(note + used, (size_t)(LM_TABLE_NOTE - used), ", nor was its first %s: nothing of it is kept", part);
}

/* One run that is not finished; its cell says why it still is not. */
static leman_status compute(leman_context *ctx, leman_network_tables *r, lm_network_run *run, const leman_dataset *data,
                            const char *path)
{
    leman_status st = LEMAN_OK;
    lm_tables_cell *cell = &r->cell[run->table][run->row][run->column];
    lm_time_limit limit;
    char *kept = NULL;
    if (lm_now() >= r->until) {
        cell->status = LEMAN_ERROR_CANCELLED;
        lm_snprintf(cell->note, LM_TABLE_NOTE, "run %llu was not begun within %g seconds", (unsigned long long)run->run,
                    r->time_limit);
        goto done;
    }
    TRY(path_of(ctx, r, run, &kept));
    lm_time_limit_begin(ctx, isfinite(r->until) ? r->until - lm_now() : 0, &limit);
    st = lm_network_tables_compute(ctx, data, path, kept, run);
    lm_time_limit_end(ctx, &limit);
    const bool over = st == LEMAN_ERROR_CANCELLED && limit.over;
    if (over || is_note(st)) {
        cell->status = st;
        if (over)
            note_time(r, run, kept, cell->note);
        else
            snprintf(cell->note, LM_TABLE_NOTE, "%s", leman_context_message(ctx));
        st = LEMAN_OK;
        goto done;
    }
    TRY(st);
    TRY(lm_vector_append(ctx, &r->finished, run, 1, sizeof *run));
    if (r->path) TRY(lm_network_runs_add(ctx, r->path, run));
    if (kept) (void)unlink(kept); /* its result is in the file of finished runs */
done:
    lm_free(ctx, kept);
    return st;
}

leman_status leman_network_tables_run(leman_context *ctx, leman_network_tables *tables, leman_network_table table,
                                      size_t row, size_t column, const leman_dataset *data, const char *path,
                                      size_t *computed)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, tables);
    REQUIRE_ENUM(ctx, table, LEMAN_NETWORK_TABLE_COUNT - 1);
    REQUIRE(ctx, data);
    REQUIRE(ctx, path);
    if (tables->finished_only)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "a cell to be computed, expected none: the options ask for finished ones only");
    if (!leman_network_tables_has(tables, table, row, column))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "row %zu and column %zu of %s are not in the tables that were asked for", row,
             column, leman_network_table_name(table));
    tables->column[table][column].data_checksum = leman_dataset_checksum(data);
    lm_tables_cell *cell = &tables->cell[table][row][column];
    cell->note[0] = 0;
    cell->status = LEMAN_OK;
    if (computed) *computed = 0;
    for (uint64_t i = 0; i < tables->runs && !cell->status; i++) {
        lm_network_run run = {.table = table,
                              .row = row,
                              .column = column,
                              .run = i,
                              .seed = tables->seed,
                              .limit = lm_network_tables_limit(tables, table, row, column),
                              .data_checksum = tables->column[table][column].data_checksum};
        const lm_network_run *f = tables->finished.items;
        size_t at = 0;
        while (at < tables->finished.count && !(f[at].run == i && belongs(tables, f + at, table, row, column))) at++;
        if (at < tables->finished.count) continue;
        TRY(compute(ctx, tables, &run, data, path));
        if (computed) *computed += !cell->status;
    }
done:
    return st;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Mean and population deviation over the runs that have the number; NAN. */
static void summarize(const leman_network_tables *r, leman_network_table table, size_t row, size_t column,
                      size_t quantity, double *mean, double *deviation)
{
    double sum = 0, squares = 0, count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->finished.count; i++) {
            const lm_network_run *run = run_of(r, i, table, row, column);
            if (!run || isnan(run->value[quantity])) continue;
            if (pass) squares += pow(run->value[quantity] - sum / count, 2);
            if (!pass) sum += run->value[quantity], count++;
        }
    *mean = count > 0 ? sum / count : NAN;
    *deviation = count > 1 ? sqrt(squares / count) : NAN;
}

/* Seconds of an epoch over those of delta-2-LGNN, the last row. */
static double ratio(const leman_network_tables *r, size_t row, size_t column)
{
    const leman_network_table table = LEMAN_NETWORK_TABLE_TIMES;
    double own, unit, deviation;
    summarize(r, table, row, column, 1, &own, &deviation);
    summarize(r, table, leman_network_table_describe(table)->rows - 1, column, 1, &unit, &deviation);
    return own / unit;
}

leman_network_cell leman_network_tables_cell(const leman_network_tables *r, leman_network_table table, size_t row,
                                             size_t column)
{
    leman_network_cell c = {.note = ""};
    if (!r || !in_range(table, row, column)) return c;
    c.note = *r->column[table][column].missing ? r->column[table][column].missing : r->cell[table][row][column].note;
    for (size_t i = 0; i < r->finished.count; i++) {
        const lm_network_run *run = run_of(r, i, table, row, column);
        if (!run) continue;
        c.runs++;
        c.seconds += run->seconds;
        c.epochs += run->epochs;
        c.parameters = (size_t)run->parameters;
    }
    if (c.runs) c.seconds /= (double)c.runs, c.epochs /= (double)c.runs;
    for (size_t q = 0; q < 2; q++) {
        const leman_published_value theirs = leman_network_published(table, q, row, column);
        summarize(r, table, row, column, q, c.value + q, c.deviation + q);
        if (table == LEMAN_NETWORK_TABLE_TIMES && !q) c.value[0] = ratio(r, row, column);
        c.difference[q] = theirs.state == LEMAN_CELL_STATE_NUMBER ? c.value[q] - theirs.value : NAN;
    }
    return c;
}
