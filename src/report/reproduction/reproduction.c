/*
 * The published tables computed again, cell by cell: taken from the file of finished cells, or computed and added to
 * it. Accuracies come from leman_evaluate(), times from leman_gram_compute() on one thread in processor time. A kernel
 * that does not fit the memory budget or the time limit is a result too; any other failure ends the run.
 */
#include "report/reproduction/reproduction.h"
#include "base/arguments.h"
#include "base/text.h"
#include "kernel/kernel.h"
#include "report/reproduction/time_limit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- Computing a cell ------------------------------------------------------------------------ */

static leman_status compute_accuracy(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     leman_cell *cell)
{
    leman_status st = LEMAN_OK;
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *e = NULL;
    protocol.repetitions = cell->repetitions;
    protocol.svm = LEMAN_SVM_KERNEL;
    TRY(leman_evaluate(ctx, data, kernel, 1, &protocol, &e));
    cell->test_mean = e->test_mean;
    cell->test_std = e->splits->repetitions > 1 ? e->test_std : 0; /* a file of cells has numbers only */
    cell->test_std_folds = e->test_std_folds;
    cell->train_mean = e->train_mean;
    cell->seconds_features = e->seconds_features;
    cell->seconds_svm = e->seconds_svm;
done:
    leman_evaluation_free(e);
    return st;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static leman_status compute_seconds(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                    leman_cell *cell)
{
    leman_status st = LEMAN_OK;
    size_t graphs = leman_dataset_shape(data)->graphs, budget = lm_budget(ctx), cells;
    double *matrix = NULL;
    int threads = ctx->settings.threads;
    if (!lm_multiply(graphs, graphs, &cells))
        FAIL(ctx, LEMAN_ERROR_MEMORY, "%zu graph%s are too many", graphs, lm_plural(graphs));
    NEW(ctx, matrix, cells);
    ctx->settings.threads = 1;
    double began = processor_seconds(), now = began, min = INFINITY;
    for (int i = 0; i < 5 && now - began < 1; i++) { /* the least of some, where they are short */
        double before = now;
        TRY(lm_gram_within(ctx, data, NULL, kernel, 1, true, budget, matrix));
        now = processor_seconds();
        min = fmin(min, now - before);
    }
    cell->seconds_features = min;
done:
    ctx->settings.threads = threads;
    lm_free(ctx, matrix);
    return st;
}

static leman_status compute(leman_context *ctx, const leman_dataset *data, leman_cell *cell)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel = leman_kernel_default();
    lm_time_limit time_limit;
    TRY(leman_kernel_parse(ctx, leman_paper_method_kernel(cell->method), &kernel));
    kernel.ignore_edge_labels = true; /* as the published experiments did */
    lm_time_limit_begin(ctx, cell->time_limit, &time_limit);
    st = (cell->quantity == LEMAN_PAPER_QUANTITY_TEST ? compute_accuracy : compute_seconds)(ctx, data, &kernel, cell);
    lm_time_limit_end(ctx, &time_limit);
    cell->state = LEMAN_CELL_STATE_NUMBER;
    if (st == LEMAN_ERROR_BUDGET) {
        cell->state = LEMAN_CELL_STATE_MEMORY;
        snprintf(cell->note, sizeof cell->note, "%s", leman_context_message(ctx));
        st = LEMAN_OK;
    } else if ((!st || st == LEMAN_ERROR_CANCELLED) && time_limit.over) {
        cell->state = LEMAN_CELL_STATE_TIME;
        lm_snprintf(cell->note, sizeof cell->note, "not finished within %g seconds", cell->time_limit);
        st = LEMAN_OK;
    }
done:
    return st;
}

/* ---- The object ------------------------------------------------------------------------------ */

static bool in_range(leman_paper_quantity quantity, leman_paper_method method, leman_paper_set set)
{
    return (unsigned)quantity < LEMAN_PAPER_QUANTITY_COUNT && (unsigned)method < LEMAN_PAPER_METHOD_COUNT &&
           (unsigned)set < LEMAN_PAPER_SET_COUNT;
}

static bool is_accuracy(leman_paper_quantity quantity)
{
    return quantity == LEMAN_PAPER_QUANTITY_TEST || quantity == LEMAN_PAPER_QUANTITY_TRAIN;
}

static leman_cell *cell_of(leman_reproduction *r, leman_paper_quantity quantity, unsigned method, unsigned set)
{
    return &r->cell[!is_accuracy(quantity)][method][set];
}

/* A cell without a result: what it will be computed with. */
static leman_cell wanted_cell(const leman_context *ctx, const leman_reproduction *r, leman_paper_quantity quantity,
                              unsigned method, unsigned set)
{
    return (leman_cell){.quantity = is_accuracy(quantity) ? LEMAN_PAPER_QUANTITY_TEST : LEMAN_PAPER_QUANTITY_SECONDS,
                        .method = (leman_paper_method)method,
                        .set = (leman_paper_set)set,
                        .repetitions = r->repetitions,
                        .seed = r->seed,
                        .memory = (double)(ctx->budget ? ctx->budget : lm_budget(ctx)),
                        .time_limit = r->time_limit};
}

