/* NCCL, loaded by dlopen(); see nccl.h. The library stays loaded, because it runs threads of its own. */
#include "nn/cuda/nccl.h"
#include <dlfcn.h>
#include <string.h>

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool lm_nccl_load(lm_nccl *nccl)
{
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library && find(library, "ncclGetVersion", &nccl->version) &&
           find(library, "ncclGetErrorString", &nccl->error) && find(library, "ncclGetUniqueId", &nccl->make_id) &&
           find(library, "ncclCommInitRank", &nccl->join) && find(library, "ncclAllReduce", &nccl->sum) &&
           find(library, "ncclAllGather", &nccl->gather) && find(library, "ncclCommAbort", &nccl->leave) &&
           find(library, "ncclCommDestroy", &nccl->end);
}
