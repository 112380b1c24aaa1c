# The Python package. BUILD/python/leman is the package as tests import it: links to python/leman and to the library, and
# the declarations, which python/declarations.py writes from the public headers. In a wheel (SKBUILD, see pyproject.toml)
# the library and the declarations are installed beside the sources.
if(NOT Python3_FOUND OR LEMAN_FUZZ)
  return()
endif()
set(package ${PROJECT_BINARY_DIR}/python/leman)
file(GLOB_RECURSE package_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/leman
     python/leman/*.py python/leman/py.typed)
foreach(source ${package_sources})
  cmake_path(GET source PARENT_PATH folder)
  file(MAKE_DIRECTORY ${package}/${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/leman/${source} ${package}/${source} SYMBOLIC)
endforeach()
file(CREATE_LINK ${PROJECT_BINARY_DIR}/libleman.so ${package}/libleman.so SYMBOLIC)

file(GLOB public_headers CONFIGURE_DEPENDS include/*.h include/leman/*.h)
add_custom_command(OUTPUT ${package}/_declarations.py
                   COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/declarations.py
                           ${PROJECT_SOURCE_DIR}/include ${package}/_declarations.py
                   DEPENDS python/declarations.py ${public_headers}
                   COMMENT "Writing the declarations of the Python package" VERBATIM)
add_custom_target(python_package ALL DEPENDS ${package}/_declarations.py leman_shared)

# libwalk.so walks through lists and dictionaries of Python in C. It uses the stable interface of Python 3.10, so one library serves
# every later Python, and the package works without it. ctypes.PyDLL resolves its symbols in the Python that loads it.
set(python_headers "")
if(LEMAN_SANITIZE)
  set(walk_problem "built with a sanitizer")
elseif(CMAKE_CROSSCOMPILING)
  set(walk_problem "found no Python.h of CPython 3.10 or later of the other architecture")
  if(CMAKE_SYSROOT) # without one these would be the headers of this machine
    file(GLOB python_headers ${CMAKE_SYSROOT}/usr/include/python3.1[0-9])
  endif()
else()
  set(walk_problem "found no Python.h of CPython 3.10 or later with a global lock")
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys, sysconfig
if sys.implementation.name == 'cpython' and sys.version_info >= (3, 10) and 't' not in sys.abiflags: print(sysconfig.get_path('include'))"
                  OUTPUT_VARIABLE python_headers OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(python_headers AND EXISTS ${python_headers}/Python.h)
  file(GLOB walk_sources CONFIGURE_DEPENDS python/walk/*.c)
  add_library(python_walk MODULE ${walk_sources})
  target_include_directories(python_walk SYSTEM PRIVATE ${python_headers})
  target_link_options(python_walk PRIVATE ${glibc_link})
  set_target_properties(python_walk PROPERTIES OUTPUT_NAME walk LIBRARY_OUTPUT_DIRECTORY ${package})
  add_dependencies(python_package python_walk)
else()
  message(STATUS "Python package without libwalk.so: ${walk_problem}; lists of graphs are converted by Python alone")
endif()

if(SKBUILD)
  if(TARGET python_walk)
    install(TARGETS python_walk LIBRARY DESTINATION leman COMPONENT python)
  endif()
  set(library_name libleman.so) # python/leman/_library.py knows the names
  if(WIN32)
    set(library_name libleman.dll)
  endif()
  install(PROGRAMS $<TARGET_FILE:leman_shared> DESTINATION leman RENAME ${library_name} COMPONENT python)
  install(FILES ${package}/_declarations.py DESTINATION leman COMPONENT python)
  install(PROGRAMS $<TARGET_FILE:leman_shared> DESTINATION leman_cuda RENAME libleman.so COMPONENT cuda) # python/cuda/
endif()

# Tests of the package run in a virtual environment of their own (scripts/python-environment); they are skipped where there
# is none. A library with a sanitizer cannot be loaded into a Python without one.
if(NOT LEMAN_SANITIZE AND NOT LEMAN_LAUNCHER)
  file(GLOB python_tests CONFIGURE_DEPENDS tests/python/test_*.py)
  foreach(source ${python_tests})
    cmake_path(GET source STEM name)
    string(REPLACE test_ python_ name ${name})
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/scripts/python-environment ${PROJECT_BINARY_DIR} ${source})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
                         ENVIRONMENT "${test_environment};PYTHONPATH=${PROJECT_BINARY_DIR}/python")
  endforeach()
elseif(LEMAN_SANITIZE)
  add_skipped_test(python_package "a library with a sanitizer cannot be loaded into a Python without one")
endif()
