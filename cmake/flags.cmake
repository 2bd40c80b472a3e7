# SPDX-License-Identifier: Apache-2.0
# How everything is compiled. What differs between builds comes from CMakePresets.json.
option(KS_WERROR "Treat warnings as errors" ON)
set(KS_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize takes them")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Assertions stay in release builds: a wrong placement costs more than a compare.
set(CMAKE_C_FLAGS_RELEASE "-O3")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wpedantic)
if(KS_WERROR)
    add_compile_options(-Werror)
endif()

# Scores must round as Go's do on amd64, which never fuses a multiplication with an addition.
add_compile_options(-ffp-contract=off)

# Nobody traps floating-point exceptions here; without this the scores' loops are not vectorised.
add_compile_options(-fno-trapping-math)

if(KS_SANITIZE)
    # The instrumentation hides from gcc what is initialised; the release build still looks.
    add_compile_options(-fsanitize=${KS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    add_link_options(-fsanitize=${KS_SANITIZE})
endif()
