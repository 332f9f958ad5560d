# `cpack` makes a .deb, whose dependencies dpkg-shlibdeps reads from the program; and of a program that has all in itself, a .tar.gz
# that runs from where it is unpacked.
set(documents ${CMAKE_INSTALL_DATADIR}/doc/fxcut)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${documents})

# Such a program holds parts of these libraries, whose licences ask to be told of it; Boost's does not.
if(FXCUT_STATIC OR FXCUT_PROGRAM)
  string(REGEX MATCH "^[0-9]+" compiler_release "${CMAKE_CXX_COMPILER_VERSION}")
  foreach(package libc6-dev libfmt-dev libminizip-dev libstdc++-${compiler_release}-dev libzstd-dev nlohmann-json3-dev
                  zlib1g-dev)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${documents}/${package} COMPONENT program OPTIONAL)
  endforeach()
endif()

set(CPACK_PACKAGE_CONTACT "fxcut's maintainers <maintainers@users.noreply.a-seed-4393846c.example>")
set(CPACK_PACKAGE_VENDOR fxcut)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME fxcut-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_GENERATOR DEB)
if(FXCUT_STATIC)
  list(APPEND CPACK_GENERATOR TGZ)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "fxcut reads the joint graph of a training step, decides what to save and what
to recompute just as PyTorch's compiler would, writes the forward and the
backward, and says why.")
include(CPack)
