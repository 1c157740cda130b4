# Finds the packages and keeps those that define interfaces.
#
# :param result: variable that receives the names of the interface packages among the arguments
# :param ARGN: package names, from package.xml, which therefore stays the only list of dependencies
macro(find_interface_packages result)
  set(${result} "")
  foreach(_package ${ARGN})
    find_package(${_package} REQUIRED)
    if(DEFINED ${_package}_IDL_FILES)
      list(APPEND ${result} ${_package})
    endif()
  endforeach()
  correct_python_includes()
endmacro()

# Points imported Python type supports at the headers of this machine.
#
# Wheels export the include folders of the machine that built them (/opt/python/...), and CMake refuses to use an imported
# target whose include folders are missing. On a ROS installation all of them exist and nothing changes.
function(correct_python_includes)
  get_property(_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(_target ${_targets})
    if(_target MATCHES "__rosidl_generator_py$")
      get_target_property(_folders ${_target} INTERFACE_INCLUDE_DIRECTORIES)
      set(_existing "")
      foreach(_folder ${_folders})
        if(EXISTS ${_folder})
          list(APPEND _existing ${_folder})
        endif()
      endforeach()
      set_target_properties(${_target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_existing}")
    endif()
  endforeach()
endfunction()

# Drops every registered interface generator that is not named.
#
# :param ARGN: names of the packages whose generators shall run
macro(keep_generators)
  set(_kept ${ARGN})
  set(_extensions "")
  foreach(_extension ${AMENT_EXTENSIONS_rosidl_generate_idl_interfaces})
    string(REGEX REPLACE ":.*$" "" _generator ${_extension})
    if(_generator IN_LIST _kept)
      list(APPEND _extensions ${_extension})
    endif()
  endforeach()
  set(AMENT_EXTENSIONS_rosidl_generate_idl_interfaces ${_extensions})
endmacro()

# Compiles the sources of each generated library in batches, except those of rosidl_generator_c, which repeat static names,
# and of rosidl_typesupport_introspection_cpp, which specialise templates after their use.
function(compile_in_batches)
  get_property(_targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(_target ${_targets})
    if(_target MATCHES "^${PROJECT_NAME}__rosidl_(generator_py|typesupport_(c|cpp|introspection_c|fastrtps_c|fastrtps_cpp))$")
      set_target_properties(${_target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    endif()
  endforeach()
endfunction()
