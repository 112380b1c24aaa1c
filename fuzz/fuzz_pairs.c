/* Lists of pairs of graphs: what is accepted has an even number of them. */
#include "reader.h"

static leman_status read_pairs(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                               leman_cleaning *cleaning, leman_dataset **out)
{
    leman_status st = lm_format_pairs.read(ctx, path, bytes, options, cleaning, out);
    if (!st) fuzz_expect((*out)->graphs % 2 == 0 && (*out)->graphs > 0);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, read_pairs, NULL);
}
