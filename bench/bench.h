/* What the benchmarks of colourings and kernels share: contexts, failures, and the yardstick to time beside. */
#ifndef BENCH_H
#define BENCH_H

#include "base/context.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 5, ROUNDS = 5 };

static inline void bench_check(leman_context *ctx, leman_status st)
{
    if (!st) return;
    fprintf(stderr, "benchmark: %s\n", leman_context_message(ctx));
    exit(1);
}

static inline leman_context *bench_context(int threads)
{
    leman_context *ctx = NULL;
    leman_settings settings = leman_settings_default();
    settings.threads = threads;
    if (leman_context_new(&settings, &ctx)) exit(1);
    return ctx;
}

/* Seconds that the program of LEMAN_YARDSTICK prints behind `field` for a TU folder, the best of the repetitions; where
 * field is NULL, those of the whole call. 0 where there is no such program. output: where it puts its matrix, or NULL.
 */
static inline double bench_yardstick(const char *path, const leman_dataset *data, const char *variant, unsigned k,
                                     const char *output, const char *field)
{
    const char *program = getenv("LEMAN_YARDSTICK"), *slash = strrchr(path, '/');
    char command[4096], line[1024];
    double best = 1e9;
    if (!program || !slash) return 0;
    snprintf(command, sizeof command, "%s %.*s %s %d 0 %s %u %d %s 2>&1", program, (int)(slash - path), path, slash + 1,
             leman_dataset_shape(data)->columns->vertex_labels > 0, variant, k, ROUNDS, output ? output : "");
    for (int i = 0; i < REPETITIONS && (i < 2 || best < 5); i++) {
        double began = lm_now();
        FILE *pipe = popen(command, "r");
        if (!pipe) return 0;
        double seconds = 0;
        while (fgets(line, sizeof line, pipe)) {
            const char *found = field ? strstr(line, field) : NULL;
            if (found) seconds = atof(found + strlen(field));
        }
        if (pclose(pipe)) return 0;
        if (!field) seconds = lm_now() - began;
        if (seconds > 0 && seconds < best) best = seconds;
    }
    return best < 1e9 ? best : 0;
}

#endif
