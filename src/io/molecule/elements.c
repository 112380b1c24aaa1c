/* Converts element symbols to atomic numbers and back. Case is ignored, because old files write CL and BR. */
#include "base/ascii.h"
#include "io/molecule/molecule.h"
#include <string.h>

static const char *const ELEMENTS[] = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
    "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
    "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
    "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
    "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
    "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
    "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

_Static_assert(sizeof ELEMENTS / sizeof *ELEMENTS == 118, "every element once");

/* Any atom, any but carbon, halogens, metals, each also with hydrogen; atom lists, lone pairs and R groups. */
static const char *const PLACEHOLDERS[] = {"*", "A", "Q", "X", "M", "L", "R", "R#", "LP", "AH", "QH", "XH", "MH"};

int lm_element_number(const char *symbol, size_t length)
{
    for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++)
        if (lm_is_word(symbol, length, ELEMENTS[i])) return (int)i + 1;
    if (lm_is_word(symbol, length, "D") || lm_is_word(symbol, length, "T")) return 1;
    for (size_t i = 0; i < sizeof PLACEHOLDERS / sizeof *PLACEHOLDERS; i++)
        if (lm_is_word(symbol, length, PLACEHOLDERS[i])) return 0;
    bool numbered = length > 1 && (*symbol == 'R' || *symbol == 'r');
    for (size_t i = 1; i < length; i++) numbered = numbered && symbol[i] >= '0' && symbol[i] <= '9';
    return numbered ? 0 : -1;
}

const char *lm_element_symbol(int number)
{
    const int count = (int)(sizeof ELEMENTS / sizeof *ELEMENTS);
    return number >= 1 && number <= count ? ELEMENTS[number - 1] : NULL;
}
