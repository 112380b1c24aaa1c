/*
 * What determines a run of training, besides the parts of its data: written with what it leaves, and compared when
 * somebody wants to go on from there. The sentence says what differs.
 */
#include "nn/train/fingerprint.h"
#include <stdio.h>

typedef const char *naming(int value);

typedef struct fact {
    const char *name;
    double value;
    naming *called; /* NULL: a number */
} fact;

static const char *model(int value)
{
    return leman_network_kind_name((leman_network_kind)value);
}

static const char *preset(int value)
{
    return leman_preset_name((leman_preset)value);
}

static const char *yes_no(int value)
{
    return value ? "yes" : "no";
}

/* In the words of whoever runs it. Numbers that are not in the enumeration, from a file, have no name. */
static const char *text_of(const fact *f, double value, char *text, size_t size)
{
    const char *name = f->called && value >= 0 && value < 64 ? f->called((int)value) : NULL;
    if (name) return name;
    snprintf(text, size, "%.17g", value);
    return text;
}

static leman_status serialize_list(lm_serializer *serializer, const fact *list, size_t count)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < count; i++) {
        double value = list[i].value;
        char found[32], expected[32];
        TRY(lm_serialize_real(serializer, &value));
        if (!(value >= list[i].value && value <= list[i].value))
            TRY(lm_serializer_fail(serializer, "was trained with %s %s, expected %s", list[i].name,
                                   text_of(list + i, value, found, sizeof found),
                                   text_of(list + i, list[i].value, expected, sizeof expected)));
    }
done:
    return st;
}

leman_status lm_fingerprint_serialize(lm_serializer *serializer, uint64_t seed, uint64_t data_checksum,
                                      const leman_training *t)
{
    leman_status st = LEMAN_OK;
    const leman_architecture *a = &t->architecture;
    uint64_t found_seed = seed, found_data = data_checksum;
    const fact list[] = {{"the model", a->kind, model},
                         {"k", a->k, NULL},
                         {"the preset", a->preset, preset},
                         {"layers", (double)a->layers, NULL},
                         {"width", (double)a->width, NULL},
                         {"a fourth layer of its own:", a->own_fourth, yes_no},
                         {"vertex labels ignored:", a->ignore_vertex_labels, yes_no},
                         {"edge labels ignored:", a->ignore_edge_labels, yes_no},
                         {"attributes ignored:", a->ignore_attributes, yes_no},
                         {"coordinates", (double)a->coordinates, NULL},
                         {"first coordinate", (double)a->first_coordinate, NULL},
                         {"run", (double)t->run, NULL},
                         {"graphs in a batch", (double)t->batch, NULL},
                         {"learning rate", t->rate, NULL},
                         {"patience", (double)t->patience, NULL},
                         {"weight decay", t->decay, NULL},
                         {"clipping", t->clip, NULL},
                         {"squared loss:", t->square, yes_no},
                         {"scaled targets:", t->normalize, yes_no},
                         {"a rate that follows the accuracy:", t->on_accuracy, yes_no},
                         {"only better epochs as the best:", t->strictly, yes_no}};
    TRY(lm_serialize_word(serializer, &found_seed));
    if (found_seed != seed)
        TRY(lm_serializer_fail(serializer, "was trained with seed %llu, expected %llu", (unsigned long long)found_seed,
                               (unsigned long long)seed));
    TRY(serialize_list(serializer, list, sizeof list / sizeof *list));
    TRY(lm_serialize_word(serializer, &found_data));
    if (found_data != data_checksum) TRY(lm_serializer_fail(serializer, "was trained on other data"));
done:
    return st;
}
