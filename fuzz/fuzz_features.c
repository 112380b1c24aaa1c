/* Files of features (.lmf), in the manner of features.h. What reads is a sound matrix. */
#include "features.h"

static void check(leman_context *ctx, const leman_features *f)
{
    (void)ctx;
    volatile uint64_t touched = 0; /* so that everything is read */
    fuzz_expect(f->start[0] == 0 && f->start[f->rows] == f->entries);
    for (size_t i = 0; i < f->rows; i++) {
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            fuzz_expect(f->column[e] < f->columns && (e == f->start[i] || f->column[e - 1] < f->column[e]));
            touched += f->value[e] > 0;
        }
        if (f->class_label) touched += f->class_label[i] > 0;
        if (f->target) touched += f->target[i] > 0;
    }
    (void)touched;
    for (size_t i = 1; f->feature && i < f->columns; i++)
        fuzz_expect(lm_feature_before(f->feature[i - 1], f->feature[i]));
    for (size_t i = 0, at = 0; i < f->blocks; at += f->block[i++].columns) fuzz_expect(f->block[i].first == at);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const fuzz_features kind = {LM_FEATURES_MAGIC, LM_FEATURES_VERSION, lm_features_parse, check};
    return fuzz_features_run(&kind, bytes, size);
}
