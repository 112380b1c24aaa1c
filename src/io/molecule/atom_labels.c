/*
 * The label of an atom. The chosen properties form one number:
 *
 *   label = atomic number + 1000 charge + 100000 radical + 1000000 isotope + 10^9 hydrogens
 *           + 10^11 (aromatic + 2 stereochemistry)
 *
 * A negative charge -c counts as 50 + c. The number depends on the atom alone and not on the rest of the file, so that
 * a model finds the labels it was trained on. With LEMAN_ATOM_COLUMNS each property has a label column of its own
 * instead. The label of an atom without these properties is its atomic number.
 */
#include "io/molecule/molecule.h"
#include <stdio.h>
#include <string.h>

enum { NEGATIVE = 50, KINDS = 7 };

static const struct {
    unsigned bit;
    int64_t factor, count; /* the property occupies label / factor % count */
} PARTS[KINDS] = {{LEMAN_ATOM_ELEMENT, 1, 1000},
                  {LEMAN_ATOM_CHARGE, 1000, 100},
                  {LEMAN_ATOM_ISOTOPE, 1000000, 1000},
                  {LEMAN_ATOM_RADICAL, 100000, 10},
                  {LEMAN_ATOM_HYDROGENS, 1000000000, 100},
                  {LEMAN_ATOM_AROMATIC, INT64_C(100000000000), 2},
                  {LM_ATOM_STEREO, INT64_C(200000000000), 5}};

size_t lm_label_columns(unsigned labels)
{
    size_t columns = 0;
    for (size_t i = 0; i < KINDS; i++) columns += (labels & PARTS[i].bit) != 0;
    return labels & LEMAN_ATOM_COLUMNS ? columns : 1;
}

void lm_atom_label(const lm_atom *atom, unsigned labels, int64_t *out)
{
    const int64_t values[KINDS] = {atom->element,   atom->charge,   atom->isotope, atom->radical,
                                   atom->hydrogens, atom->aromatic, atom->stereo};
    *out = 0;
    for (size_t i = 0; i < KINDS; i++) {
        if (!(labels & PARTS[i].bit)) continue;
        if (labels & LEMAN_ATOM_COLUMNS)
            *out++ = values[i];
        else
            *out += PARTS[i].factor * (values[i] < 0 ? NEGATIVE - values[i] : values[i]);
    }
}

lm_atom lm_label_atom(const int64_t *label, unsigned labels)
{
    int64_t values[KINDS] = {0};
    for (size_t i = 0; i < KINDS; i++) {
        if (!(labels & PARTS[i].bit)) continue;
        values[i] = labels & LEMAN_ATOM_COLUMNS ? *label++ : *label / PARTS[i].factor % PARTS[i].count;
    }
    if (!(labels & LEMAN_ATOM_COLUMNS) && values[1] > NEGATIVE) values[1] = NEGATIVE - values[1];
    return (lm_atom){.element = (uint8_t)values[0],
                     .charge = (int8_t)values[1],
                     .isotope = (uint16_t)values[2],
                     .radical = (uint8_t)values[3],
                     .hydrogens = (uint8_t)values[4],
                     .aromatic = values[5] != 0,
                     .stereo = (uint8_t)values[6]};
}

int lm_atom_element(int64_t label)
{
    return label > 0 && label % 1000 <= 118 ? (int)(label % 1000) : 0;
}

size_t leman_atom_symbol(int64_t label, char *text, size_t size)
{
    const char *symbol = lm_element_symbol(lm_atom_element(label));
    int charge = (int)(label / 1000 % 100), size_of_charge = charge > NEGATIVE ? charge - NEGATIVE : charge;
    char isotope[24] = "", sign[24] = "";
    if (!symbol) return (size_t)snprintf(text, text ? size : 0, "%s", "");
    if (label / 1000000 % 1000) snprintf(isotope, sizeof isotope, "%lld", (long long)(label / 1000000 % 1000));
    if (size_of_charge > 1) snprintf(sign, sizeof sign, "%d", size_of_charge);
    if (charge) strcat(sign, charge > NEGATIVE ? "-" : "+");
    return (size_t)snprintf(text, text ? size : 0, "%s%s%s%s", isotope, symbol, sign,
                            label / 100000 % 10 ? "\u00b7" : "");
}
