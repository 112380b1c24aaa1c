/* The meaning of columns, written block by block. O(columns), without additional memory. */
#include "kernel/features/feature_labels.h"
#include "io/array/npz.h"
#include <stdio.h>
#include <string.h>

enum { NAME = 128, PIECE = 4096 /* columns between two polls for cancellation */ };

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Writes the names of the kernels, which the origin separates by " + "; an empty array if the origin is not known. */
static leman_status kernel_names(const char *text, lm_zip *zip)
{
    size_t count = 0, width = 1;
    AUTO(lm_release_at) char *names = NULL;
    char descr[32];
    if (!text) return LEMAN_OK;
    for (const char *at = text, *end; at; at = end ? end + 3 : NULL, count++) {
        end = strstr(at, " + ");
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        if (length > width) width = length;
    }
    PASS_NEW_ZERO(zip->ctx, names, count * width);
    count = 0;
    for (const char *at = text, *end; at; at = end ? end + 3 : NULL, count++) {
        end = strstr(at, " + ");
        memcpy(names + count * width, at, end ? (size_t)(end - at) : strlen(at));
    }
    snprintf(descr, sizeof descr, "|S%zu", width);
    return lm_npz_array(zip, "kernels", descr, 1, &count, names, width);
}

enum { KERNEL, ROUND, COLOR, MEMBERS };
static const struct {
    const char *name, *type;
    size_t size;
} ARRAYS[MEMBERS] = {[KERNEL] = {"column_kernel", LM_NPY_ORDER "u4", sizeof(uint32_t)},
                     [ROUND] = {"column_round", LM_NPY_ORDER "u4", sizeof(uint32_t)},
                     [COLOR] = {"column_color", LM_NPY_ORDER "u8", sizeof(uint64_t)}};

/* Writes one number for every column. */
static leman_status column_array(const lm_column_map *map, int member, lm_zip *zip)
{
    lm_output *out;
    union {
        uint64_t key[PIECE];
        uint32_t number[PIECE];
    } piece;
    PASS(lm_npz_begin(zip, ARRAYS[member].name, ARRAYS[member].type, 1, &map->columns, &out));
    for (const lm_map_block *b = map->block; b < map->block + map->blocks; b++)
        for (size_t i = 0, part; i < b->count; i += part) {
            part = b->count - i < PIECE ? b->count - i : PIECE;
            if (member == COLOR) PASS(lm_column_map_keys(map, b, i, part, piece.key));
            for (size_t j = 0; member != COLOR && j < part; j++)
                piece.number[j] = member == ROUND ? b->round : b->kernel;
            PASS(lm_output_write(out, &piece, part * ARRAYS[member].size));
            PASS(lm_progress_poll(zip->ctx));
        }
    return lm_zip_member_end(zip);
}

leman_status lm_column_arrays(const void *user, lm_zip *zip)
{
    const lm_column_labels *labels = user;
    PASS(kernel_names(labels->words, zip));
    for (int member = 0; member < MEMBERS; member++) PASS(column_array(labels->map, member, zip));
    return LEMAN_OK;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void put_text(const char *text, lm_output *out)
{
    lm_output_write(out, ",", 1);
    if (text) lm_output_csv_field(out, text, strlen(text), false);
}

leman_status lm_column_table(const lm_column_labels *labels, lm_output *out)
{
    const lm_column_map *map = labels->map;
    char name[NAME], round[16];
    uint64_t key[PIECE];
    lm_output_printf(out, "column,kernel,round,color%s\n", labels->text ? ",substructure" : "");
    for (const lm_map_block *b = map->block; b < map->block + map->blocks; b++) {
        const leman_kernel *kernel = labels->kernels + b->kernel;
        leman_kernels_paper_name(kernel, 1, name, sizeof name);
        snprintf(round, sizeof round, lm_kernel_has_rounds(kernel) ? ",%u," : ",,", b->round);
        for (size_t i = 0; i < b->count; i++) {
            if (i % PIECE == 0) {
                PASS(lm_progress_poll(out->ctx));
                PASS(lm_column_map_keys(map, b, i, b->count - i < PIECE ? b->count - i : PIECE, key));
            }
            lm_output_integer(out, (int64_t)(b->first + i));
            lm_output_write(out, ",", 1);
            lm_output_csv_field(out, name, strlen(name), false);
            lm_output_write(out, round, strlen(round));
            lm_output_printf(out, "%llu", (unsigned long long)key[i % PIECE]);
            if (labels->text) put_text(labels->text[b->first + i], out);
            PASS(lm_output_write(out, "\n", 1));
        }
    }
    return LEMAN_OK;
}
