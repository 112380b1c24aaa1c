# nauty: its header says how to call it; the library itself is loaded when a graph needs it. Sets nauty_version, empty
# without a nauty whose working arrays belong to each thread (HAVE_TLS of its header).
set(nauty_version "")
if(NAUTY_INCLUDE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${NAUTY_INCLUDE})
  check_c_source_compiles("#include <nauty/traces.h>
    #if !HAVE_TLS
    #error
    #endif
    int main(void) { return sizeof(TracesOptions) + sizeof(sparsegraph) == 0; }" NAUTY_HAS_THREADS)
  unset(CMAKE_REQUIRED_INCLUDES)
  if(NAUTY_HAS_THREADS)
    file(WRITE ${PROJECT_BINARY_DIR}/nauty-version.c "#include <nauty/traces.h>\nversion NAUTYVERSION\n")
    execute_process(COMMAND ${CMAKE_C_COMPILER} -E -P -I${NAUTY_INCLUDE} ${PROJECT_BINARY_DIR}/nauty-version.c
                    OUTPUT_VARIABLE nauty_text ERROR_QUIET)
    string(REGEX MATCH "version[ \n]+\"([0-9.]+)" nauty_text "${nauty_text}")
    set(nauty_version "${CMAKE_MATCH_1}")
  endif()
endif()
if(nauty_version)
  set_source_files_properties(src/refine/canonical/nauty.c PROPERTIES COMPILE_DEFINITIONS LEMAN_NAUTY="${nauty_version}")
  target_include_directories(leman_objects SYSTEM PRIVATE ${NAUTY_INCLUDE})
  list(APPEND library_needs ${CMAKE_DL_LIBS})
endif()
