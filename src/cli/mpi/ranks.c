/* The ranks of the program, as ranks.h describes them. */
#include "cli/mpi/ranks.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "base/system/system.h"
#include "base/text.h"
#include "cli/mpi/module.h"
#include "cli/process.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An MPI library, its module, and the environment variables that its launcher sets. */
static const struct flavor {
    const char *name, *file, *size, *rank;
} FLAVORS[] = {{"Open MPI", "leman-openmpi.so", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
               {"MPICH", "leman-mpich.so", "PMI_SIZE", "PMI_RANK"},
               {"Open MPI", "leman-openmpi.so", "SLURM_STEP_NUM_TASKS", "PMIX_RANK"}};
enum { COUNT = sizeof FLAVORS / sizeof *FLAVORS, LIBRARIES = 2 };

/* ---- The module ------------------------------------------------------------------------------ */

/* Finds a module: beside the program in a build, or in the folder of an installation. */
static bool find_module(const char *file, char path[PATH_MAX])
{
    static const char *const FOLDERS[] = {"", "../" LEMAN_MODULES "/"};
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) return false;
    own[length] = 0;
    char *slash = strrchr(own, '/');
    if (!slash) return false;
    slash[1] = 0;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
        if (snprintf(path, PATH_MAX, "%s%s%s", own, FOLDERS[i], file) < PATH_MAX && !access(path, R_OK)) return true;
    return false;
}

const char *lm_process_ranks_names(char *text, size_t size)
{
    char path[PATH_MAX];
    lm_joined list = lm_joined_begin(text, size);
    for (size_t i = 0; i < LIBRARIES; i++)
        if (find_module(FLAVORS[i].file, path)) lm_joined_name(&list, FLAVORS[i].name);
    if (!list.used) lm_joined_name(&list, "not built in");
    return text;
}

static long number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Loads a module and returns its functions, or NULL and the reason in why[size]. */
static const lm_mpi_module *load(const struct flavor *flavor, char *why, size_t size)
{
    char path[PATH_MAX];
    if (!find_module(flavor->file, path)) {
        snprintf(why, size, "this build has no %s", flavor->name);
        return NULL;
    }
    /* Parts of Open MPI look up its symbols among the global ones. The library is never unloaded. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    const lm_mpi_module *(*module)(void) = NULL;
    if (library) *(void **)&module = dlsym(library, LM_MPI_MODULE_SYMBOL);
    const char *error = module ? NULL : dlerror();
    const lm_mpi_module *found = module ? module() : NULL;
    if (!found) snprintf(why, size, "%s", error ? error : path);
    if (found && strcmp(found->version, leman_version()) != 0) {
        snprintf(why, size, "%s is of Leman %s, expected %s", path, found->version, leman_version());
        found = NULL;
    }
    if (library) dlclose(library);
    return found;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Gives each rank of a computer one CUDA device, unless CUDA_VISIBLE_DEVICES is set. */
static void choose_device(const size_t local[2])
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char name[64];
    size_t devices = 0;
    if (visible || local[0] < 2) return;
    while (snprintf(name, sizeof name, "/dev/nvidia%zu", devices) > 0 && !access(name, F_OK)) devices++;
    if (devices < 2) return;
    snprintf(name, sizeof name, "%zu", local[1] % devices);
    setenv("CUDA_VISIBLE_DEVICES", name, 0);
}

bool lm_process_ranks_join(lm_process_ranks *ranks)
{
    char why[PATH_MAX + 256];
    const struct flavor *flavor = NULL;
    const char *wanted = getenv("LEMAN_MPI");
    *ranks = (lm_process_ranks){.communicator = leman_communicator_default(), .local = {1, 0}};
    for (size_t i = 0; i < COUNT && !flavor; i++)
        if (number(FLAVORS[i].size) > 1 && getenv(FLAVORS[i].rank)) flavor = FLAVORS + i;
    if (!flavor || (wanted && !strcmp(wanted, "0"))) return true;
    const lm_mpi_module *module = load(flavor, why, sizeof why);
    if (!module) {
        if (!number(flavor->rank))
            fprintf(stderr, "leman: started as rank %s of %s ranks of %s, which cannot be used: %s\n",
                    getenv(flavor->rank), getenv(flavor->size), flavor->name, why);
        return false;
    }
    if (module->begin(lm_process_interrupted, &ranks->communicator, ranks->local)) {
        fprintf(stderr, "leman: rank %s cannot join the others by %s\n", getenv(flavor->rank), flavor->name);
        return false;
    }
    ranks->module = module;
    choose_device(ranks->local);
    return true;
}

