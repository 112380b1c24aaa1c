# What other machines do differently, tried on this one.
#
# LEMAN_OTHER_CHAR: `char` is unsigned where it is signed by default, and the reverse. It is signed on x86-64 and unsigned
# on 64-bit Arm.
option(LEMAN_OTHER_CHAR "the other signedness of char than this architecture's" OFF)
if(LEMAN_OTHER_CHAR)
  include(CheckCSourceCompiles)
  check_c_source_compiles("_Static_assert((char)-1 < 0, \"\"); int main(void) { return 0; }" LEMAN_CHAR_IS_SIGNED)
  if(LEMAN_CHAR_IS_SIGNED)
    add_compile_options(-funsigned-char)
  else()
    add_compile_options(-fsigned-char)
  endif()
endif()

# Gives test_launcher, the command that runs each C test, and tested_program, what tests in Python start: the program, or a
# script that runs the program in the emulator of another architecture (cmake/toolchain-other.cmake).
set(test_launcher ${LEMAN_LAUNCHER})
set(tested_program $<TARGET_FILE:leman_program>)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  set(test_launcher ${LEMAN_LAUNCHER} ${CMAKE_CROSSCOMPILING_EMULATOR})
  set(tested_program ${PROJECT_BINARY_DIR}/emulated/leman)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  file(CONFIGURE OUTPUT ${tested_program} CONTENT "#!/bin/sh\nexec ${emulator} ${PROJECT_BINARY_DIR}/leman \"$@\"\n" @ONLY)
  file(CHMOD ${tested_program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
