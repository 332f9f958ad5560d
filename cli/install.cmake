# What `cmake --install` and the packages put where. The component "program" is what the Python package takes.
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

# Man pages are made of what --help prints, when they are installed: only then does anybody need them.
find_program(FXCUT_HELP2MAN help2man DOC "Makes the man pages")
if(FXCUT_HELP2MAN)
  set(man_pages ${PROJECT_BINARY_DIR}/man1)
  install(CODE "
    file(REMOVE_RECURSE \"${man_pages}\")
    execute_process(COMMAND \"${CMAKE_CURRENT_LIST_DIR}/man/make_man\" \"${fxcut_file}\" \"${man_pages}\"
                    COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND gzip -9 --no-name --recursive \"${man_pages}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR})
else()
  install(CODE "message(STATUS \"No man pages: help2man is not there. Install it, and configure again.\")")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/packages/packages.cmake)
