# OpenBLAS as a copy of our own: private.o, one object with the functions that src/base/private.h lists.
#
# The library has threads of its own and calls BLAS from each, so a serial OpenBLAS is what it needs. A shared one would
# be the one that the program around us uses (the loader knows one library of a name), with that program's number of
# threads. It is therefore linked from its archive, and all its symbols but ours are made local: nothing of it is seen
# from outside, in libleman.so and in libleman.a alike.
# A serial OpenBLAS hands out work space without a lock, and waits for ever where there is no memory for it; those calls
# are led to src/base/private.c, which has a lock and can fail. So is its question for OPENBLAS_CORETYPE, which is how
# private.c chooses kernels for a processor that OpenBLAS does not know.
#
# Without the archive, or with LEMAN_SHARED_BLAS, the shared library is used, and the summary says so. The host's BLAS and
# its number of threads are used then, so that more threads than asked for may run.
#
# Gives BLAS_INCLUDE, numeric_libraries (what libleman.so and those who link libleman.a need beside private.o),
# private_object, and private_copy: what was found, or why there is none and shared libraries are used.
set(private_object ${PROJECT_BINARY_DIR}/private.o)
set(private_copy "")
find_library(SERIAL_OPENBLAS NAMES libopenblas.a PATH_SUFFIXES openblas-serial)
if(SERIAL_OPENBLAS)
  cmake_path(GET SERIAL_OPENBLAS PARENT_PATH serial_folder)
  find_path(SERIAL_OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-serial HINTS ${serial_folder}/../include)
endif()

# CMake takes LLVM's tools beside clang. Its linker cannot join the groups of sections of an archive, and its objcopy
# decides which symbols stay global before it renames them: GNU's are taken where they are there.
set(private_linker ${CMAKE_LINKER})
set(private_objcopy ${CMAKE_OBJCOPY})
find_program(GNU_LINKER ld.bfd)
find_program(GNU_OBJCOPY objcopy)
mark_as_advanced(GNU_LINKER GNU_OBJCOPY)
if(CMAKE_LINKER MATCHES "lld" AND GNU_LINKER)
  set(private_linker ${GNU_LINKER})
endif()
if(CMAKE_OBJCOPY MATCHES "llvm" AND GNU_OBJCOPY)
  set(private_objcopy ${GNU_OBJCOPY})
endif()

# Runs a command of making private.o, unless one before it failed.
macro(private_step why)
  if(NOT private_problem)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE step_result ERROR_VARIABLE step_error OUTPUT_QUIET)
    if(step_result)
      string(REGEX REPLACE "\n.*" "" step_error "${step_error}")
      set(private_problem "${why} (${step_error})")
    endif()
  endif()
endmacro()

# Kernels for x86-64 that are left out, and those that their processors get instead: never ones with instructions that the
# processor lacks. Kernels for SSE3, SSE4.2, AVX, AVX2 and AVX-512 remain, and Opteron's, which has SSE2 alone. Tables of names in
# capitals are what OpenBLAS chooses between; a linker takes in what a table names, most of it never used.
set(private_replaced CORE2=PRESCOTT PENRYN=PRESCOTT DUNNINGTON=PRESCOTT OPTERON_SSE3=PRESCOTT BARCELONA=PRESCOTT BOBCAT=PRESCOTT ATOM=PRESCOTT
    NANO=PRESCOTT BULLDOZER=SANDYBRIDGE PILEDRIVER=SANDYBRIDGE STEAMROLLER=SANDYBRIDGE EXCAVATOR=SANDYBRIDGE ZEN=HASWELL COOPERLAKE=SKYLAKEX)

