/*
 * What an SDF says about an atom beside its element: charge, isotope, radical, from the atom line or from the property
 * lines M  CHG, M  ISO and M  RAD, which take the place of what atom lines say (CTfile formats, "Properties block").
 *
 * All of it goes into one label, which depends on the atom alone and not on what else the file has, so that models meet
 * the labels they were trained on:
 *
 *   label = atomic number + 1000 charge + 100000 radical + 1000000 isotope, where a negative charge -c counts as 50 + c
 *
 * or, by choice, into label columns of their own. An atom without any of them has its atomic number as label.
 */
#include "io/sdf.h"
#include <stdio.h>
#include <string.h>

enum { ALL = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_RADICAL, NEGATIVE = 50 };
enum { FIRST_PAIR = 9, PAIR = 8, MAX_PAIRS = 99 };

unsigned lm_sdf_atom_labels(unsigned asked)
{
    return asked & ALL ? asked : asked | ALL;
}

size_t lm_sdf_label_columns(unsigned labels)
{
    return labels & LEMAN_ATOM_COLUMNS ? (size_t)__builtin_popcount(labels & ALL) : 1;
}

/* Mass differences of atom lines count from the atomic weight, rounded. */
static int64_t standard_mass(int64_t element)
{
    static const int16_t MASS[] = {0,   1,   4,   7,   9,   11,  12,  14,  16,  19,  20,  23,  24,  27,  28,  31,  32,
                                   35,  40,  39,  40,  45,  48,  51,  52,  55,  56,  59,  59,  64,  65,  70,  73,  75,
                                   79,  80,  84,  85,  88,  89,  91,  93,  96,  98,  101, 103, 106, 108, 112, 115, 119,
                                   122, 128, 127, 131, 133, 137, 139, 140, 141, 144, 145, 150, 152, 157, 159, 163, 165,
                                   167, 169, 173, 175, 178, 181, 184, 186, 190, 192, 195, 197, 201, 204, 207, 209, 209,
                                   210, 222, 223, 226, 227, 232, 231, 238, 237, 244, 243, 247, 247, 251, 252, 257, 258,
                                   259, 262, 267, 268, 269, 270, 269, 278, 281, 282, 285, 286, 289, 290, 293, 294, 294};
    return element > 0 && element < (int64_t)(sizeof MASS / sizeof *MASS) ? MASS[element] : 0;
}

leman_status lm_sdf_read_atom(const lm_text *line, const char *symbol, size_t length, lm_sdf_atom *atom)
{
    leman_status st = LEMAN_OK;
    static const int8_t CHARGES[] = {0, 3, 2, 1, 0, -1, -2, -3};
    const lm_text mass = lm_sdf_columns(line, 34, 2), charge = lm_sdf_columns(line, 36, 3);
    int64_t value;
    *atom = (lm_sdf_atom){.element = lm_element_number(symbol, length)};
    if (length == 1 && *symbol == 'D') atom->named_isotope = 2;
    if (length == 1 && *symbol == 'T') atom->named_isotope = 3;
    if (mass.at < mass.end) {
        TRY(lm_sdf_number(line, 34, 2, "a mass difference", -99, 99, &value));
        if (value && standard_mass(atom->element)) atom->isotope = standard_mass(atom->element) + value;
        if (atom->isotope < 0) atom->isotope = 0;
    }
    if (charge.at < charge.end) {
        TRY(lm_sdf_number(line, 36, 3, "a charge code from 0 to 7", 0, 7, &value));
        atom->charge = CHARGES[value];
        atom->radical = value == 4 ? 2 : 0; /* a doublet */
    }
done:
    return st;
}

/* ---- Property lines -------------------------------------------------------------------------- */

static leman_status read_pair(lm_sdf *sdf, const lm_text *line, size_t at, const char *what, int64_t min, int64_t max,
                              size_t member)
{
    leman_status st = LEMAN_OK;
    char atoms[48];
    int64_t atom, value;
    lm_sdf_atom *all = sdf->atoms.items;
    snprintf(atoms, sizeof atoms, "an atom from 1 to %zu", sdf->atoms.count);
    TRY(lm_sdf_number(line, at, 4, atoms, 1, (int64_t)sdf->atoms.count, &atom));
    TRY(lm_sdf_number(line, at + 4, 4, what, min, max, &value));
    memcpy((char *)(all + atom - 1) + member, &value, sizeof value);
done:
    return st;
}

