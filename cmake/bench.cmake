# SPDX-License-Identifier: Apache-2.0
# Each bench/bench_<thing>.c is a program that prints its figures; `make bench` runs them all.
pkg_check_modules(CJSON IMPORTED_TARGET libcjson)

add_custom_target(benchmarks)

file(GLOB bench_sources CONFIGURE_DEPENDS bench/bench_*.c)
foreach(source IN LISTS bench_sources)
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    add_dependencies(benchmarks ${name})
    target_include_directories(${name} PRIVATE src)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(${name} PRIVATE static)
    if(CJSON_FOUND)
        target_compile_definitions(${name} PRIVATE KS_HAVE_CJSON)
        target_link_libraries(${name} PRIVATE PkgConfig::CJSON)
    endif()
endforeach()
