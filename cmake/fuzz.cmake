# SPDX-License-Identifier: Apache-2.0
# Each fuzz/fuzz_<thing>.c defines LLVMFuzzerTestOneInput. With KS_FUZZ it becomes a libFuzzer program;
# otherwise a program that replays files, and a ctest that feeds it fuzz/corpus/<thing>.
option(KS_FUZZ "Build the fuzz targets with libFuzzer (clang only)" OFF)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(JSON_C REQUIRED IMPORTED_TARGET json-c)

add_custom_target(fuzzers)

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/fuzz_*.c)
foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM name)
    string(REPLACE "fuzz_" "" thing "${name}")
    add_executable(${name} ${source})
    add_dependencies(fuzzers ${name})
    target_include_directories(${name} PRIVATE src fuzz tests)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(${name} PRIVATE static)
    # The two have symbols of the same name: a program can have one of them.
    if(thing STREQUAL "json")
        target_link_libraries(${name} PRIVATE PkgConfig::JANSSON)
    elseif(thing STREQUAL "json_c")
        target_link_libraries(${name} PRIVATE PkgConfig::JSON_C)
    endif()
    if(KS_FUZZ)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
        target_sources(${name} PRIVATE fuzz/replay.c)
        add_test(NAME corpus/${thing} COMMAND ${name} "${CMAKE_SOURCE_DIR}/fuzz/corpus/${thing}")
    endif()
endforeach()
