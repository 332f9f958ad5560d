# The files that `cmake --install` and the packages install, and where. The Python package takes the component "program".
include(GNUInstallDirs)

if(FXCUT_PROGRAM)
  set(fxcut_file ${FXCUT_PROGRAM})
  install(PROGRAMS ${fxcut_file} DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME fxcut COMPONENT program)
else()
  set(fxcut_file $<TARGET_FILE:fxcut>)
  install(TARGETS fxcut RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fxcut/schemas)

# Shell completion asks the program itself.
set(completion ${CMAKE_CURRENT_LIST_DIR}/completion)
install(FILES ${completion}/fxcut.bash RENAME fxcut
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion}/_fxcut DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion}/fxcut.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Man pages are made when they are installed: only then does anybody need them. The program prints those of the manual's topics,
# help2man makes those of the commands of what --help prints.
set(man_pages ${PROJECT_BINARY_DIR}/man)
file(GLOB topics CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/topics/*.md)
list(TRANSFORM topics REPLACE ".*/([a-z]+)\\.md" "\\1")
install(CODE "
  file(REMOVE_RECURSE \"${man_pages}\")
  file(MAKE_DIRECTORY \"${man_pages}/man7\")
  foreach(topic IN ITEMS ${topics})
    execute_process(COMMAND \"${fxcut_file}\" help \${topic} --format man OUTPUT_FILE \"${man_pages}/man7/fxcut-\${topic}.7\"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
find_program(FXCUT_HELP2MAN help2man DOC "Makes the man pages of the commands")
if(FXCUT_HELP2MAN)
  install(CODE "
    execute_process(COMMAND \"${CMAKE_CURRENT_LIST_DIR}/man/make_man\" \"${fxcut_file}\" \"${man_pages}/man1\"
                    COMMAND_ERROR_IS_FATAL ANY)")
else()
  install(CODE "message(STATUS \"No man pages of the commands: help2man is missing. Install it, and configure again.\")")
endif()
find_program(FXCUT_GZIP gzip DOC "Compresses the man pages")
if(FXCUT_GZIP)
  install(CODE "
    execute_process(COMMAND \"${FXCUT_GZIP}\" -9 --no-name --recursive \"${man_pages}\" COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(DIRECTORY ${man_pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR})

include(${CMAKE_CURRENT_LIST_DIR}/packages/packages.cmake)
