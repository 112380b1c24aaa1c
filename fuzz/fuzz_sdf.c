/* SDF and MOL files. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read_molecules(bytes, size, lm_format_sdf.read);
}