static void fill_cells(const leman_context *ctx, leman_reproduction *r)
{
    static const leman_paper_quantity BOTH[LM_CELL_QUANTITIES] = {LEMAN_PAPER_QUANTITY_TEST,
                                                                  LEMAN_PAPER_QUANTITY_SECONDS};
    for (unsigned q = 0; q < LM_CELL_QUANTITIES; q++)
        for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
            for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) {
                if (!leman_reproduction_has(r, BOTH[q], (leman_paper_method)m, (leman_paper_set)s)) continue;
                leman_cell wanted = wanted_cell(ctx, r, BOTH[q], m, s);
                const leman_cell *found = r->finished_only ? lm_cells_find(&r->finished, &wanted, true) : NULL;
                r->cell[q][m][s] = found ? *found : wanted;
            }
}

static const leman_reproduction_options DEFAULTS = {.size = sizeof DEFAULTS, .repetitions = 10};

void leman_reproduction_options_init(leman_reproduction_options *options, size_t size)
{
    lm_options_init(options, size, &DEFAULTS, sizeof DEFAULTS);
}

static leman_status check_options(leman_context *ctx, const leman_reproduction_options *o)
{
    leman_status st = LEMAN_OK;
    if (o->tables >> LEMAN_PAPER_TABLE_COUNT || o->methods >> LEMAN_PAPER_METHOD_COUNT ||
        o->sets >> LEMAN_PAPER_SET_COUNT)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT,
             "leman_reproduction_options: found a bit beyond the %d tables, %d methods and %d sets",
             LEMAN_PAPER_TABLE_COUNT, LEMAN_PAPER_METHOD_COUNT, LEMAN_PAPER_SET_COUNT);
    if (!o->repetitions) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found 0 repetitions, expected at least 1");
    if (!(o->time_limit >= 0))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found a time limit of %g seconds, expected 0 or more", o->time_limit);
    if (o->finished_only && !o->cells)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "finished cells without a file of them, expected its path");
done:
    return st;
}

leman_status leman_reproduction_new(leman_context *ctx, const leman_reproduction_options *given,
                                    leman_reproduction **out)
{
    leman_status st = LEMAN_OK;
    leman_reproduction *r = NULL;
    leman_reproduction_options o = DEFAULTS;
    REQUIRE(ctx, out);
    TRY(lm_options_copy(ctx, "leman_reproduction_options", given, &o, sizeof o));
    TRY(check_options(ctx, &o));
    NEW(ctx, r, 1);
    memset(r, 0, sizeof *r);
    r->allocator = ctx->allocator;
    r->tables = o.tables ? o.tables : 1 << LEMAN_PAPER_TABLE_KERNELS;
    r->methods = o.methods ? o.methods : (UINT64_C(1) << LEMAN_PAPER_METHOD_COUNT) - 1;
    r->sets = o.sets ? o.sets : (UINT64_C(1) << LEMAN_PAPER_SET_COUNT) - 1;
    r->repetitions = o.repetitions;
    r->seed = ctx->settings.seed;
    r->time_limit = o.time_limit;
    r->threads = ctx->settings.threads;
    r->finished_only = o.finished_only;
    if (o.cells) {
        NEW(ctx, r->path, strlen(o.cells) + 1);
        memcpy(r->path, o.cells, strlen(o.cells) + 1);
        TRY(lm_cells_open(ctx, r->path, !r->finished_only, &r->finished));
    }
    fill_cells(ctx, r);
done:
    if (st)
        leman_reproduction_free(r);
    else
        *out = r;
    return st;
}

void leman_reproduction_free(leman_reproduction *r)
{
    if (!r) return;
    leman_context owner = {.allocator = r->allocator};
    lm_cells_close(&owner, &r->finished);
    lm_free(&owner, r->path);
    lm_free(&owner, r);
}

