/*
 * cuBLASLt, loaded by dlopen(); see cublaslt.h. dlopen() finds the library where the program has loaded it already (as PyTorch does),
 * where LD_LIBRARY_PATH and the system's list of libraries say, and in the run path of this library: in a wheel that is the folder where the
 * package nvidia-cublas puts it (cmake/cuda.cmake). Then the folder of the toolkit is tried that this library was built with. The
 * library stays loaded, because it belongs to the device's context.
 */
#include "nn/cuda/cublaslt.h"
#include <dlfcn.h>
#include <string.h>

#ifndef LEMAN_CUDA_FOLDER
#define LEMAN_CUDA_FOLDER "" /* a wheel must not look into a folder of the machine that made it */
#endif
#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)
#define MAJOR TEXT(CUBLAS_VER_MAJOR)
#define NAME "libcublasLt.so." MAJOR

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

leman_status lm_cublaslt_load(leman_context *ctx, lm_cublaslt *out)
{
    const int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
    void *library = dlopen(NAME, how);
    if (!library && *LEMAN_CUDA_FOLDER) library = dlopen(LEMAN_CUDA_FOLDER "/" NAME, how);
    if (!library)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found no " NAME ", expected cuBLASLt of CUDA " MAJOR
                       ": the Python package nvidia-cublas has it, and so has NVIDIA's toolkit");
#define FIND(theirs, ours) &&find(library, "cublasLt" #theirs, &out->ours)
    if (true LM_CUBLASLT_FUNCTIONS(FIND)) return LEMAN_OK;
#undef FIND
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, NAME " lacks a function of cuBLASLt that is needed");
}
