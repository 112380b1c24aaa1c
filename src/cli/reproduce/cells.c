/*
 * The cells of leman reproduce, set after set: taken from the file of finished cells, or computed and added to it.
 * Accuracies come from leman_evaluate(), times from leman_gram_compute() on one thread in processor time. A kernel that
 * does not fit the budget or the time limit is a cell too; any other failure ends the run.
 */
#include "cli/reproduce/reproduction.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- A limit on time ------------------------------------------------------------------------- */

/* Stands between the context and the callbacks of the program while a cell is computed. */
typedef struct limit {
    leman_settings settings; /* as they were */
    double until;            /* lm_now() */
    bool over;
} limit;

static bool on_progress(void *user, const leman_progress *progress)
{
    limit *l = user;
    if (lm_now() > l->until) {
        l->over = true;
        return false;
    }
    return l->settings.progress(l->settings.callback_user, progress);
}

static void on_log(void *user, const char *message)
{
    limit *l = user;
    l->settings.log(l->settings.callback_user, message);
}

static void limit_begin(leman_context *ctx, double seconds, limit *l)
{
    *l = (limit){ctx->settings, seconds > 0 ? lm_now() + seconds : INFINITY, false};
    ctx->settings.progress = on_progress;
    ctx->settings.log = on_log;
    ctx->settings.callback_user = l;
}

/* Work that ended between two questions may have taken too long as well. */
static void limit_end(leman_context *ctx, limit *l)
{
    ctx->settings = l->settings;
    l->over |= lm_now() > l->until;
}

/* ---- One cell -------------------------------------------------------------------------------- */

static leman_status take_accuracy(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  lm_cell *cell)
{
    leman_status st = LEMAN_OK;
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *e = NULL;
    protocol.repetitions = cell->repetitions;
    protocol.svm = LEMAN_SVM_KERNEL;
    TRY(leman_evaluate(ctx, data, kernel, 1, &protocol, &e));
    cell->test_mean = e->test_mean;
    cell->test_std = e->test_std;
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

static leman_status take_seconds(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 lm_cell *cell)
{
    leman_status st = LEMAN_OK;
    size_t graphs = leman_dataset_shape(data)->graphs, cells;
    double *matrix = NULL;
    int threads = ctx->settings.threads;
    if (!lm_multiply(graphs, graphs, &cells)) FAIL(ctx, LEMAN_ERROR_MEMORY, "%zu graphs are too many", graphs);
    NEW(ctx, matrix, cells);
    ctx->settings.threads = 1;
    double began = processor_seconds(), now = began, min = INFINITY;
    for (int i = 0; i < 5 && now - began < 1; i++) { /* the least of some, where they are short */
        double before = now;
        TRY(leman_gram_compute(ctx, data, NULL, kernel, 1, true, matrix));
        now = processor_seconds();
        min = fmin(min, now - before);
    }
    cell->seconds_features = min;
done:
    ctx->settings.threads = threads;
    lm_free(ctx, matrix);
    return st;
}

static leman_status compute(lm_work *work, const leman_dataset *data, lm_cell *cell)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_kernel kernel = leman_kernel_default();
    limit time_limit;
    TRY(leman_kernel_parse(ctx, lm_paper_method_kernel(cell->method), &kernel));
    kernel.ignore_edge_labels = true; /* as the published experiments did */
    limit_begin(ctx, cell->limit, &time_limit);
    st = (cell->measure == LM_MEASURE_ACCURACY ? take_accuracy : take_seconds)(ctx, data, &kernel, cell);
    limit_end(ctx, &time_limit);
    cell->state = LM_CELL_DONE;
    if (st == LEMAN_ERROR_BUDGET) {
        cell->state = LM_CELL_MEMORY;
        snprintf(cell->note, sizeof cell->note, "%s", leman_context_message(ctx));
        st = LEMAN_OK;
    } else if ((!st || st == LEMAN_ERROR_CANCELLED) && time_limit.over) {
        cell->state = LM_CELL_TIME;
        snprintf(cell->note, sizeof cell->note, "not finished within %g seconds", cell->limit);
        st = LEMAN_OK;
    }
done:
    return st;
}

static void tell_cell(lm_work *work, const lm_cell *cell)
{
    const char *set = lm_paper_set_name(cell->set), *method = lm_paper_method_name(cell->method);
    char time[2][LM_NUMBER_TEXT];
    if (cell->state != LM_CELL_DONE)
        lm_work_tell(work, "%s, %s: %s", set, method, cell->note);
    else if (cell->measure == LM_MEASURE_SECONDS)
        lm_work_tell(work, "%s, %s: %s", set, method, lm_seconds_text(cell->seconds_features, time[0]));
    else
        lm_work_tell(work, "%s, %s: %.1f %% in %s and %s", set, method, cell->test_mean,
                     lm_seconds_text(cell->seconds_features, time[0]), lm_seconds_text(cell->seconds_svm, time[1]));
}

/* ---- Data ------------------------------------------------------------------------------------ */

