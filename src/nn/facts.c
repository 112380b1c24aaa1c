/*
 * What determines a run of training, besides the parts of its data: written with what it leaves, and compared when
 * somebody wants to go on from there. The sentence says what differs.
 */
#include "nn/facts.h"

typedef struct fact {
    const char *name;
    double value;
} fact;

static leman_status pack_list(lm_pack *pack, const fact *list, size_t count)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < count; i++) {
        double value = list[i].value;
        TRY(lm_pack_real(pack, &value));
        if (!(value >= list[i].value && value <= list[i].value))
            TRY(lm_pack_fail(pack, "was trained with %s %g, expected %g", list[i].name, value, list[i].value));
    }
done:
    return st;
}

leman_status lm_facts_pack(lm_pack *pack, uint64_t seed, uint64_t data_checksum, const leman_training *t)
{
    leman_status st = LEMAN_OK;
    const leman_architecture *a = &t->architecture;
    uint64_t found_seed = seed, found_data = data_checksum;
    const fact list[] = {{"model number", a->kind},
                         {"k", a->k},
                         {"preset number", a->preset},
                         {"layers", (double)a->layers},
                         {"width", (double)a->width},
                         {"weights of its own in the fourth layer", a->own_fourth},
                         {"vertex labels ignored", a->ignore_vertex_labels},
                         {"edge labels ignored", a->ignore_edge_labels},
                         {"attributes ignored", a->ignore_attributes},
                         {"coordinates", (double)a->coordinates},
                         {"first coordinate", (double)a->first_coordinate},
                         {"run", (double)t->run},
                         {"graphs in a batch", (double)t->batch},
                         {"learning rate", t->rate},
                         {"patience", (double)t->patience},
                         {"weight decay", t->decay},
                         {"clipping", t->clip},
                         {"squared loss", t->square},
                         {"normalised targets", t->normalize},
                         {"rate by accuracy", t->on_accuracy},
                         {"best strictly", t->strictly}};
    TRY(lm_pack_word(pack, &found_seed));
    if (found_seed != seed)
        TRY(lm_pack_fail(pack, "was trained with seed %llu, expected %llu", (unsigned long long)found_seed,
                         (unsigned long long)seed));
    TRY(pack_list(pack, list, sizeof list / sizeof *list));
    TRY(lm_pack_word(pack, &found_data));
    if (found_data != data_checksum) TRY(lm_pack_fail(pack, "was trained on other data"));
done:
    return st;
}