leman_status lm_sdf_read_property(lm_sdf *sdf, const lm_text *line, lm_sdf_seen *seen)
{
    leman_status st = LEMAN_OK;
    static const struct {
        const char *begin, *what;
        int64_t min, max;
        size_t member;
    } KINDS[] = {{"M  CHG", "a charge from -15 to 15", -15, 15, offsetof(lm_sdf_atom, charge)},
                 {"M  RAD", "a radical from 0 to 3", 0, 3, offsetof(lm_sdf_atom, radical)},
                 {"M  ISO", "a mass from 0 to 999", 0, 999, offsetof(lm_sdf_atom, isotope)}};
    lm_sdf_atom *atom = sdf->atoms.items;
    int64_t pairs;
    size_t kind = 0;
    while (kind < 3 && !lm_sdf_begins(line, KINDS[kind].begin)) kind++;
    if (kind == 3) return LEMAN_OK;
    const bool isotopes = kind == 2, first = isotopes ? !seen->isotopes : !seen->charges;
    for (size_t i = 0; i < sdf->atoms.count && first; i++) { /* the atom lines do not count any more */
        if (isotopes)
            atom[i].isotope = 0;
        else
            atom[i].charge = atom[i].radical = 0;
    }
    seen->isotopes |= isotopes;
    seen->charges |= !isotopes;
    TRY(lm_sdf_number(line, 6, 3, "a number of atoms", 0, MAX_PAIRS, &pairs));
    for (size_t i = 0; i < (size_t)pairs; i++)
        TRY(read_pair(sdf, line, FIRST_PAIR + PAIR * i, KINDS[kind].what, KINDS[kind].min, KINDS[kind].max,
                      KINDS[kind].member));
done:
    return st;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static size_t put_labels(const lm_sdf_atom *atom, unsigned labels, int64_t *out)
{
    const int64_t isotope = atom->isotope ? atom->isotope : atom->named_isotope;
    const int64_t values[] = {atom->element, atom->charge, isotope, atom->radical};
    static const unsigned BITS[] = {LEMAN_ATOM_ELEMENT, LEMAN_ATOM_CHARGE, LEMAN_ATOM_ISOTOPE, LEMAN_ATOM_RADICAL};
    static const int64_t FACTORS[] = {1, 1000, 1000000, 100000};
    size_t count = 0;
    *out = 0;
    for (size_t i = 0; i < 4; i++) {
        if (!(labels & BITS[i])) continue;
        if (labels & LEMAN_ATOM_COLUMNS)
            out[count++] = values[i];
        else
            *out += FACTORS[i] * (values[i] < 0 ? NEGATIVE - values[i] : values[i]);
    }
    return count ? count : 1;
}

int lm_atom_element(int64_t label)
{
    return label > 0 && label % 1000 <= 118 ? (int)(label % 1000) : 0;
}

bool lm_atom_text(int64_t label, char *text, size_t size)
{
    const char *symbol = lm_element_symbol(lm_atom_element(label));
    if (!symbol) return false;
    int charge = (int)(label / 1000 % 100), size_of_charge = charge > NEGATIVE ? charge - NEGATIVE : charge;
    char isotope[24] = "", sign[24] = "";
    if (label >= 1000000) snprintf(isotope, sizeof isotope, "%lld", (long long)(label / 1000000));
    if (size_of_charge > 1) snprintf(sign, sizeof sign, "%d", size_of_charge);
    if (charge) strcat(sign, charge > NEGATIVE ? "-" : "+");
    snprintf(text, size, "%s%s%s%s", isotope, symbol, sign, label / 100000 % 10 ? "\u00b7" : "");
    return true;
}

void lm_sdf_label_atoms(lm_sdf *sdf)
{
    const lm_sdf_atom *atom = sdf->atoms.items;
    const lm_vector *vertex_label = &lm_builder_raw(sdf->builder)->vertex_label;
    const size_t columns = lm_sdf_label_columns(sdf->labels);
    if (!sdf->atoms.count) return; /* nor are there labels yet */
    int64_t *label = (int64_t *)vertex_label->items + vertex_label->count - columns * sdf->atoms.count;
    for (size_t i = 0; i < sdf->atoms.count; i++) {
        sdf->charges += atom[i].charge != 0;
        sdf->isotopes += atom[i].isotope || atom[i].named_isotope;
        sdf->radicals += atom[i].radical != 0;
        label += put_labels(atom + i, sdf->labels, label);
    }
}

void lm_sdf_log_atoms(const lm_sdf *sdf, const char *name)
{
    const struct {
        const char *what;
        size_t atoms;
        unsigned bit;
    } KINDS[] = {{"a charge", sdf->charges, LEMAN_ATOM_CHARGE},
                 {"an isotope", sdf->isotopes, LEMAN_ATOM_ISOTOPE},
                 {"a radical", sdf->radicals, LEMAN_ATOM_RADICAL}};
    char labelled[160] = "", ignored[160] = "";
    for (size_t i = 0; i < 3; i++) {
        char *list = sdf->labels & KINDS[i].bit ? labelled : ignored;
        const size_t used = strlen(list);
        if (KINDS[i].atoms && !used)
            snprintf(list, 160, "%zu atom%s with %s", KINDS[i].atoms, lm_plural(KINDS[i].atoms), KINDS[i].what);
        else if (KINDS[i].atoms)
            snprintf(list + used, 160 - used, ", %zu with %s", KINDS[i].atoms, KINDS[i].what);
    }
    const bool columns = sdf->labels & LEMAN_ATOM_COLUMNS;
    if (*labelled)
        lm_log(sdf->text.ctx, "%s: %s, which %s", name, labelled,
               columns ? "are in label columns of their own" : "have labels of their own");
    if (*ignored) lm_log(sdf->text.ctx, "%s: %s, which is left out as was asked for", name, ignored);
}
