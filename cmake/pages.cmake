# cmake -DLEMAN=program -DPAGES=folder -P pages.cmake: writes man1/leman*.1 and completion.bash, both printed by the
# program itself.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${PAGES})
file(MAKE_DIRECTORY ${PAGES}/man1)

# Puts what `leman help ...` prints into a file.
function(page file)
  execute_process(COMMAND ${LEMAN} help ${ARGN} OUTPUT_FILE ${PAGES}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

execute_process(COMMAND ${LEMAN} help --list OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[ \n]+" ";" commands "${commands}")
list(REMOVE_ITEM commands "")
page(man1/leman.1 --man)
foreach(command ${commands})
  page(man1/leman-${command}.1 --man ${command})
endforeach()
foreach(shell bash zsh fish)
  page(completion.${shell} --completion ${shell})
endforeach()
file(WRITE ${PAGES}/done "")
