# Writes styles.c, which defines LM_NAME_STYLE for every src/report/name.css: the style sheet as a string, without its comments and
# with indented lines appended to the line above.
set(style_source ${PROJECT_BINARY_DIR}/styles.c)
set(styles "")
foreach(style page molecule explanation)
  read_text(src/report/${style}.css text)
  string(REGEX REPLACE "/\\*[^*]*\\*/\n" "" text "${text}")
  string(REGEX REPLACE "\n  +" "" text "${text}")
  quote_text("${text}" text)
  string(TOUPPER ${style} name)
  string(APPEND styles "const char LM_${name}_STYLE[] =\n${text};\n")
endforeach()
file(CONFIGURE OUTPUT ${style_source} CONTENT "#include \"report/page.h\"\n${styles}" @ONLY)
