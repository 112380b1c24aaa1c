/* Loading libraries; posix.h. */
#ifndef LM_DLFCN_H
#define LM_DLFCN_H

#define RTLD_NOW 0
#define RTLD_LOCAL 0
#define RTLD_GLOBAL 0
#define RTLD_NODELETE 0
void *dlopen(const char *path, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
/* The reason of the last failure, or NULL. */
char *dlerror(void);

#endif
