/*
 * The network that leman train begins with if the command line names none and targets are learned: the first of the list
 * below, by published error, whose memory fits the budget and whose work fits a day. The work is counted in operations,
 * and a day is that of a computer of usual speed, so that neither the threads nor the speed of this computer decide.
 * Costs what reading the graphs once takes, for each network that is tried.
 */
#include "base/ascii.h"
#include "base/drop.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/train/train.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Best first. Their errors on ZINC_10k are in docs/networks.md. */
static const leman_network_kind CANDIDATE[] = {LEMAN_NETWORK_KIND_FOLKLORE2, LEMAN_NETWORK_KIND_LOCAL2,
                                               LEMAN_NETWORK_KIND_MESSAGE};
enum { CANDIDATES = sizeof CANDIDATE / sizeof *CANDIDATE, DAY = 24 * 60 * 60, CORES = 8 };

/* Operations that pair networks do in a second: a core, and a CUDA device (docs/training.md). */
static const double CORE_SPEED = 2e10, DEVICE_SPEED = 2e13;

bool lm_train_chooses(const lm_train_options *o, const lm_train_result *r)
{
    const bool targets = leman_dataset_shape(r->data)->columns->targets && r->architecture.preset == LEMAN_PRESET_ZINC;
    return targets && !r->level && !o->model && !o->k && !o->preset && !o->tuples && !o->classes &&
           !lm_train_by_folds(o);
}

/* Returns true, and sets *kind, if the run resumes from the file of a network. */
static bool resumes_as(leman_context *ctx, const lm_train_options *o, leman_network_kind *kind, unsigned *k)
{
    enum { LONGEST = 4096 };
    char path[LONGEST];
    AUTO(leman_network_drop) leman_network *network = NULL;
    if (!o->resume || lm_snprintf(path, sizeof path, "%s", o->checkpoint) >= LONGEST) return false;
    if (o->runs && leman_runs_path(o->checkpoint, 0, path, sizeof path) >= LONGEST) return false;
    if (access(path, F_OK) || leman_network_read(ctx, path, &network)) return false; /* training says what is wrong */
    *kind = leman_network_describe(network)->architecture->kind;
    *k = leman_network_describe(network)->architecture->k;
    return true;
}

static bool trains_on_device(leman_context *ctx)
{
    const char *device = ctx->settings.device;
    if (!device || !strcmp(device, "auto")) return !leman_device_check(ctx, "cuda");
    return lm_begins(device, "cuda");
}

/* What a network needs beyond what there is; an empty text if it is affordable. */
static void shortage(leman_context *ctx, uint64_t bytes, uint64_t budget, double operations, char *text, size_t size)
{
    const double speed = trains_on_device(ctx) ? DEVICE_SPEED : CORES * CORE_SPEED;
    char needs[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    *text = 0;
    if (bytes > budget)
        lm_snprintf(text, size, "needs %s of memory and has %s", lm_bytes_text(bytes, needs),
                    lm_bytes_text(budget, has));
    else if (operations > speed * DAY)
        lm_snprintf(text, size, "needs about %.1f days on %s", operations / speed / DAY,
                    trains_on_device(ctx) ? "a CUDA device" : "8 cores");
}

leman_status lm_train_choose(lm_work *work, const lm_train_options *o, lm_train_set *set, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    leman_architecture *a = &r->architecture;
    const size_t last = (o->encode ? CANDIDATES - 1 : CANDIDATES) - 1; /* the last has no pairs */
    char first[160] = "", name[64], needs[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    uint64_t bytes = 0, budget = 0;
    double operations = 0;
    if (resumes_as(ctx, o, &a->kind, &a->k)) return set(work, o, r);
    for (size_t i = 0; i <= last; i++) {
        char missing[160];
        a->kind = CANDIDATE[i];
        PASS(set(work, o, r));
        PASS(leman_training_demand(ctx, r->data, r->parts, a, &r->training, &bytes, &budget, &operations));
        leman_architecture_paper_name(a, name, sizeof name);
        shortage(ctx, bytes, budget, operations, missing, sizeof missing);
        if (!*missing) break;
        if (!i) lm_snprintf(first, sizeof first, "; %s, which is better, %s", name, missing);
    }
    const double speed = trains_on_device(ctx) ? DEVICE_SPEED : CORE_SPEED * lm_thread_pool_workers(ctx);
    lm_snprintf(r->chosen, sizeof r->chosen,
                "%s: chosen for targets by its published error; it needs %s of %s of memory and about %s for %zu "
                "epoch%s%s; -a decides otherwise",
                name, lm_bytes_text(bytes, needs), lm_bytes_text(budget, has), SECONDS_TEXT(operations / speed),
                r->training.epochs, lm_plural(r->training.epochs), first);
    lm_work_log(work, "%s", r->chosen);
    return LEMAN_OK;
}
