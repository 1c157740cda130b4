# Installs an executable that calls a Python module's main().
#
# :param name: file name of the executable
# :param module: dotted name of the module that defines main()
# :param ARGN: destinations below the install prefix
function(install_entry_point name module)
  set(_script ${CMAKE_CURRENT_BINARY_DIR}/entry_points/${name})
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/entry_point.py.in ${_script} @ONLY)
  foreach(_destination ${ARGN})
    install(PROGRAMS ${_script} DESTINATION ${_destination})
  endforeach()
endfunction()
