/* Merging sorted runs; key_merge.h describes the method. */
#include "kernel/features/key_merge.h"
#include <string.h>

enum {
    CACHED = 1 << 15, /* pairs of a step that stay in the cache during the sort */
    READ = 1 << 14,   /* keys of one read from the file */
    LEAST = 64
};

leman_status lm_merge_new(leman_context *ctx, const lm_temporary *file, size_t runs, lm_merge *out)
{
    const size_t fits = lm_budget(ctx) / 4 / (runs + 1) / (sizeof(uint64_t) + 2 * sizeof(lm_pair));
    AUTO(lm_merge_free) lm_merge m = {.ctx = ctx, .file = file, .runs = runs};
    m.most = lm_temporary_is_in_memory(file) ? CACHED / (runs + 1) : READ;
    if (m.most > fits) m.most = fits;
    if (m.most < LEAST) m.most = LEAST;
    PASS_NEW_ZERO(ctx, m.run, runs);
    PASS_NEW(ctx, m.buffer, runs * m.most);
    PASS_NEW(ctx, m.pair, 2 * runs * m.most);
    return HAND_OVER(out, m);
}

void lm_merge_free(lm_merge *m)
{
    RELEASE(m->run, m->buffer, m->pair);
    *m = (lm_merge){0};
}

/* Moves the window of every run past the keys that were used. */
static leman_status show(lm_merge *m)
{
    const void *window;
    for (size_t i = 0; i < m->runs; i++) {
        lm_sorted_run *r = m->run + i;
        r->place += r->used * sizeof *r->window;
        r->left -= r->used;
        r->used = 0;
        r->shown = r->left < m->most ? r->left : m->most;
        PASS(lm_temporary_look(m->file, r->place, r->shown * sizeof *r->window, m->buffer + i * m->most, &window));
        r->window = window;
    }
    return LEMAN_OK;
}

/* Turns the keys of run i up to the limit, or only those below it, into pairs at `to`; returns their number. */
static size_t use(const lm_merge *m, size_t i, uint64_t limit, bool below, lm_pair *to)
{
    const lm_sorted_run *r = m->run + i;
    size_t used = 0;
    for (; used < r->shown && r->window[used] <= limit && !(below && r->window[used] == limit); used++)
        to[used] = (lm_pair){r->window[used], i * m->most + used};
    return used;
}

leman_status lm_merge_step(lm_merge *m, const lm_pair **pairs, size_t *count)
{
    uint64_t limit = UINT64_MAX;
    size_t all = 0;
    bool below = false; /* an earlier run may have more keys equal to the limit: later runs stop below the limit */
    PASS(show(m));
    for (const lm_sorted_run *r = m->run; r < m->run + m->runs; r++)
        if (r->left > r->shown && r->window[r->shown - 1] < limit) limit = r->window[r->shown - 1];
    for (size_t i = 0; i < m->runs; i++) {
        lm_sorted_run *r = m->run + i;
        r->used = use(m, i, limit, below, m->pair + all);
        all += r->used;
        below |= r->left > r->shown && r->used == r->shown;
    }
    lm_sort_pairs(m->pair, m->pair + m->runs * m->most, all, m->ctx->settings.threads);
    *pairs = m->pair;
    *count = all;
    return LEMAN_OK;
}
