/* The sets of a data set in batches: computed once with their neighbours and types, then copied (inputs.h). */
#include "graph/dataset.h"
#include "nn/encode/inputs.h"

/* Computes the types of all sets of list i. O(sets). */
static void find_types(lm_inputs *in, size_t i)
{
    const lm_sets *s = in->sets + i;
    const size_t members = lm_set_members(s->kind);
    for (size_t g = 0; g < in->data->graphs; g++) {
        const uint32_t *label = in->label + in->data->graph_start[g];
        for (uint64_t set = s->first[g]; set < s->first[g + 1]; set++)
            in->set_type[i][set] =
                lm_encoding_set_type(in->encoding, i, s->member + set * members, s->joined[set], label);
    }
}

leman_status lm_inputs_find_sets(lm_inputs *in)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < LM_LISTS; i++) {
        if (!in->encoding->options.sets[i]) continue;
        TRY(lm_sets_compute(in->ctx, in->data, in->encoding->options.sets[i], in->sets + i));
        NEW(in->ctx, in->set_type[i], in->sets[i].first[in->data->graphs]);
        find_types(in, i);
    }
done:
    return st;
}

void lm_inputs_write_sets(lm_inputs *in, size_t graph, const size_t first[LM_SUMMED_SPACES], lm_batch *b)
{
    for (size_t i = 0; i < LM_LISTS; i++) {
        const lm_sets *s = in->sets + i;
        const lm_listing *to = b->listed + i;
        if (!to->members) continue;
        const size_t row = first[LM_LISTED + i], link = first[LM_LINKS + i];
        const uint64_t from = s->first[graph], sets = s->first[graph + 1] - from;
        for (uint64_t r = 0; r < sets; r++) {
            for (size_t j = 0; j < to->members; j++)
                to->member[(row + r) * to->members + j] =
                    (uint32_t)first[LM_VERTICES] + s->member[(from + r) * to->members + j];
            to->start[row + r] = (uint32_t)link + s->start[from + r];
            to->type[row + r] = in->set_type[i][from + r];
            in->out_of_vocabulary += to->type[row + r] == LM_NO_TYPE;
        }
        for (uint64_t l = 0; l < s->link[graph + 1] - s->link[graph]; l++)
            to->neighbor[link + l] = (uint32_t)row + s->neighbor[s->link[graph] + l];
    }
}
