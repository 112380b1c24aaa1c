/*
 * Traces of nauty (McKay and Piperno, Practical graph isomorphism II, 2014), the only file that knows nauty.
 *
 * nauty is loaded when a graph first needs it, so that programs that never ask for a canonical order do not load it. Its
 * working arrays belong to the thread and are freed after every search. It allocates with malloc(), and ends the process
 * if malloc() fails; so the bytes that it is expected to need are allocated from the context first, as a reservation
 * that no page is touched of, and released after the search.
 *
 * A search may take long. If the caller can cancel it, a thread searches while the caller's thread asks the progress
 * callback. nauty has one flag for all searches of the process that ends them. So while the flag is set no search
 * begins, and a search that was ended for another one begins again.
 */
#include "refine/canonical/search.h"
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#ifdef LEMAN_NAUTY
#include <dlfcn.h>
#include <nauty/traces.h>

const char *leman_nauty_version(void)
{
    return LEMAN_NAUTY;
}

/* ---- Loading --------------------------------------------------------------------------------- */

static const char *const FILES[] = {"libnauty.so.2", "libnauty.so"};
static const char *const RELEASE[] = {"traces_freedyn",    "nauty_freedyn",    "nautil_freedyn",
                                      "nausparse_freedyn", "naugraph_freedyn", "schreier_freedyn"};
enum { RELEASES = sizeof RELEASE / sizeof *RELEASE };

static bool load_functions(lm_nauty *nauty)
{
    void *search = dlsym(nauty->library, "Traces");
    memcpy(&nauty->search, &search, sizeof search);
    nauty->kill = dlsym(nauty->library, "nauty_kill_request");
    bool all = nauty->search && nauty->kill;
    for (size_t i = 0; i < RELEASES; i++) {
        void *found = dlsym(nauty->library, RELEASE[i]);
        memcpy(&nauty->release[i], &found, sizeof found);
        all = all && found;
    }
    return all;
}

leman_status lm_nauty_load(leman_context *ctx, lm_nauty *nauty)
{
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        nauty->library = dlopen(FILES[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (nauty->library && load_functions(nauty)) return LEMAN_OK;
        lm_nauty_unload(nauty);
    }
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "colour refinement leaves equal colours, and nauty, which decides such graphs, is missing: found no "
                   "library %s",
                   *FILES);
}

void lm_nauty_unload(lm_nauty *nauty)
{
    if (nauty->library) dlclose(nauty->library);
    *nauty = (lm_nauty){0};
}

/* ---- One search ------------------------------------------------------------------------------ */

typedef struct search {
    const lm_nauty *nauty;
    const lm_search_graph *graph;
    int *label, *partition; /* [vertices] Traces overwrites both */
    sparsegraph canonical;
    TracesStats stats;
    bool cancelled, done; /* protected by search_lock */
} search;

/* search_cancels counts the callers that wait for the end of a search that they cancelled. The condition is signalled
 * when that number or a member of a search changes. */
static pthread_mutex_t search_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t search_changed = PTHREAD_COND_INITIALIZER;
static unsigned search_cancels;

static void call_traces(search *s)
{
    const lm_search_graph *g = s->graph;
    DEFAULTOPTIONS_TRACES(options);
    sparsegraph graph = {.nde = g->arcs,
                         .v = g->start,
                         .nv = (int)g->vertices,
                         .d = g->degree,
                         .e = g->head,
                         .vlen = g->vertices,
                         .dlen = g->vertices,
                         .elen = g->arcs};
    void (*traces)(sparsegraph *, int *, int *, int *, TracesOptions *, TracesStats *, sparsegraph *);
    memcpy(&traces, &s->nauty->search, sizeof traces);
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    memcpy(s->label, g->order, g->vertices * sizeof *g->order);
    memcpy(s->partition, g->joined, g->vertices * sizeof *g->joined);
    traces(&graph, s->label, s->partition, g->orbit, &options, &s->stats, &s->canonical);
    for (size_t i = 0; i < RELEASES; i++) s->nauty->release[i]();
}

/* Searches until the search is complete or cancelled, not only ended together with another one. */
static void *run_search(void *state)
{
    search *s = state;
    pthread_mutex_lock(&search_lock);
    do {
        while (search_cancels && !s->cancelled) pthread_cond_wait(&search_changed, &search_lock);
        if (s->cancelled) break;
        pthread_mutex_unlock(&search_lock);
        call_traces(s);
        pthread_mutex_lock(&search_lock);
    } while (s->stats.errstatus == NAUKILLED);
    s->done = true;
    pthread_cond_broadcast(&search_changed);
    pthread_mutex_unlock(&search_lock);
    return NULL;
}

