# Another system: Windows (LEMAN_SYSTEM=x86_64-windows, Debian's mingw-w64, programs run in wine) or macOS (aarch64-macos and
# x86_64-macos, the compiler of PyPI's ziglang, which nothing runs here). scripts/other-systems gives LEMAN_SYSTEM and
# LEMAN_PREFIX, a folder with libraries for that system, and for macOS the compiler, as LEMAN_ZIG/zig-cc.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LEMAN_SYSTEM LEMAN_PREFIX LEMAN_ZIG)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${LEMAN_SYSTEM})
if(LEMAN_SYSTEM MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
  set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
  set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
  find_program(LEMAN_WINE wine64 PATHS /usr/lib/wine REQUIRED)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${LEMAN_WINE})
else()
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_C_COMPILER ${LEMAN_ZIG}/zig-cc -target ${LEMAN_SYSTEM})
  set(CMAKE_AR ${LEMAN_ZIG}/zig-ar CACHE FILEPATH "")
  set(CMAKE_RANLIB ${LEMAN_ZIG}/zig-ranlib CACHE FILEPATH "")
  set(CMAKE_OSX_SYSROOT "" CACHE STRING "") # the compiler has its own
  # libomp, and its omp.h: CMake does not know them for a compiler without -fopenmp of its own
  set(OpenMP_C_FLAGS "-fopenmp=libomp -I${LEMAN_PREFIX}/include" CACHE STRING "")
  set(OpenMP_C_LIB_NAMES omp CACHE STRING "")
  set(OpenMP_omp_LIBRARY ${LEMAN_PREFIX}/lib/libomp.dylib CACHE FILEPATH "")
endif()

# Programs are those of this machine; everything else is in LEMAN_PREFIX.
set(CMAKE_FIND_ROOT_PATH ${LEMAN_PREFIX} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${LEMAN_PREFIX}/lib/pkgconfig)