# Writes private.o. Sets private_problem to what stands in the way.
function(private_make)
  file(STRINGS src/base/private.h lines REGEX "^#define [a-z_]+ lm_private_")
  foreach(line ${lines})
    string(REGEX REPLACE "^#define ([a-z_]+) (.*)" "\\1;\\2" names "${line}")
    list(GET names 0 theirs)
    list(GET names 1 ours)
    list(APPEND wanted -u ${theirs})
    list(APPEND renamed --redefine-sym ${theirs}=${ours} --keep-global-symbol=${ours})
  endforeach()
  file(STRINGS ${SERIAL_OPENBLAS} tables REGEX "^gotoblas_[A-Z0-9_]+$")
  foreach(pair ${private_replaced})
    string(REGEX REPLACE "(.*)=(.*)" "gotoblas_\\1;gotoblas_\\2" names ${pair})
    list(GET names 0 left_out)
    list(GET names 1 instead)
    if(left_out IN_LIST tables AND instead IN_LIST tables)
      list(APPEND wanted -u ${instead} --defsym ${left_out}=${instead})
    endif()
  endforeach()
  private_step("the archive cannot be joined" ${private_linker} -r --force-group-allocation ${wanted}
               --wrap=blas_memory_alloc --wrap=blas_memory_free -o ${private_object} ${SERIAL_OPENBLAS})
  foreach(call alloc free) # work space comes from src/base/private.c
    list(APPEND renamed --redefine-sym __wrap_blas_memory_${call}=lm_private_work_${call} --redefine-sym
                blas_memory_${call}=lm_private_blas_memory_${call} --keep-global-symbol=lm_private_blas_memory_${call})
  endforeach()
  foreach(name gotoblas:table gotoblas_dynamic_init:choose gotoblas_corename:core) # the choice of kernels, if there is one
    string(REGEX REPLACE "(.*):(.*)" "\\1;lm_private_blas_\\2" names ${name})
    list(GET names 0 theirs)
    list(GET names 1 ours)
    list(APPEND renamed --redefine-sym ${theirs}=${ours} --keep-global-symbol=${ours})
  endforeach()
  foreach(call mmap:map malloc:malloc free:free getenv:getenv) # and memory
    string(REGEX REPLACE "(.*):(.*)" "\\1=lm_private_\\2" names ${call})
    list(APPEND renamed --redefine-sym ${names})
  endforeach()
  private_step("symbols cannot be hidden" ${private_objcopy} ${renamed} ${private_object})
  if(NOT private_problem)
    file(STRINGS ${private_object} threads REGEX "pthread_create|GOMP_parallel" LIMIT_COUNT 1)
    if(threads)
      set(private_problem "${SERIAL_OPENBLAS} starts threads of its own")
    endif()
  endif()
  if(NOT private_problem)
    file(STRINGS ${private_object} maps REGEX "lm_private_map" LIMIT_COUNT 1)
    if(NOT maps)
      set(private_problem "${SERIAL_OPENBLAS} does not get its work space from mmap()")
    endif()
  endif()
  if(NOT private_problem) # is it code that a shared library may hold, with the functions under our names?
    set(probe ${PROJECT_BINARY_DIR}/private-probe.c)
    file(WRITE ${probe} "void lm_private_cblas_dgemm(void);\n"
                        "void lm_private_work_alloc(void) {}\nvoid lm_private_work_free(void) {}\n"
                        "void lm_private_map(void) {}\nvoid lm_private_malloc(void) {}\nvoid lm_private_free(void) {}\n"
                        "void lm_private_getenv(void) {}\n"
                        "void (*use(void))(void) { return lm_private_cblas_dgemm; }\n")
    private_step("no shared library can hold it" ${CMAKE_C_COMPILER} -fPIC -fvisibility=hidden -shared
                 -Wl,--no-undefined ${probe} ${private_object} -lm -o ${PROJECT_BINARY_DIR}/private-probe.so)
  endif()
  file(REMOVE ${probe} ${PROJECT_BINARY_DIR}/private-probe.so)
  if(private_problem)
    file(REMOVE ${private_object})
  endif()
  set(private_problem "${private_problem}" PARENT_SCOPE)
endfunction()

set(private_problem "")
if(LEMAN_SHARED_BLAS)
  set(private_problem "as LEMAN_SHARED_BLAS asks")
elseif(NOT SERIAL_OPENBLAS OR NOT SERIAL_OPENBLAS_INCLUDE)
  set(private_problem "found no archive of a serial OpenBLAS")
elseif(NOT CMAKE_OBJCOPY)
  set(private_problem "found no objcopy")
else()
  set(private_inputs ${SERIAL_OPENBLAS} ${PROJECT_SOURCE_DIR}/src/base/private.h
                     ${CMAKE_CURRENT_LIST_FILE})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${private_inputs})
  foreach(input ${private_inputs})
    if(${input} IS_NEWER_THAN ${private_object}) # or there is none
      private_make()
      break()
    endif()
  endforeach()
endif()

if(private_problem)
  pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
  set(BLAS_INCLUDE ${OPENBLAS_INCLUDE_DIRS})
  set(numeric_libraries PkgConfig::OPENBLAS)
  set(private_object "")
else()
  file(STRINGS ${SERIAL_OPENBLAS_INCLUDE}/openblas_config.h OPENBLAS_VERSION REGEX "OPENBLAS_VERSION ")
  string(REGEX REPLACE ".*OpenBLAS ([0-9.]+).*" "\\1" OPENBLAS_VERSION "${OPENBLAS_VERSION}")
  set(private_copy ON)
  set(BLAS_INCLUDE ${SERIAL_OPENBLAS_INCLUDE})
  set(numeric_libraries "")
endif()
