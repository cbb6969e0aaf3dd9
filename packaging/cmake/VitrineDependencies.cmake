# Everything comes from the distribution; nothing is downloaded at configure time.

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

# SentencePiece has no CMake package, and its .pc file needs other -dev packages on newer distributions: find it by hand.
find_path(SENTENCEPIECE_INCLUDE_DIR sentencepiece_processor.h REQUIRED)
find_library(SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
add_library(vitrine_sentencepiece UNKNOWN IMPORTED)
set_target_properties(vitrine_sentencepiece PROPERTIES IMPORTED_LOCATION "${SENTENCEPIECE_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${SENTENCEPIECE_INCLUDE_DIR}")

find_path(UTF8PROC_INCLUDE_DIR utf8proc.h REQUIRED)
find_library(UTF8PROC_LIBRARY utf8proc REQUIRED)
add_library(vitrine_utf8proc UNKNOWN IMPORTED)
set_target_properties(vitrine_utf8proc PROPERTIES IMPORTED_LOCATION "${UTF8PROC_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${UTF8PROC_INCLUDE_DIR}")

# Also by hand: the distributions' pcre2-config.cmake differ in their target names.
find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)
find_library(PCRE2_LIBRARY pcre2-8 REQUIRED)
add_library(vitrine_pcre2 UNKNOWN IMPORTED)
set_target_properties(vitrine_pcre2 PROPERTIES IMPORTED_LOCATION "${PCRE2_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${PCRE2_INCLUDE_DIR}"
                      INTERFACE_COMPILE_DEFINITIONS PCRE2_CODE_UNIT_WIDTH=8)

if(VITRINE_GUI)
    # Qt first: QCustomPlot's package file has no find_dependency.
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets PrintSupport Svg Network Test LinguistTools)
    find_package(QCustomPlotQt6 REQUIRED)
endif()
