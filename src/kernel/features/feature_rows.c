/*
 * Writes rows of features to their file. Threads convert slices to text and write it, each at its place. If the file is
 * a pipe or compressed, the caller's thread writes the text in order. If slices are dealt to ranks, each rank converts
 * its own slices, and all ranks write together, one slice of every rank at a time: these slices are consecutive.
 */
#include "base/ranks/ranks.h"
#include "base/thread_pool.h"
#include "io/array/sparse_files.h"
#include "kernel/features/feature_file.h"
#include "kernel/features/features.h"
#include "kernel/features/saving.h"
#include <stdatomic.h>
#include <time.h>

/* Rows with their labels, from row `first` on. */
typedef struct text_rows {
    const lm_saving *s;
    const leman_features *rows;
    size_t first;
} text_rows;

static leman_status write_text_rows(leman_context *ctx, void *user, lm_output *out)
{
    const text_rows *t = user;
    const leman_dataset *labels = t->s->labels;
    leman_features f = *t->rows;
    AUTO(lm_release_at) double *target = NULL;
    if (labels->class_label) f.class_label = (int64_t *)(uintptr_t)(labels->class_label + t->first);
    if (labels->target) {
        PASS_NEW(ctx, target, f.rows);
        for (size_t i = 0; i < f.rows; i++) target[i] = labels->target[(t->first + i) * labels->columns.targets];
        f.target = target;
    }
    return lm_sparse_rows(t->s->path, &f, NULL, t->first, out);
}

/* The text of slices of the store, from `next` on. */
typedef struct texts {
    lm_saving *s;
    size_t next;
    lm_vector *text;     /* [threads] */
    _Atomic size_t turn; /* if threads write the text: the slice that is next in the file */
    uint64_t place;      /* and its place in the file */
} texts;

static leman_status make_text(lm_worker *worker, const texts *now, size_t slice, lm_vector *text)
{
    leman_context *ctx = worker->ctx;
    AUTO(lm_features_clear) leman_features f = {0};
    text_rows rows = {.s = now->s, .rows = &f};
    const lm_saving *s = now->s;
    PASS(lm_feature_store_load(ctx, &s->store, slice, &f, &rows.first));
    if (s->dealt) rows.first = ((const size_t *)s->row.items)[slice];
    for (size_t e = 0; s->place && e < f.entries; e++) f.column[e] = s->place[f.column[e]];
    PASS(lm_output_in_memory(ctx, s->path, write_text_rows, &rows, text));
    return lm_worker_advance(worker, f.entries);
}

static leman_status text_task(lm_worker *worker, void *state, size_t item)
{
    const texts *now = state;
    return make_text(worker, now, now->next + item, now->text + item);
}

/* Converts as many slices as there are threads; then the caller's thread writes them, or each rank writes its own. */
static leman_status write_in_turn(lm_saving *s, texts *now)
{
    leman_context *ctx = s->ctx;
    uint64_t slices = s->store.slices, together = (uint64_t)lm_thread_pool_workers(ctx);
    if (s->dealt) {
        PASS(lm_ranks_max(ctx, &slices)); /* another rank may have one slice more */
        PASS(lm_ranks_min(ctx, &together));
    }
    for (; now->next < slices; now->next += together) {
        const size_t left = now->next < s->store.slices ? s->store.slices - now->next : 0;
        const size_t count = left < together ? left : (size_t)together;
        PASS(lm_thread_pool_run(ctx, NULL, count, 0, text_task, now));
        for (size_t i = 0; i < together && now->next + i < slices; i++) {
            PASS((s->dealt ? lm_output_write_parts : lm_output_write)(s->file.text, now->text[i].items,
                                                                      now->text[i].count));
            now->text[i].count = 0;
        }
    }
    return LEMAN_OK;
}

/* Converts and writes one slice. Slices are started in order, so the slice before is already in progress. */
static leman_status written_task(lm_worker *worker, void *state, size_t item)
{
    static const struct timespec MOMENT = {.tv_nsec = 20000};
    texts *now = state;
    lm_vector *text = now->text + worker->number;
    text->count = 0;
    PASS(make_text(worker, now, item, text));
    while (atomic_load(&now->turn) != item) {
        PASS(lm_worker_advance(worker, 0));
        nanosleep(&MOMENT, NULL);
    }
    const uint64_t place = now->place;
    now->place += text->count;
    atomic_store(&now->turn, item + 1);
    return lm_output_write_at(worker->ctx, now->s->file.text, place, text->items, text->count);
}

/* Converts slices to text in threads and writes it in order. */
static leman_status write_slices(lm_saving *s)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = s->ctx;
    const size_t workers = (size_t)lm_thread_pool_workers(ctx), slices = s->store.slices;
    SCRATCH_SCOPE(ctx);
    texts now = {.s = s};
    SCRATCH_ZERO(ctx, now.text, workers);
    lm_progress_begin(ctx, s->store.entries, "writing %s", s->path);
    if (!s->dealt && lm_output_begin_places(s->file.text, &now.place)) {
        TRY(lm_thread_pool_run(ctx, NULL, slices, 0, written_task, &now));
        TRY(lm_output_end_places(s->file.text, now.place));
    } else {
        TRY(write_in_turn(s, &now));
    }
done:
    for (size_t i = 0; i < workers && now.text; i++) lm_vector_release(now.text + i);
    return st;
}

leman_status lm_saving_write(lm_saving *s)
{
    if (lm_feature_file_is(s->path) || lm_path_ends(s->path, ".npz"))
        return lm_feature_store_write(&s->store, &s->sizes, s->labels, s->path, s->file.text);
    PASS(lm_sparse_head(s->path, &s->sizes, s->file.text));
    if (!s->store.file.open && s->store.slices == 1 && !s->place && !s->dealt) { /* without a copy */
        text_rows rows = {.s = s, .rows = &s->store.only};
        return write_text_rows(s->ctx, &rows, s->file.text);
    }
    return write_slices(s);
}
