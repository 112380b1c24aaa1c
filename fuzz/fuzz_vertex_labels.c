/*
 * Edge lists with a second file of vertex labels: behind the byte of reader.h, the edges, a byte 0xff and the labels.
 * The reader opens the second file itself, so it lies in memory behind a name (Linux).
 */
#include "reader.h"
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[64];
static int descriptor = -1;

static void write_labels(const uint8_t *bytes, size_t size)
{
    if (descriptor < 0) {
        fuzz_expect((descriptor = memfd_create("labels", 0)) >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    fuzz_expect(!ftruncate(descriptor, 0) && pwrite(descriptor, bytes, size, 0) == (ssize_t)size);
}

static leman_status read_both(leman_context *ctx, const char *name, lm_bytes *bytes, const leman_read_options *given,
                              leman_cleaning *cleaning, leman_dataset **out)
{
    leman_read_options options = *given;
    options.vertex_labels = path;
    return lm_format_edge_list.read(ctx, name, bytes, &options, cleaning, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = size ? memchr(bytes + 1, 0xff, size - 1) : NULL;
    if (!end) return 0;
    write_labels(end + 1, size - (size_t)(end + 1 - bytes));
    return fuzz_read(bytes, (size_t)(end - bytes), read_both, NULL);
}
