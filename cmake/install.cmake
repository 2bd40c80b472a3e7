# SPDX-License-Identifier: Apache-2.0
# The .pc file finds its prefix from where it lies, so that one build can be installed anywhere.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
cmake_path(GET pc_prefix PARENT_PATH pc_prefix) # without the closing slash
configure_file(cmake/kubespread.pc.in kubespread.pc @ONLY)

install(TARGETS shared static
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/kubespread DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/kubespread.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TARGET kubespread)
    install(TARGETS kubespread RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
