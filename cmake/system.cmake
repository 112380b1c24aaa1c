# One file a system: system_sources of src/base/system/, the file of src/cli/system/ that belongs to another system,
# the tests that it cannot have, and the linker's options by which a shared library shows leman_* alone.
set(system_folder ${PROJECT_SOURCE_DIR}/src/base/system)
set(system_other_process windows.c)
set(system_left_out_tests "/nothing/")
set(system_test_options "")
set(system_exports LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
if(WIN32)
  set(system_sources ${system_folder}/windows.c ${system_folder}/windows/posix.c)
  set(system_other_process posix.c)
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 _FILE_OFFSET_BITS=64)
  add_compile_options("SHELL:-include ${system_folder}/windows/posix.h" -I${system_folder}/windows)
  add_link_options(LINKER:--stack,8388608)
  # Tests that fork, or that use signals, limits, links, users, sockets or commands of POSIX; that have \ in the name of a file; or that
  # expect no trace of a file that was removed while it is open, which wine keeps.
  set(system_left_out_tests "/base/test_(file|interrupt|locale|lock|output|temporary)|/io/test_(cache|download.*|sparse_files|transfer|tu_bad|tu_write)|\
/kernel/test_feature_stream|/learn/test_network_protocol|/api/test_host|/support/(server|download_fixture)")
  set(system_test_options "SHELL:-include ${PROJECT_SOURCE_DIR}/tests/support/windows.h")
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-format -Wno-format-extra-args) # it takes the formats to be Microsoft's; clang checks them as they are
  endif()
elseif(APPLE)
  add_compile_definitions(_DARWIN_C_SOURCE _REENTRANT) # lgamma_r()
  set(system_sources ${system_folder}/macos.c ${system_folder}/posix.c)
  set(system_exports "") # all else is hidden already, but for the locks of OpenMP
else()
  set(system_sources ${system_folder}/linux.c ${system_folder}/posix.c)
endif()

# Newer compilers warn of what is meant: the mark of a file is 8 bytes without a zero, sizes of drawings are enumerated.
include(CheckCCompilerFlag)
foreach(warning unterminated-string-initialization enum-float-conversion)
  check_c_compiler_flag(-W${warning} LEMAN_WARNS_OF_${warning})
  if(LEMAN_WARNS_OF_${warning})
    add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wno-${warning}>)
  endif()
endforeach()