/* path[size] <- where the set is; "" and a sentence in why[LM_CELL_NOTE] where it is not. */
static leman_status locate(lm_work *work, const lm_reproduce_options *asked, const char *name, char *path, size_t size,
                           char *why)
{
    leman_status st = LEMAN_OK;
    leman_download_options wishes = leman_download_options_default();
    struct stat about;
    *path = 0;
    if (asked->data) {
        static const char *const ENDS[] = {".zip", ""};
        for (int i = 0; i < 2 && !*path; i++)
            if ((size_t)snprintf(path, size, "%s/%s%s", asked->data, name, ENDS[i]) >= size || stat(path, &about))
                *path = 0;
        if (!*path) snprintf(why, LM_CELL_NOTE, "%s: found neither %s.zip nor a folder %s", asked->data, name, name);
        goto done;
    }
    wishes.offline = asked->offline;
    st = leman_dataset_download(work->ctx, name, &wishes, path, size);
    if (!st || st == LEMAN_ERROR_MEMORY || st == LEMAN_ERROR_CANCELLED) goto done;
    snprintf(why, LM_CELL_NOTE, "%s", leman_context_message(work->ctx));
    *path = 0;
    st = LEMAN_OK;
done:
    return st;
}

/* ---- All cells ------------------------------------------------------------------------------- */

typedef struct filling {
    lm_work *work;
    const lm_reproduce_options *asked;
    lm_reproduction *r;
    lm_cells cells;
    bool found;    /* a data set, so that the others are worth a remark */
    uint64_t told; /* missing sets */
} filling;

static void tell_missing(filling *f)
{
    for (unsigned set = 0; set < LM_PAPER_SETS; set++) {
        if (!*f->r->missing[set] || f->told >> set & 1) continue;
        lm_work_tell(f->work, "%s", f->r->missing[set]);
        f->told |= UINT64_C(1) << set;
    }
}

static lm_cell wanted_of(const filling *f, lm_measure measure, unsigned method, unsigned set)
{
    return (lm_cell){.measure = measure,
                     .method = (lm_paper_method)method,
                     .set = (lm_paper_set)set,
                     .repetitions = f->r->repetitions,
                     .seed = f->r->seed,
                     .memory = (double)lm_budget(f->work->ctx),
                     .limit = f->asked->limit};
}

static leman_status fill_cell(filling *f, const leman_dataset *data, uint64_t checksum, lm_cell wanted)
{
    leman_status st = LEMAN_OK;
    lm_cell *cell = &f->r->cell[wanted.measure][wanted.method][wanted.set];
    wanted.data = checksum;
    const lm_cell *found = lm_cells_find(&f->cells, &wanted, f->asked->finished);
    *cell = found ? *found : wanted;
    if (found || !data) goto done;
    TRY(compute(f->work, data, cell));
    TRY(lm_cells_add(f->work->ctx, f->asked->resume, &f->cells, cell));
    tell_cell(f->work, cell);
done:
    return st;
}

static leman_status fill_set(filling *f, unsigned set)
{
    leman_status st = LEMAN_OK;
    lm_work *work = f->work;
    leman_dataset *data = NULL;
    char path[4096] = "";
    uint64_t checksum = 0;
    if (!f->asked->finished)
        TRY(locate(work, f->asked, lm_paper_set_name((lm_paper_set)set), path, sizeof path, f->r->missing[set]));
    if (*path) {
        work->without_vertex_attributes = true;
        TRY(lm_work_read(work, path, NULL, &data));
        checksum = leman_dataset_checksum(data);
        f->found = true;
    }
    if (f->found) tell_missing(f);
    for (unsigned method = 0; method < LM_PAPER_METHODS; method++)
        for (unsigned measure = 0; measure < LM_MEASURES; measure++)
            if (lm_reproduction_shows(f->r, (lm_measure)measure, (lm_paper_method)method, (lm_paper_set)set))
                TRY(fill_cell(f, data, checksum, wanted_of(f, (lm_measure)measure, method, set)));
done:
    leman_dataset_free(data);
    return st;
}

/* A page without any data says less than one sentence does. */
static leman_status check_found(const filling *f)
{
    leman_status st = LEMAN_OK;
    const lm_reproduction *r = f->r;
    unsigned first = 0;
    if (f->found || f->asked->finished) goto done;
    while (!(r->sets >> first & 1)) first++;
    FAIL(f->work->ctx, LEMAN_ERROR_FILE, "%s%s", r->missing[first],
         r->sets & (r->sets - 1) ? "; nor is any other data set there that was asked for" : "");
done:
    return st;
}

leman_status lm_reproduction_fill(lm_work *work, const lm_reproduce_options *asked, lm_reproduction *r)
{
    leman_status st = LEMAN_OK;
    filling f = {.work = work, .asked = asked, .r = r};
    if (asked->resume) TRY(lm_cells_open(work->ctx, asked->resume, !asked->finished, &f.cells));
    for (unsigned set = 0; set < LM_PAPER_SETS; set++)
        if (r->sets >> set & 1) TRY(fill_set(&f, set));
    TRY(check_found(&f));
done:
    lm_cells_close(work->ctx, &f.cells);
    return st;
}
