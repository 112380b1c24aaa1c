/* The report page: sections one after the other, each in its own file. */
#include "report/report.h"

leman_status leman_report_write(leman_context *ctx, const leman_dataset *data, const leman_method *methods,
                                size_t count, const char *command, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_output out = {0};
    lm_report r;
    TRY(lm_report_prepare(ctx, data, methods, count, &r));
    TRY(lm_output_open(ctx, path, &out));
    r.out = &out;
    r.command = command;
    lm_page_begin(&out, r.shape->name,
                  "What graph kernels make of a data set: scores, similarities, discriminative colours.");
    lm_report_head(&r);
    lm_report_data(&r);
    TRY(lm_report_scores(&r));
    TRY(lm_report_training(&r));
    lm_report_confusion(&r);
    TRY(lm_report_predictions(&r));
    TRY(lm_report_similarity(&r));
    TRY(lm_report_discriminative(&r));
    TRY(lm_report_times(&r));
    lm_report_origin(&r);
    lm_page_end(&out);
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
