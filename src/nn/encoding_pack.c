/* An encoding as part of a file, and whether a data set may be read with it. What follows from the rest is found again,
 * not stored; what cannot be is refused. */
#include "graph/dataset.h"
#include "nn/encoding.h"

leman_status lm_encoding_fits(leman_context *ctx, const lm_encoding *e, const leman_dataset *data)
{
    const lm_encoding_options *o = &e->options;
    const struct {
        const char *what;
        size_t found, expected;
        bool counts;
    } columns[] = {
        {"vertex labels", data->columns.vertex_labels, e->columns.vertex_labels, !o->ignore_vertex_labels},
        {"edge labels", data->columns.edge_labels, e->columns.edge_labels, !o->ignore_edge_labels},
        {"vertex attributes", data->columns.vertex_attributes, e->columns.vertex_attributes, o->parts},
        {"edge attributes", data->columns.edge_attributes, e->columns.edge_attributes, o->parts},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i].counts && !(i > 1 && o->ignore_attributes) && columns[i].found != columns[i].expected)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu columns of %s, expected %zu, as the network knows",
                           data->name, columns[i].found, columns[i].what, columns[i].expected);
    if (data->directed != e->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %s graphs, expected %s ones, as the network knows",
                       data->name, data->directed ? "directed" : "undirected", e->directed ? "directed" : "undirected");
    return LEMAN_OK;
}

/* ---- Packing --------------------------------------------------------------------------------- */

static leman_status pack_options(lm_pack *pack, lm_encoding_options *o)
{
    leman_status st = LEMAN_OK;
    size_t k = o->k;
    bool *const flags[] = {&o->parts,
                           &o->dense,
                           &o->edges,
                           &o->joined,
                           &o->ignore_vertex_labels,
                           &o->ignore_edge_labels,
                           &o->ignore_attributes};
    TRY(lm_pack_size(pack, &k, LM_NETWORK_MOST_K));
    if (!k) TRY(lm_pack_fail(pack, "found 0, expected the size of tuples"));
    o->k = (unsigned)k;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) TRY(lm_pack_bool(pack, flags[i]));
    TRY(lm_pack_size(pack, &o->coordinates, SIZE_MAX));
    TRY(lm_pack_size(pack, &o->first_coordinate, SIZE_MAX));
    TRY(lm_pack_size(pack, &o->rounds, LM_NETWORK_MOST_ROUNDS));
done:
    return st;
}

/* Keys of `words` words each, in the order of their numbers. */
static leman_status pack_keys(lm_pack *pack, lm_intern *keys, size_t words)
{
    leman_status st = LEMAN_OK;
    size_t count = lm_intern_count(keys), all = count * words;
    uint64_t *key = pack->writing ? keys->bytes.items : NULL;
    TRY(lm_pack_size(pack, &count, UINT32_MAX / 2));
    TRY(lm_pack_array(pack, (void **)&key, &all, sizeof *key));
    if (pack->writing) return LEMAN_OK;
    if (words ? all / words != count || all % words : all || count > 1)
        TRY(lm_pack_fail(pack, "found %zu words of %zu keys, expected %zu words for each", all, count, words));
    for (size_t i = 0; i < count; i++) {
        uint32_t number = 0;
        TRY(lm_intern_add(pack->ctx, keys, 0, words ? (const char *)(key + i * words) : "", words * sizeof *key,
                          &number));
        if (number != i) TRY(lm_pack_fail(pack, "found key %zu twice", i));
    }
done:
    if (!pack->writing) lm_free(pack->ctx, key);
    return st;
}

static leman_status pack_all(lm_pack *pack, lm_encoding *e)
{
    leman_status st = LEMAN_OK;
    TRY(pack_options(pack, &e->options));
    TRY(lm_pack_size(pack, &e->columns.vertex_labels, LM_LABEL_COLUMNS));
    TRY(lm_pack_size(pack, &e->columns.edge_labels, LM_LABEL_COLUMNS));
    TRY(lm_pack_size(pack, &e->columns.vertex_attributes, UINT32_MAX));
    TRY(lm_pack_size(pack, &e->columns.edge_attributes, UINT32_MAX));
    TRY(lm_pack_bool(pack, &e->directed));
    TRY(lm_pack_size(pack, &e->degrees, UINT32_MAX));
    TRY(lm_pack_real(pack, &e->degree_mean));
    TRY(lm_pack_real(pack, &e->degree_deviation));
    TRY(pack_keys(pack, &e->label, e->columns.vertex_labels + 1));
    TRY(pack_keys(pack, &e->edge_label, e->columns.edge_labels));
    TRY(pack_keys(pack, &e->type, 1));
done:
    return st;
}

leman_status lm_encoding_pack(lm_pack *pack, lm_encoding **encoding)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = pack->ctx;
    lm_encoding *e = NULL;
    if (pack->writing) return pack_all(pack, *encoding);
    NEW(ctx, e, 1);
    *e = (lm_encoding){.ctx = ctx};
    TRY(pack_all(pack, e));
    if (lm_encoding_complete(e)) TRY(lm_pack_fail(pack, "found an encoding of graphs that cannot be"));
    *encoding = e;
done:
    if (st) lm_encoding_free(e);
    return st;
}
