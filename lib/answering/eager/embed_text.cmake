# Puts a file into a C++ file, as the text that NAME_template() returns.
#
#   cmake -DTEXT=assets/torch_policy.py -DOUTPUT=torch_policy_template.cpp -P embed_text.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(GET TEXT STEM name_of_text)
file(READ "${TEXT}" text)
file(WRITE "${OUTPUT}" "// Made by embed_text.cmake.
#include \"eager/show_eager.h\"

namespace fxcut {

std::string_view ${name_of_text}_template() { return R\"~text~(")
file(APPEND "${OUTPUT}" "${text}")
file(APPEND "${OUTPUT}" ")~text~\"; }\n\n}  // namespace fxcut\n")
