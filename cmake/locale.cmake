# A locale with decimal commas for tests/base/test_locale.c, in BUILD/locale: nothing of the computer is changed, and nobody
# needs to be root. Where the sources of locales are missing the test looks for one that is installed.
find_program(LOCALEDEF localedef)
mark_as_advanced(LOCALEDEF)
if(LOCALEDEF AND EXISTS /usr/share/i18n/locales/de_DE)
  set(locale_folder ${PROJECT_BINARY_DIR}/locale)
  file(MAKE_DIRECTORY ${locale_folder})
  add_custom_command(OUTPUT ${locale_folder}/de_DE.UTF-8/LC_NUMERIC
                     COMMAND ${LOCALEDEF} -i de_DE -f UTF-8 ${locale_folder}/de_DE.UTF-8
                     COMMENT "Making a locale with decimal commas" VERBATIM)
  add_custom_target(comma_locale DEPENDS ${locale_folder}/de_DE.UTF-8/LC_NUMERIC)
  add_dependencies(test_base_locale comma_locale)
  set(locale_environment LOCPATH=${locale_folder})
endif()
