/* The sets of a data set in batches: computed once with their neighbours and types, then copied (inputs.h). */
#include "graph/dataset.h"
#include "nn/encode/inputs.h"

leman_status lm_inputs_find_sets(lm_inputs *in)
{
    for (size_t i = 0; i < LM_LISTS && in->encoding->options.sets[i]; i++) {
        lm_sets *s = in->sets + i;
        PASS(lm_sets_compute(in->ctx, in->data, in->encoding->options.sets[i], s));
        PASS_NEW(in->ctx, in->set_type[i], s->first[in->data->graphs]);
        for (size_t g = 0; g < in->data->graphs; g++)
            for (uint64_t set = s->first[g]; set < s->first[g + 1]; set++)
                PASS(lm_encoding_set_type(in->encoding, i, s->member + set * lm_set_members(s->kind), s->joined[set],
                                          in->label + in->data->graph_start[g], in->set_type[i] + set));
    }
    return LEMAN_OK;
}

void lm_inputs_write_sets(lm_inputs *in, size_t graph, const size_t first[LM_SUMMED_SPACES], lm_batch *b)
{
    for (size_t i = 0; i < LM_LISTS; i++) {
        const lm_sets *s = in->sets + i;
        const lm_listing *to = b->listed + i;
        if (!s->kind) continue;
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
