# Modules for MPI, one for each library that is found: build/leman-openmpi.so, build/leman-mpich.so. The program loads one
# where mpirun has started it. A library's own compiler wrapper makes it: it alone knows what its library needs.
# -DLEMAN_MPI=OFF: none.
option(LEMAN_MPI "modules for Open MPI and MPICH, where they are found" ON)
set(mpi_found "")
if(LEMAN_MPI AND NOT LEMAN_FUZZ AND NOT CMAKE_CROSSCOMPILING AND TARGET leman_program)
  foreach(flavor openmpi mpich)
    find_program(MPICC_${flavor} NAMES mpicc.${flavor})
    mark_as_advanced(MPICC_${flavor})
  endforeach()
  # Elsewhere than on Debian there is one mpicc, and it says whose it is.
  find_program(MPICC mpicc HINTS ENV MPI_HOME PATH_SUFFIXES bin)
  mark_as_advanced(MPICC)
  if(MPICC)
    execute_process(COMMAND ${MPICC} --showme:version OUTPUT_VARIABLE mpi_output ERROR_VARIABLE mpi_error RESULT_VARIABLE mpi_status)
    if(mpi_status EQUAL 0 AND mpi_output MATCHES "Open MPI" AND NOT MPICC_openmpi)
      set(MPICC_openmpi ${MPICC})
    elseif(NOT mpi_status EQUAL 0 AND NOT MPICC_mpich)
      set(MPICC_mpich ${MPICC})
    endif()
  endif()
  foreach(flavor openmpi mpich)
    if(MPICC_${flavor})
      set(module ${PROJECT_BINARY_DIR}/leman-${flavor}.so)
      add_custom_command(OUTPUT ${module}
                         COMMAND ${MPICC_${flavor}} -std=c17 -D_GNU_SOURCE -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra
                                 -Wconversion -Wshadow -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
                                 ${PROJECT_SOURCE_DIR}/src/cli/mpi/module.c -o ${module}
                         DEPENDS src/cli/mpi/module.c src/cli/mpi/module.h include/leman/mpi.h include/leman/base.h
                         COMMENT "Building leman-${flavor}.so" VERBATIM)
      add_custom_target(leman_${flavor} ALL DEPENDS ${module})
      add_dependencies(leman_program leman_${flavor})
      install(PROGRAMS ${module} DESTINATION ${CMAKE_INSTALL_LIBDIR}/leman)
      list(APPEND mpi_found ${flavor})
    endif()
  endforeach()
endif()
list(JOIN mpi_found ", " mpi_names)
