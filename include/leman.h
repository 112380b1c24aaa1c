/*
 * leman.h - sparse higher-order Weisfeiler-Leman: data sets, colourings, kernels, evaluation.
 *
 * The library never prints, never exits and keeps no global state. Every call that can fail returns a leman_status;
 * the sentence that goes with it is leman_context_message(). A context serves one thread of the caller at a time and
 * may run several threads of its own; their number never changes a result. On failure, outputs are left untouched.
 * leman/base.h says what holds for arguments, ownership, threads and binary compatibility.
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
#include "leman/color.h"
#include "leman/evaluate.h"
#include "leman/explain.h"
#include "leman/graph.h"
#include "leman/io.h"
#include "leman/kernel.h"
#include "leman/model.h"
#include "leman/network.h"
#include "leman/report.h"

#endif
