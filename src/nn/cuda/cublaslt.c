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
#define NAME "libcublasLt.so." TEXT(CUBLAS_VER_MAJOR)

leman_status lm_cublaslt_load(leman_context *ctx, lm_cublaslt *out)
{
    const int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
    void *library = dlopen(NAME, how);
    if (!library && *LEMAN_CUDA_FOLDER) library = dlopen(LEMAN_CUDA_FOLDER "/" NAME, how);
    if (!library)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found no " NAME ", expected cuBLASLt of CUDA " TEXT(
                           CUBLAS_VER_MAJOR) ": the Python package nvidia-cublas has it, and so has NVIDIA's toolkit");
#define FIND(theirs, ours)                                                                                             \
    {                                                                                                                  \
        void *symbol = dlsym(library, "cublasLt" #theirs);                                                             \
        if (!symbol) return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, NAME " has no function cublasLt" #theirs "()");      \
        memcpy(&out->ours, &symbol, sizeof symbol);                                                                    \
    }
    LM_CUBLASLT_FUNCTIONS(FIND)
#undef FIND
    return LEMAN_OK;
}