leman_status lm_process_ranks_compare(leman_context *ctx, const lm_process_ranks *ranks, uint64_t command)
{
    enum { VERSION, COMMAND, WORDS };
    static const char *const WHAT[WORDS] = {"another version of Leman", "another command line"};
    const leman_communicator *c = &ranks->communicator;
    const uint64_t mine[WORDS] = {lm_checksum(leman_version(), strlen(leman_version()), 0), command};
    size_t *bytes = NULL;
    uint64_t *all = NULL;
    if (!ranks->module) return LEMAN_OK;
    PASS_SCRATCH(ctx, bytes, c->ranks);
    PASS_SCRATCH(ctx, all, WORDS * c->ranks);
    for (size_t r = 0; r < c->ranks; r++) bytes[r] = sizeof mine;
    if (c->gather(c->state, mine, bytes, all))
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "rank %zu of %zu: the ranks cannot reach each other", c->rank,
                       c->ranks);
    for (size_t word = 0; word < WORDS; word++)
        for (size_t r = 1; r < c->ranks; r++)
            if (all[WORDS * r + word] != all[word])
                return lm_fail(
                    ctx, LEMAN_ERROR_INPUT,
                    "rank %zu of %zu: found %s than on rank 0, expected the same on all ranks, but for names of files",
                    r, c->ranks, WHAT[word]);
    return LEMAN_OK;
}

void lm_process_ranks_share(const lm_process_ranks *ranks, leman_settings *settings)
{
    const size_t local = ranks->local[0];
    settings->communicator = &ranks->communicator;
    if (local < 2) return;
    if (!settings->threads) {
        const int all = lm_system_processors(), cores = lm_system_own_processors();
        settings->threads = cores < all ? cores : cores / (int)local; /* mpirun may have bound it to cores */
        if (settings->threads < 1) settings->threads = 1;
    }
    if (!settings->memory) settings->memory = lm_memory_free() / local;
}

bool lm_process_ranks_finish(const lm_process_ranks *ranks, bool failed, bool *alone)
{
    const int rank = (int)ranks->communicator.rank, count = (int)ranks->communicator.ranks;
    const bool interrupted = lm_process_interrupted(); /* perhaps by mpirun after another rank failed */
    *alone = false;
    if (!ranks->module) return failed;
    const int first = ranks->module->finish(failed && !interrupted, failed ? 2 + 0.1 * rank : 0);
    *alone = failed && first < 0;
    if (!failed || (interrupted && *alone)) return false;
    return *alone || first == rank || (first >= count && !rank);
}

void lm_process_ranks_end(const lm_process_ranks *ranks, bool alone, int status)
{
    if (!ranks->module) return;
    if (alone)
        ranks->module->abort(status);
    else
        ranks->module->end();
}

/* ---- What it took ---------------------------------------------------------------------------- */

leman_status lm_ranks_json(leman_context *ctx, lm_json *json)
{
    leman_status st = LEMAN_OK;
    const leman_traffic own = leman_context_traffic(ctx);
    leman_traffic *all = NULL;
    if (!lm_has_ranks(ctx)) return st;
    lm_ranks_begin(ctx);
    SCRATCH(ctx, all, lm_rank_count(ctx));
    TRY(lm_ranks_gather_equal(ctx, &own, sizeof own, all));
    LM_PUT_ROWS(json, json->object, "ranks", rank, all, lm_rank_count(ctx), KEY("rank", i), MEMBER(rank, calls),
                MEMBER(rank, messages), MEMBER(rank, sent), MEMBER(rank, received), MEMBER(rank, work));
done:
    return lm_ranks_end(ctx, st);
}
