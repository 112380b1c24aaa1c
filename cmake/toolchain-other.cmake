# The other architecture: x86-64 where this machine is 64-bit Arm, and the reverse. scripts/other-architecture gives
# LEMAN_OTHER (x86_64 or aarch64) and LEMAN_SYSROOT (Debian's libraries of that architecture).
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LEMAN_OTHER LEMAN_SYSROOT)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${LEMAN_OTHER})
set(CMAKE_C_COMPILER ${LEMAN_OTHER}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${LEMAN_OTHER}-linux-gnu-g++)
set(CMAKE_SYSROOT ${LEMAN_SYSROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${LEMAN_OTHER} -L ${LEMAN_SYSROOT})

# Programs are those of this machine; everything else is in LEMAN_SYSROOT.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LEMAN_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${LEMAN_SYSROOT}/usr/lib/${LEMAN_OTHER}-linux-gnu/pkgconfig:${LEMAN_SYSROOT}/usr/share/pkgconfig)
