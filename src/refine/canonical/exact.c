/*
 * Exact hashes: SHA-256 of canonical forms. Two graphs have the same form if and only if they are isomorphic, and nobody
 * knows two texts with the same SHA-256. Time: canonical orders, then linear in the forms, which are not stored.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "io/download/digest.h"
#include "refine/canonical/canonical.h"
#include <stdio.h>

_Static_assert(sizeof(leman_exact_hash) == LM_SHA256_BYTES, "an exact hash is a SHA-256");

/* Returns true if the vertices have coordinates of atoms, which differ between drawings of one molecule. */
static bool has_drawings(const leman_dataset *data)
{
    return data->reading & LEMAN_READING_MOLECULES && !(data->reading & LEMAN_READING_ASSUMED) &&
           data->columns.vertex_attributes;
}

leman_status leman_exact_hashes(leman_context *ctx, const leman_dataset *data, leman_exact_hash *hash)
{
    AUTO(leman_dataset_drop) leman_dataset *bare = NULL, *canonical = NULL;
    REQUIRE(ctx, data, hash);
    leman_columns kept = data->columns;
    kept.vertex_attributes = 0;
    if (has_drawings(data)) PASS(leman_dataset_keep(ctx, data, &kept, &bare));
    PASS(leman_dataset_canonical(ctx, bare ? bare : data, NULL, NULL, &canonical));
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(canonical, i);
        lm_graph_digest(&g, hash[i].digest);
    }
    return LEMAN_OK;
}

size_t leman_exact_hash_text(const leman_exact_hash *hash, size_t bytes, char *text, size_t size)
{
    char whole[LEMAN_EXACT_HASH_TEXT] = "lm1:";
    if (bytes > sizeof hash->digest) bytes = sizeof hash->digest;
    for (size_t i = 0; hash && i < bytes; i++) snprintf(whole + 4 + 2 * i, 3, "%02x", hash->digest[i]);
    return (size_t)snprintf(text, size, "%s", hash ? whole : "");
}
