# Compiler settings as interface targets, and the two helpers that folders use: vitrine_add_test and vitrine_family.

add_library(vitrine_warnings INTERFACE)
target_compile_options(vitrine_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarm on "text" + std::string at -O3: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105651
    target_compile_options(vitrine_warnings INTERFACE -Wno-restrict)
endif()
if(VITRINE_WERROR)
    target_compile_options(vitrine_warnings INTERFACE -Werror)
endif()
if(VITRINE_SANITIZE)
    # Also on the link line of every program: the libraries are static.
    target_compile_options(vitrine_warnings INTERFACE -fsanitize=${VITRINE_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(vitrine_warnings INTERFACE -fsanitize=${VITRINE_SANITIZE})
    if(VITRINE_SANITIZE MATCHES "undefined")
        target_compile_options(vitrine_warnings INTERFACE -fno-sanitize-recover=undefined)
    endif()
endif()

if(VITRINE_FUZZ)
    # The fuzzer is led by the branches taken in the libraries, not only in its own file.
    target_compile_options(vitrine_warnings INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(vitrine_warnings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Faster turn-round where the tools exist; never required.
find_program(VITRINE_CCACHE ccache)
if(VITRINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${VITRINE_CCACHE})
endif()
find_program(VITRINE_MOLD mold)
if(VITRINE_MOLD AND NOT VITRINE_SANITIZE)
    add_link_options(-fuse-ld=mold)
endif()

# vitrine_add_test(NAME [QT] SOURCES … LIBS … LABELS …): one executable per test, linking libraries, never recompiling their sources.
# Without QT it is a plain program (tests/support/mini_test.h), built by the core, asan and tsan presets too.
function(vitrine_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 T "QT" "TIMEOUT" "SOURCES;LIBS;LABELS;ARGS")
    add_executable(${name} ${T_SOURCES})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE vitrine_warnings ${T_LIBS})
    target_compile_definitions(${name} PRIVATE VITRINE_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/tests)
    if(T_QT)
        set_target_properties(${name} PROPERTIES AUTOMOC ON)
        target_link_libraries(${name} PRIVATE Qt6::Test)
        list(APPEND T_LABELS gui)
        list(REMOVE_DUPLICATES T_LABELS)
        # Offscreen unless VITRINE_TEST_PLATFORM says xcb (under Xvfb); a fixed ENVIRONMENT could not be overridden.
        add_test(NAME ${name} COMMAND sh -c "QT_QPA_PLATFORM=\${VITRINE_TEST_PLATFORM:-offscreen} exec \"$0\" \"$@\""
                 $<TARGET_FILE:${name}> ${T_ARGS})
    else()
        add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
    endif()
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 300)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77)
    if(T_LABELS)
        set_tests_properties(${name} PROPERTIES LABELS "${T_LABELS}")
    endif()
endfunction()

# vitrine_family(target HEADER h TYPE t FUNCTION f NAMESPACE ns [SUFFIX s] NAMES a b_c …): adds as.cpp, b_cs.cpp … of this folder to the target and
# generates f(), the table of their `extern const t aSpec`, `bCSpec` …. A list, not self-registration: a linker drops such objects silently.
function(vitrine_family target)
    cmake_parse_arguments(PARSE_ARGV 1 F "" "HEADER;TYPE;FUNCTION;NAMESPACE;SUFFIX" "NAMES")
    set(declarations "")
    set(entries "")
    foreach(name IN LISTS F_NAMES)
        target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${name}${F_SUFFIX}.cpp)
        set(variable ${name})
        string(REGEX MATCHALL "_[a-z]" joints "${name}")
        foreach(joint IN LISTS joints)
            string(SUBSTRING ${joint} 1 1 letter)
            string(TOUPPER ${letter} letter)
            string(REPLACE ${joint} ${letter} variable ${variable})
        endforeach()
        string(APPEND declarations "extern const ${F_TYPE} ${variable}Spec;\n")
        string(APPEND entries "        &${variable}Spec,\n")
    endforeach()
    set(table ${CMAKE_CURRENT_BINARY_DIR}/${F_FUNCTION}_table.cpp)
    file(CONFIGURE OUTPUT ${table} CONTENT
"// Generated from the NAMES of vitrine_family in this folder's CMakeLists.txt.
#include <vector>

#include \"${F_HEADER}\"

namespace ${F_NAMESPACE} {

${declarations}
const std::vector<const ${F_TYPE}*>& ${F_FUNCTION}() {
    static const std::vector<const ${F_TYPE}*> all{
${entries}    };
    return all;
}

}  // namespace ${F_NAMESPACE}
" @ONLY)
    target_sources(${target} PRIVATE ${table})
endfunction()
