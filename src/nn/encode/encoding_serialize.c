/* An encoding as part of a file, and checking whether it fits a data set. Members that follow from others are computed
 * again, not stored. Impossible values are rejected. */
#include "graph/dataset.h"
#include "nn/encode/encoding.h"

leman_status lm_encoding_fits(leman_context *ctx, const lm_encoding *e, const leman_dataset *data)
{
    const lm_encoding_options *o = &e->options;
    const leman_columns read = lm_encoding_attributes(o, &data->columns);
    const struct {
        const char *what;
        size_t found, expected;
        bool counts;
    } columns[] = {
        {"vertex labels", data->columns.vertex_labels, e->columns.vertex_labels, !o->ignore_vertex_labels},
        {"edge labels", data->columns.edge_labels, e->columns.edge_labels, !o->ignore_edge_labels},
        {"vertex attributes", read.vertex_attributes, e->columns.vertex_attributes, true},
        {"edge attributes", read.edge_attributes, e->columns.edge_attributes, true},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i].counts && columns[i].found != columns[i].expected)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu column%s of %s, expected %zu, as the network knows",
                           data->name, columns[i].found, lm_plural(columns[i].found), columns[i].what,
                           columns[i].expected);
    if (data->directed != e->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %s graphs, expected %s ones, as the network knows",
                       data->name, data->directed ? "directed" : "undirected", e->directed ? "directed" : "undirected");
    return lm_encoding_check(ctx, e, data);
}

/* ---- Serialising ----------------------------------------------------------------------------- */

/* Keys of `words` words each, in the order of their numbers. */
static leman_status serialize_keys(lm_serializer *serializer, lm_intern *keys, size_t words)
{
    size_t count = lm_intern_count(keys), all = count * words;
    AUTO(lm_release_at) uint64_t *key = NULL;
    PASS(lm_serialize_size(serializer, &count, UINT32_MAX / 2));
    if (serializer->writing) return lm_serialize_array(serializer, &keys->bytes.items, &all, sizeof *key);
    PASS(lm_serialize_array(serializer, (void **)&key, &all, sizeof *key));
    if (words ? all / words != count || all % words : all || count > 1)
        return lm_serializer_fail(serializer, "found %zu word%s of %zu keys, expected %zu word%s for each", all,
                                  lm_plural(all), count, words, lm_plural(words));
    for (size_t i = 0; i < count; i++) {
        uint32_t number = 0;
        PASS(lm_intern_add(serializer->ctx, keys, 0, words ? (const char *)(key + i * words) : "", words * sizeof *key,
                           &number));
        if (number != i) return lm_serializer_fail(serializer, "found key %zu twice", i);
    }
    return LEMAN_OK;
}

/* Means and deviations of the attributes. */
static leman_status serialize_scale(lm_serializer *serializer, lm_encoding *e)
{
    const leman_columns read = lm_encoding_attributes(&e->options, &e->columns);
    const size_t columns = read.vertex_attributes + read.edge_attributes;
    lm_attribute_scale scale = {columns, e->mean, e->deviation};
    const leman_status st = lm_attribute_scale_serialize(serializer, &scale);
    e->mean = scale.mean;
    e->deviation = scale.deviation;
    if (!st && scale.columns != columns)
        return lm_serializer_fail(serializer, "found a scale of %zu attribute%s, expected %zu", scale.columns,
                                  lm_plural(scale.columns), columns);
    return st;
}

static leman_status serialize_all(lm_serializer *serializer, lm_encoding *e)
{
    PASS(lm_serialize_size(serializer, &e->columns.vertex_labels, LM_LABEL_COLUMNS));
    PASS(lm_serialize_size(serializer, &e->columns.edge_labels, LM_LABEL_COLUMNS));
    PASS(lm_serialize_size(serializer, &e->columns.vertex_attributes, UINT32_MAX));
    PASS(lm_serialize_size(serializer, &e->columns.edge_attributes, UINT32_MAX));
    PASS(lm_serialize_bool(serializer, &e->directed));
    PASS(lm_serialize_size(serializer, &e->degrees, UINT32_MAX));
    PASS(lm_serialize_real(serializer, &e->degree_mean));
    PASS(lm_serialize_real(serializer, &e->degree_deviation));
    PASS(serialize_keys(serializer, &e->label, e->columns.vertex_labels + 1));
    PASS(serialize_keys(serializer, &e->edge_label, e->columns.edge_labels));
    PASS(serialize_keys(serializer, &e->type, 1));
    for (size_t i = 0; i < LM_LISTS && e->options.sets[i]; i++) PASS(serialize_keys(serializer, e->set_type + i, 1));
    return e->options.beside ? serialize_scale(serializer, e) : LEMAN_OK;
}

leman_status lm_encoding_serialize(lm_serializer *serializer, const lm_encoding_options *options,
                                   lm_encoding **encoding)
{
    AUTO(lm_encoding_drop) lm_encoding *e = NULL;
    if (serializer->writing) return serialize_all(serializer, *encoding);
    PASS_NEW(serializer->ctx, e, 1);
    *e = (lm_encoding){.ctx = serializer->ctx, .options = *options};
    PASS(serialize_all(serializer, e));
    if (lm_encoding_complete(e)) return lm_serializer_fail(serializer, "found an encoding of graphs that cannot be");
    e->ctx = NULL;
    return HAND_OVER(encoding, e);
}
