# SPDX-License-Identifier: Apache-2.0
# Each tests/<room>/test_<thing>.c is a cmocka program and the ctest "<room>/<thing>"; each
# tests/<room>/test_<thing>.sh a shell test that finds the programs in its environment.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
find_package(Threads REQUIRED)

set(test_timeout_s 600)

# What tests share, and the only place besides src/cli that may use more than standard C.
add_library(test_support INTERFACE)
target_include_directories(test_support INTERFACE src tests)
target_compile_definitions(test_support INTERFACE
    _GNU_SOURCE
    KS_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    KS_PROGRAM="${CMAKE_BINARY_DIR}/kubespread"
    KS_CONFORM="${CMAKE_BINARY_DIR}/kubespread-conform")
target_link_libraries(test_support INTERFACE
    sim PkgConfig::CMOCKA PkgConfig::JANSSON Threads::Threads)

file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(test_support_objects OBJECT ${support_sources})
target_link_libraries(test_support_objects PUBLIC test_support)

file(GLOB conform_sources CONFIGURE_DEPENDS tests/conform/*.c)
list(FILTER conform_sources EXCLUDE REGEX "/test_[^/]*$")
if(conform_sources)
    add_executable(kubespread-conform ${conform_sources})
    target_link_libraries(kubespread-conform PRIVATE test_support_objects)
endif()

set(test_environment
    "KUBESPREAD=${CMAKE_BINARY_DIR}/kubespread"
    "KUBESPREAD_CONFORM=${CMAKE_BINARY_DIR}/kubespread-conform")

# tests/model/test_quantity.c -> model/quantity
function(test_name_of out source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/tests")
    string(REGEX REPLACE "(^|/)test_([^/]*)\\.[a-z]+$" "\\1\\2" name "${source}")
    set(${out} "${name}" PARENT_SCOPE)
endfunction()

add_custom_target(thread-tests)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/test_*.c)
foreach(source IN LISTS test_sources)
    test_name_of(name "${source}")
    string(REPLACE "/" "_" target "test_${name}")
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE test_support_objects)
    add_test(NAME ${name} COMMAND ${target} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${test_timeout_s} ENVIRONMENT "${test_environment}")
    # ThreadSanitizer has something to say only where there are threads.
    if(name MATCHES "thread")
        set_tests_properties(${name} PROPERTIES LABELS threads)
        add_dependencies(thread-tests ${target})
    endif()
endforeach()

file(GLOB_RECURSE test_scripts CONFIGURE_DEPENDS tests/test_*.sh)
foreach(script IN LISTS test_scripts)
    test_name_of(name "${script}")
    add_test(NAME ${name} COMMAND bash "${script}" WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${test_timeout_s} ENVIRONMENT "${test_environment}")
endforeach()

# Sanitizers add symbols and want their runtime linked first.
if(NOT KS_SANITIZE)
    add_test(NAME house/symbols
        COMMAND "${CMAKE_SOURCE_DIR}/scripts/check-symbols" $<TARGET_FILE:shared> $<TARGET_FILE:static>)
    add_test(NAME house/install
        COMMAND "${CMAKE_SOURCE_DIR}/scripts/check-install" "${CMAKE_BINARY_DIR}" "${CMAKE_C_COMPILER}")
endif()
