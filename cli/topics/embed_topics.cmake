# Writes the topics into one C++ file, as the texts that topic_sources() returns, in the order of their names.
#
#   cmake "-DTOPICS=budgets.md;..." -DOUTPUT=topic_sources.cpp -P embed_topics.cmake
cmake_minimum_required(VERSION 3.25)

file(WRITE "${OUTPUT}" "// Made by embed_topics.cmake.
#include \"cli/topic_list.h\"

namespace fxcut {

const std::vector<std::string_view>& topic_sources() {
  static const std::vector<std::string_view> sources = {
")
foreach(topic IN LISTS TOPICS)
  file(READ "${topic}" text)
  file(APPEND "${OUTPUT}" "R\"~topic~(")
  file(APPEND "${OUTPUT}" "${text}")
  file(APPEND "${OUTPUT}" ")~topic~\",\n")
endforeach()
file(APPEND "${OUTPUT}" "  };\n  return sources;\n}\n\n}  // namespace fxcut\n")
