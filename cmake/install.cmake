# What `make install` puts where: headers, both libraries, the program, pkg-config and CMake package files, man pages,
# bash completion, documents. The shared and the static library are exported apart: who links the shared one needs
# none of what the static one stands on.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/leman)

install(FILES include/leman.h include/leman.hpp TYPE INCLUDE)
install(DIRECTORY include/leman TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
set_target_properties(leman_shared PROPERTIES EXPORT_NAME leman)
set_target_properties(leman_static PROPERTIES EXPORT_NAME static)
foreach(kind shared static)
  install(TARGETS leman_${kind} EXPORT leman_${kind})
  install(EXPORT leman_${kind} NAMESPACE leman:: FILE leman-${kind}.cmake DESTINATION ${package_folder})
endforeach()
configure_package_config_file(cmake/lemanConfig.cmake.in lemanConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(lemanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lemanConfig.cmake ${PROJECT_BINARY_DIR}/lemanConfigVersion.cmake
        DESTINATION ${package_folder})

# leman.pc: the shared library, and with --static all that a fully static program needs.
# leman-static.pc: libleman.a by its path, and the shared libraries under it.
set(pc_requires "libzip zlib")
set(pc_threads "")
foreach(name ${OpenMP_C_LIB_NAMES})
  string(APPEND pc_threads "-l${name} ")
endforeach()
if(private_copy)
  string(APPEND pc_threads "${numeric_libraries} -lm")
else()
  string(APPEND pc_requires " openblas")
  string(APPEND pc_threads "-lm")
endif()
if(CURL_FOUND AND CMAKE_DL_LIBS)
  string(APPEND pc_threads " -l${CMAKE_DL_LIBS}")
endif()
# `cmake --install --prefix` moves the tree: the folders are found from where the .pc file lies.
file(RELATIVE_PATH pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
foreach(name leman leman-static)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(TARGET leman_program)
  install(TARGETS leman_program)
  # The program describes itself: man pages and completion come from the table that parses its options.
  set(pages ${PROJECT_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/done
                     COMMAND ${CMAKE_COMMAND} -DLEMAN=$<TARGET_FILE:leman_program> -DPAGES=${pages}
                             -P ${PROJECT_SOURCE_DIR}/cmake/pages.cmake
                     DEPENDS leman_program cmake/pages.cmake COMMENT "Writing man pages and completion" VERBATIM)
  if(NOT CMAKE_CROSSCOMPILING AND NOT LEMAN_SANITIZE AND NOT LEMAN_FUZZ)
    add_custom_target(pages ALL DEPENDS ${pages}/done)
    install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
    install(FILES ${pages}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME leman OPTIONAL)
    install(FILES ${pages}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _leman OPTIONAL)
    install(FILES ${pages}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
            RENAME leman.fish OPTIONAL)
  endif()
endif()

install(FILES README.md CHANGELOG.md LICENSE CITATION.cff TYPE DOC)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md")
