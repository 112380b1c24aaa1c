/*
 * Files of finished cells. The first byte says whether the checksums of lines are made right. What reads holds cells of
 * rows and columns that exist; anything else is refused.
 */
#include "base/hash.h"
#include "learn/cells.h"
#include "reader.h"
#include <stdio.h>

enum { HEX = 16 };

/* The last sixteen bytes of every line become the checksum of what stands before them and a tab. */
static void fix_checksum(char *bytes, size_t size)
{
    char text[HEX + 1];
    for (size_t at = 0; at < size;) {
        char *stop = memchr(bytes + at, '\n', size - at);
        size_t length = stop ? (size_t)(stop - (bytes + at)) : size - at;
        if (length > HEX) {
            uint64_t sum = lm_checksum(bytes + at, length - HEX - 1, 0);
            snprintf(text, sizeof text, "%016llx", (unsigned long long)sum);
            memcpy(bytes + at + length - HEX, text, HEX);
        }
        at += length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    lm_cells cells = {0};
    if (!size) return 0;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) fix_checksum(file, size - 1);
    leman_status st = lm_cells_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &cells);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    for (size_t i = 0; i < cells.cell.count; i++) {
        const leman_cell *cell = (const leman_cell *)cells.cell.items + i;
        fuzz_expect(cell->quantity < LEMAN_PAPER_QUANTITY_COUNT && cell->state < LEMAN_CELL_STATE_COUNT &&
                    cell->set < LEMAN_PAPER_SET_COUNT);
        fuzz_expect(cell->method < LEMAN_PAPER_METHOD_COUNT && strlen(cell->note) < sizeof cell->note);
        fuzz_expect(lm_cells_find(&cells, cell, true) != NULL);
    }
    lm_cells_close(ctx, &cells);
    free(file);
    leman_context_free(ctx);
    return 0;
}
