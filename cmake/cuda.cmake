# CUDA: src/FLOOR/cuda/*.c and *.cu, in the library where LEMAN_CUDA is on. Without a toolkit or a device the same files
# are compiled for the emulation of tests/emulate, where kernels run on the host, and the tests run in it.
option(LEMAN_CUDA "networks and colours on CUDA devices" OFF)
file(GLOB cuda_host_sources CONFIGURE_DEPENDS src/*/cuda/*.c)
file(GLOB cuda_kernel_sources CONFIGURE_DEPENDS src/*/cuda/*.cu)

if(LEMAN_CUDA)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90) # and PTX of the last for later ones
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -lineinfo -DNDEBUG")
  target_sources(leman_objects PRIVATE ${cuda_host_sources} ${cuda_kernel_sources})
  set_target_properties(leman_objects PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}" CUDA_STANDARD 17)
  target_include_directories(leman_objects SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_definitions(leman_objects PRIVATE LEMAN_CUDA)
  list(APPEND library_needs CUDA::cudart_static ${CMAKE_DL_LIBS}) # src/nn/cuda/cublaslt.c loads cuBLASLt
  if(SKBUILD) # the wheel leman-cuda: scripts/wheel. sm_80 serves 8.6 and 8.9 too
    set(library_rpath $ORIGIN/../nvidia/cu${CUDAToolkit_VERSION_MAJOR}/lib) # nvidia-cublas
    set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG --compress-mode=size")
  else()
    set_source_files_properties(src/nn/cuda/cublaslt.c PROPERTIES COMPILE_DEFINITIONS "LEMAN_CUDA_FOLDER=\"${CUDAToolkit_LIBRARY_DIR}\"")
  endif()
endif()

# AddressSanitizer does not know the stacks of the emulation's threads, which are contexts of <ucontext.h>.
# leman_emulated: what goes before the objects of the library in a test program that uses the emulation.
include(CheckLanguage)
check_language(CXX)
if(NOT LEMAN_CUDA AND CMAKE_CXX_COMPILER AND CMOCKA_FOUND AND NOT LEMAN_FUZZ AND NOT LEMAN_SANITIZE AND NOT WIN32 AND NOT APPLE)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 17)
  file(GLOB emulation_sources CONFIGURE_DEPENDS tests/emulate/*.c tests/emulate/*.cpp)
  list(FILTER cuda_host_sources EXCLUDE REGEX "nn/cuda/(product|cublaslt|nccl).c$") # tests/emulate has its own
  list(FILTER cuda_kernel_sources EXCLUDE REGEX "refine/cuda/sort.cu$")     # likewise
  file(GLOB device_sources CONFIGURE_DEPENDS src/nn/backends.c src/*/device_names.c src/refine/device_choice.c)
  add_library(leman_emulated OBJECT EXCLUDE_FROM_ALL ${emulation_sources} ${cuda_host_sources} ${cuda_kernel_sources}
              ${device_sources})
  set_source_files_properties(${cuda_kernel_sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++;-Wno-unknown-pragmas")
  target_include_directories(leman_emulated PRIVATE tests/emulate include src)
  target_compile_definitions(leman_emulated PRIVATE LM_EMULATE LEMAN_CUDA)
  target_compile_options(leman_emulated PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O2>)
endif()

# bench/cuda/bench_NAME.c: steps of a device, in builds with CUDA; bench/cuda/NAME.cu: single kernels, built with them
# so that they go on compiling.
if(LEMAN_CUDA)
  file(GLOB cuda_bench_sources CONFIGURE_DEPENDS bench/cuda/bench_*.c)
  file(GLOB cuda_bench_kernels CONFIGURE_DEPENDS bench/cuda/*.cu)
  foreach(source ${cuda_bench_kernels})
    cmake_path(GET source STEM name)
    add_executable(bench_kernel_${name} ${source})
    target_include_directories(bench_kernel_${name} PRIVATE include src)
    target_link_libraries(bench_kernel_${name} PRIVATE CUDA::cudart_static CUDA::cublasLt)
  endforeach()
endif()
