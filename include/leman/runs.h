/*
 * leman/runs.h - several runs of a training on the same parts, for means and deviations over random starts.
 */
#ifndef LEMAN_RUNS_H
#define LEMAN_RUNS_H

#include "leman/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs on the same parts with different initial weights and orders. Means and population deviations are over the best
 * epochs of the runs: percentages of graphs (for tasks: labels) classified correctly, or errors of targets. Deviations
 * of a single run are NAN, and so are all numbers of a test part that does not exist. Free with leman_runs_free(). */
typedef struct leman_runs {
    size_t runs;             /* fewer than requested if the runs were cancelled */
    leman_history **history; /* [runs] */
    size_t best;             /* the run whose best epoch validates best; the first of equal runs */
    size_t finished;         /* runs that had already ended in their checkpoints */
    bool classes;            /* classes or tasks, not targets */
    double val_mean, val_std, test_mean, test_std;
    double score_mean, score_std;     /* of the test part, by selected_by of the histories */
    double mae_mean, mae_std;         /* of the test part: mae of leman_history_standardized() */
    double log_mae_mean, log_mae_std; /* of the test part: log_mae of leman_history_standardized() */
} leman_runs;

/*
 * Calls leman_train() `runs` times, with run numbers training->run, training->run + 1, and so on. *network is that of
 * the run that validates best. Each run has its own checkpoint: run 3 of "net.lmn" is "net.run3.lmn"
 * (leman_runs_path()). At the end the checkpoint of the best run is copied to "net.lmn". With resume, runs continue
 * from their checkpoints, and runs that have ended are not repeated. runs and training->epochs must be at least 1.
 * If on_epoch returns false, its run ends, and the next one begins. The progress callback of the context ends all runs,
 * also between two of them: as in leman_train() the function returns LEMAN_ERROR_CANCELLED then and sets *network and
 * *out to the runs that have an epoch. Time: the sum of the runs.
 */
LEMAN_API leman_status leman_train_runs(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                        const leman_architecture *architecture, const leman_training *training,
                                        size_t runs, leman_network **network, leman_runs **out);
LEMAN_API void leman_runs_free(leman_runs *runs);
/* Writes the path of the file of one run into text[size]; returns the length of the whole, as snprintf() does. */
LEMAN_API size_t leman_runs_path(const char *path, size_t run, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
