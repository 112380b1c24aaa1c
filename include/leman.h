/*
 * leman.h - sparse higher-order Weisfeiler-Leman: data sets, colourings, kernels, evaluation.
 *
 * The library never prints, never exits and keeps no global state. Every function that can fail returns a leman_status;
 * leman_context_message() returns the message of the last failure. On failure, outputs are left untouched. A context
 * serves one thread of the caller at a time. It may start threads of its own; their number never changes a result.
 * leman/base.h has the rules for arguments, ownership, threads and binary compatibility.
 *
 *   leman_context *ctx = NULL;
 *   leman_dataset *data = NULL;
 *   leman_settings settings = leman_settings_default();
 *   if (leman_context_new(&settings, &ctx)) abort();
 *   if (leman_dataset_read(ctx, "MUTAG.zip", NULL, NULL, &data))
 *       fprintf(stderr, "%s\n", leman_context_message(ctx));
 *   leman_dataset_free(data);
 *   leman_context_free(ctx);
 */
#ifndef LEMAN_H
#define LEMAN_H

#include "leman/attribution.h"
#include "leman/base.h"
#include "leman/canonical.h"
#include "leman/color.h"
#include "leman/evaluate.h"
#include "leman/explain.h"
#include "leman/gp.h"
#include "leman/graph.h"
#include "leman/io.h"
#include "leman/kernel.h"
#include "leman/linear.h"
#include "leman/model.h"
#include "leman/neighbor_sum.h"
#include "leman/neighbors.h"
#include "leman/network.h"
#include "leman/passes.h"
#include "leman/report.h"
#include "leman/runs.h"
#include "leman/substructure.h"
#include "leman/unique.h"

#endif