/* Waits for a search of another thread, and cancels it if the caller asks for that. */
static leman_status wait_for(leman_context *ctx, search *s)
{
    leman_status st = LEMAN_OK;
    pthread_mutex_lock(&search_lock);
    while (!s->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20 * 1000 * 1000;
        if (until.tv_nsec >= 1000 * 1000 * 1000) until.tv_sec++, until.tv_nsec -= 1000 * 1000 * 1000;
        pthread_cond_timedwait(&search_changed, &search_lock, &until);
        if (s->done || s->cancelled) continue;
        pthread_mutex_unlock(&search_lock);
        st = lm_progress_step(ctx, ctx->progress.done);
        pthread_mutex_lock(&search_lock);
        if (!st) continue;
        s->cancelled = true;
        search_cancels++;
        *s->nauty->kill = 1;
        pthread_cond_broadcast(&search_changed);
    }
    if (s->cancelled && !--search_cancels) *s->nauty->kill = 0;
    pthread_cond_broadcast(&search_changed);
    pthread_mutex_unlock(&search_lock);
    return st;
}

static leman_status search_graph(leman_context *ctx, search *s)
{
    enum { QUICK = 64 /* vertices: such a search takes milliseconds */ };
    pthread_t thread;
    if (s->graph->vertices <= QUICK || !ctx->settings.progress || pthread_create(&thread, NULL, run_search, s)) {
        run_search(s);
        return LEMAN_OK;
    }
    const leman_status st = wait_for(ctx, s);
    pthread_join(thread, NULL);
    return st;
}

/* Writes 1 <= mantissa < 10 and the exponent of grpsize1 * 10^grpsize2. */
static void set_size(const TracesStats *stats, leman_symmetry *symmetry)
{
    double mantissa = stats->grpsize1;
    int exponent = stats->grpsize2;
    for (; mantissa >= 10; mantissa /= 10) exponent++;
    *symmetry = (leman_symmetry){.mantissa = mantissa, .exponent = exponent};
}

uint64_t lm_nauty_bytes(size_t vertices, size_t arcs)
{
    return lm_saturating_add(lm_saturating_multiply(vertices, 1024), lm_saturating_multiply(arcs, 32));
}

leman_status lm_nauty_search(leman_context *ctx, const lm_nauty *nauty, const lm_search_graph *g,
                             leman_symmetry *symmetry)
{
    SCRATCH_SCOPE(ctx);
    search s = {.nauty = nauty, .graph = g};
    char *reserved;
    if (g->vertices > INT_MAX || g->arcs > INT_MAX)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "nauty: found %zu vertices and %zu arcs, expected at most %d",
                       g->vertices, g->arcs, INT_MAX);
    s.canonical = (sparsegraph){.vlen = g->vertices, .dlen = g->vertices, .elen = g->arcs};
    PASS_SCRATCH(ctx, s.label, g->vertices);
    PASS_SCRATCH(ctx, s.partition, g->vertices);
    PASS_SCRATCH(ctx, s.canonical.v, g->vertices);
    PASS_SCRATCH(ctx, s.canonical.d, g->vertices);
    PASS_SCRATCH(ctx, s.canonical.e, g->arcs);
    PASS_NEW(ctx, reserved, (size_t)lm_nauty_bytes(g->vertices, g->arcs));
    const leman_status st = search_graph(ctx, &s);
    lm_release(reserved);
    PASS(st);
    if (s.stats.errstatus)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "nauty could not label a graph: its error %d", s.stats.errstatus);
    memcpy(g->order, s.label, g->vertices * sizeof *g->order);
    set_size(&s.stats, symmetry);
    return LEMAN_OK;
}

#else

const char *leman_nauty_version(void)
{
    return NULL;
}

leman_status lm_nauty_load(leman_context *ctx, lm_nauty *nauty)
{
    (void)nauty;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "colour refinement leaves equal colours, and this build has no nauty, which decides such graphs "
                   "(docs/dependencies.md)");
}

void lm_nauty_unload(lm_nauty *nauty)
{
    (void)nauty;
}

uint64_t lm_nauty_bytes(size_t vertices, size_t arcs)
{
    (void)vertices;
    (void)arcs;
    return 0;
}

leman_status lm_nauty_search(leman_context *ctx, const lm_nauty *nauty, const lm_search_graph *graph,
                             leman_symmetry *symmetry)
{
    (void)nauty;
    (void)graph;
    (void)symmetry;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "this build has no nauty");
}

#endif
