# Functions for texts that become strings of C (styles.cmake, help.cmake). CMake runs again when one of their files changes.

# Sets `result` to the content of a file.
function(read_text file result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Sets `result` to the text as a string of C, with a line of C for each of its lines.
function(quote_text text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# Sets `result` to the text with the value of NAME in place of every @NAME@. A mark without a value is an error.
function(fill_marks text file result)
  string(REGEX MATCHALL "@[A-Z_]+@" marks "${text}")
  foreach(mark ${marks})
    string(REPLACE "@" "" mark ${mark})
    if(NOT DEFINED ${mark})
      message(FATAL_ERROR "${file}: found @${mark}@, expected the name of a file in src/cli/help/shared")
    endif()
  endforeach()
  string(CONFIGURE "${text}" text @ONLY)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
