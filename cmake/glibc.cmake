# LEMAN_GLIBC=2.28: libleman.so for computers that are older than this one. It needs glibc from 2.28 on, because it is linked against
# stand-ins that have no younger function (glibc_stubs.py), and libgomp, which a wheel carries. zlib and libzip are linked from
# archives, as OpenBLAS is (private.cmake).
#
# libgomp's archive is not made for shared libraries, and this machine's libgomp.so needs this machine's glibc. So the one of
# Debian 11 is fetched, which needs glibc 2.17. libzip has no archive on Debian, so its sources are fetched and compiled with
# deflate alone, the one method that data sets use. Both come from the mirror of Debian that apt-get uses, or LEMAN_DEBIAN.
set(LEMAN_GLIBC "" CACHE STRING "the oldest glibc that libleman.so shall run on, such as 2.28; empty: this machine's")
set(LEMAN_DEBIAN "" CACHE STRING "with LEMAN_GLIBC, the address of a Debian mirror, above its folder pool; empty: the one that apt-get uses here")
set(glibc_source "")
if(NOT LEMAN_GLIBC)
  return()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(glibc_mirror ${LEMAN_DEBIAN})
if(NOT glibc_mirror)
  execute_process(COMMAND apt-get indextargets --format "$(REPO_URI)" OUTPUT_VARIABLE glibc_mirrors ERROR_QUIET)
  string(REGEX MATCHALL "[^\n]+" glibc_mirrors "${glibc_mirrors}")
  list(FILTER glibc_mirrors EXCLUDE REGEX "security")
  list(APPEND glibc_mirrors "LEMAN_DEBIAN, which is not set")
  list(GET glibc_mirrors 0 glibc_mirror)
endif()
string(REGEX REPLACE "/$" "" glibc_mirror "${glibc_mirror}")

# glibc_fetch(FILE HASH URL...): FILE in the build folder, unless it is there.
function(glibc_fetch file hash)
  foreach(url ${ARGN})
    if(NOT EXISTS ${PROJECT_BINARY_DIR}/${file})
      file(DOWNLOAD ${url} ${PROJECT_BINARY_DIR}/${file}.part STATUS status)
      list(GET status 0 failed)
      if(NOT failed)
        file(RENAME ${PROJECT_BINARY_DIR}/${file}.part ${PROJECT_BINARY_DIR}/${file})
      endif()
    endif()
  endforeach()
  set(found "nothing")
  if(EXISTS ${PROJECT_BINARY_DIR}/${file})
    file(SHA256 ${PROJECT_BINARY_DIR}/${file} found)
  endif()
  if(NOT found STREQUAL hash)
    message(FATAL_ERROR "LEMAN_GLIBC needs ${file}: found ${found} at ${ARGN}, expected a file with SHA-256 ${hash}")
  endif()
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(glibc_debian arm64)
  set(glibc_gomp_hash 813af2e0b8ba0a7cea18c988cd843412ef6d0415700fc860d62816750e741670)
else()
  set(glibc_debian amd64)
  set(glibc_gomp_hash 4530c95aefa48e33fd8cf4acbe5c4b559dbe7bdf4c56469986c83a203982cef1)
endif()
set(glibc_gomp_package libgomp1_10.2.1-6_${glibc_debian}.deb)
glibc_fetch(${glibc_gomp_package} ${glibc_gomp_hash}
            ${glibc_mirror}/pool/main/g/gcc-10/${glibc_gomp_package})
set(glibc_gomp ${PROJECT_BINARY_DIR}/libgomp)
file(ARCHIVE_EXTRACT INPUT ${PROJECT_BINARY_DIR}/${glibc_gomp_package} DESTINATION ${glibc_gomp})
file(ARCHIVE_EXTRACT INPUT ${glibc_gomp}/data.tar.xz DESTINATION ${glibc_gomp} PATTERNS "*/libgomp.so*")
file(GLOB glibc_gomp_library ${glibc_gomp}/usr/lib/*/libgomp.so.1)
set(OpenMP_C_FLAGS -fopenmp CACHE STRING "")
set(OpenMP_C_LIB_NAMES gomp CACHE STRING "")
set(OpenMP_gomp_LIBRARY ${glibc_gomp_library} CACHE FILEPATH "")
set(ZLIB_USE_STATIC_LIBS ON)

# Of another architecture, where the compiler looks for libraries has to be said.
set(glibc_options "")
if(CMAKE_SYSROOT)
  set(glibc_options --sysroot=${CMAKE_SYSROOT})
endif()
set(glibc_folder ${PROJECT_BINARY_DIR}/glibc-${LEMAN_GLIBC})
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/glibc_stubs.py ${CMAKE_C_COMPILER} ${LEMAN_GLIBC} ${glibc_folder}
                        ${glibc_options} COMMAND_ERROR_IS_FATAL ANY)
set(glibc_source ${CMAKE_CURRENT_LIST_DIR}/glibc_stat.c)
set(glibc_link -L${glibc_folder} LINKER:--no-as-needed -lpthread -ldl LINKER:--as-needed LINKER:--strip-debug)

glibc_fetch(libzip-1.7.3.tar.xz a60473ffdb7b4260c08bfa19c2ccea0438edac11193c3afbbb1f17fbcf6c6132
            ${glibc_mirror}/pool/main/libz/libzip/libzip_1.7.3.orig.tar.xz https://libzip.org/download/libzip-1.7.3.tar.xz)
file(ARCHIVE_EXTRACT INPUT ${PROJECT_BINARY_DIR}/libzip-1.7.3.tar.xz DESTINATION ${PROJECT_BINARY_DIR})
function(glibc_make_libzip)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # the options below are variables
  set(CMAKE_POLICY_DEFAULT_CMP0063 NEW)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  set(CMAKE_REQUIRED_LINK_OPTIONS -L${glibc_folder})
  set(CMAKE_MESSAGE_LOG_LEVEL ERROR)
  foreach(option ENABLE_COMMONCRYPTO ENABLE_GNUTLS ENABLE_MBEDTLS ENABLE_OPENSSL ENABLE_WINDOWS_CRYPTO ENABLE_BZIP2 ENABLE_LZMA BUILD_TOOLS
                 BUILD_REGRESS BUILD_EXAMPLES BUILD_DOC BUILD_SHARED_LIBS LIBZIP_DO_INSTALL SHARED_LIB_VERSIONNING)
    set(${option} OFF)
  endforeach()
  add_subdirectory(${PROJECT_BINARY_DIR}/libzip-1.7.3 ${PROJECT_BINARY_DIR}/libzip EXCLUDE_FROM_ALL)
  target_compile_options(zip PRIVATE -w) # its warnings are not ours
endfunction()
glibc_make_libzip()
add_library(PkgConfig::LIBZIP INTERFACE IMPORTED)
target_link_libraries(PkgConfig::LIBZIP INTERFACE zip)
set(LIBZIP_FOUND ON)
set(LIBZIP_VERSION "1.7.3, compiled here")
