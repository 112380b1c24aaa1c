/* SMILES, alone on their lines and in tables. The first byte chooses hydrogens and aromatic bonds too. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, lm_format_smiles.read, NULL);
}