leman_status leman_reproduction_run(leman_context *ctx, leman_reproduction *reproduction, leman_paper_quantity quantity,
                                    leman_paper_method method, leman_paper_set set, const leman_dataset *data,
                                    bool *computed)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, reproduction);
    REQUIRE_ENUM(ctx, quantity, LEMAN_PAPER_QUANTITY_COUNT - 1);
    REQUIRE_ENUM(ctx, method, LEMAN_PAPER_METHOD_COUNT - 1);
    REQUIRE_ENUM(ctx, set, LEMAN_PAPER_SET_COUNT - 1);
    REQUIRE(ctx, data);
    if (reproduction->finished_only)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "a cell to be computed, expected none: the options ask for finished ones only");
    if (!leman_reproduction_has(reproduction, quantity, method, set))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s of %s on %s is not in the tables that were asked for",
             leman_paper_quantity_name(quantity), leman_paper_method_name(method), leman_paper_set_name(set));
    leman_cell wanted = wanted_cell(ctx, reproduction, quantity, method, set);
    wanted.data_checksum = leman_dataset_checksum(data);
    const leman_cell *found = lm_cells_find(&reproduction->finished, &wanted, false);
    leman_cell cell = found ? *found : wanted;
    if (!found) {
        TRY(compute(ctx, data, &cell));
        TRY(lm_cells_add(ctx, reproduction->path, &reproduction->finished, &cell));
    }
    *cell_of(reproduction, quantity, method, set) = cell;
    if (computed) *computed = !found;
done:
    return st;
}

leman_status leman_reproduction_set_missing(leman_context *ctx, leman_reproduction *reproduction, leman_paper_set set,
                                            const char *why)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, reproduction);
    REQUIRE_ENUM(ctx, set, LEMAN_PAPER_SET_COUNT - 1);
    REQUIRE(ctx, why);
    snprintf(reproduction->missing[set], sizeof *reproduction->missing, "%s", why);
done:
    return st;
}

/* ---- Ours and the published results ---------------------------------------------------------- */

bool lm_reproduction_trained(leman_paper_method method)
{
    return leman_published(LEMAN_PAPER_QUANTITY_TRAIN, method, LEMAN_PAPER_SET_ENZYMES).state != LEMAN_CELL_STATE_EMPTY;
}

bool leman_reproduction_has(const leman_reproduction *r, leman_paper_quantity quantity, leman_paper_method method,
                            leman_paper_set set)
{
    if (!r || !in_range(quantity, method, set)) return false;
    if (!(r->sets >> set & 1) || !(r->methods >> method & 1)) return false;
    if (!is_accuracy(quantity)) return r->tables >> LEMAN_PAPER_TABLE_TIMES & 1;
    return r->tables >> LEMAN_PAPER_TABLE_KERNELS & 1 ||
           (r->tables >> LEMAN_PAPER_TABLE_OVERFITTING & 1 && lm_reproduction_trained(method));
}

const char *leman_reproduction_missing(const leman_reproduction *r, leman_paper_set set)
{
    return r && (unsigned)set < LEMAN_PAPER_SET_COUNT ? r->missing[set] : "";
}

const leman_cell *leman_reproduction_cell(const leman_reproduction *r, leman_paper_quantity quantity,
                                          leman_paper_method method, leman_paper_set set)
{
    return r && in_range(quantity, method, set) ? &r->cell[!is_accuracy(quantity)][method][set] : NULL;
}

double leman_reproduction_value(const leman_reproduction *r, leman_paper_quantity quantity, leman_paper_method method,
                                leman_paper_set set)
{
    const leman_cell *cell = leman_reproduction_cell(r, quantity, method, set);
    const leman_cell *unit = leman_reproduction_cell(r, quantity, LEMAN_PAPER_METHOD_LWL2, set);
    if (!cell || cell->state != LEMAN_CELL_STATE_NUMBER) return NAN;
    switch (quantity) {
    case LEMAN_PAPER_QUANTITY_TEST: return cell->test_mean;
    case LEMAN_PAPER_QUANTITY_TRAIN: return cell->train_mean;
    case LEMAN_PAPER_QUANTITY_SECONDS: return cell->seconds_features;
    default: return unit->state == LEMAN_CELL_STATE_NUMBER ? cell->seconds_features / unit->seconds_features : NAN;
    }
}

double leman_reproduction_difference(const leman_reproduction *r, leman_paper_quantity quantity,
                                     leman_paper_method method, leman_paper_set set)
{
    leman_published_value theirs = leman_published(quantity, method, set);
    double ours = leman_reproduction_value(r, quantity, method, set);
    if (theirs.state != LEMAN_CELL_STATE_NUMBER || (theirs.misprint && !is_accuracy(quantity)))
        return NAN; /* of a time the value is wrong, of an accuracy the deviation */
    return is_accuracy(quantity) ? ours - theirs.value : theirs.value / ours;
}

uint64_t leman_reproduction_checksum(const leman_reproduction *r, leman_paper_set set, bool *several)
{
    uint64_t sum = 0;
    if (several) *several = false;
    for (unsigned q = 0; r && (unsigned)set < LEMAN_PAPER_SET_COUNT && q < LM_CELL_QUANTITIES; q++)
        for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++) {
            const leman_cell *cell = &r->cell[q][m][set];
            if (cell->state == LEMAN_CELL_STATE_EMPTY) continue;
            if (several) *several |= sum && sum != cell->data_checksum;
            sum = cell->data_checksum;
        }
    return sum;
}
