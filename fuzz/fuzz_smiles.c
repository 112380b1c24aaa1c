/* SMILES, alone on their lines and in tables. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read_molecules(bytes, size, lm_format_smiles.read);
}
