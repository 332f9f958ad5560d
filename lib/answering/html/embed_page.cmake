# Puts a page with all that it refers to into one C++ file, as the text that NAME_template() returns.
#
#   cmake -DPAGE=assets/page.html -DOUTPUT=page_template.cpp -P embed_page.cmake
#
# @OVERVIEW_HEAD@, @HEAD@, @FOOT@, @CURVE@ and @CURVE_SCRIPTS@ become the files that pages share; <link rel="stylesheet" href="X">
# becomes <style> with X's text, <script src="X"></script> a script with it.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET PAGE PARENT_PATH assets)
cmake_path(GET PAGE STEM name_of_page)
file(READ "${PAGE}" page)
foreach(part IN ITEMS overview_head head foot curve curve_scripts)
  file(READ "${assets}/${part}.html" shared)
  string(TOUPPER "@${part}@\n" placeholder)
  string(REPLACE "${placeholder}" "${shared}" page "${page}")
endforeach()

# read_asset(NAME END): the text of an asset, which must not hold END, the tag that ends its element.
macro(read_asset name end)
  file(READ "${assets}/${name}" content)
  string(FIND "${content}" "${end}" found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${name} holds ${end}, which would end its element in the page")
  endif()
endmacro()

string(REGEX MATCHALL "<link rel=\"stylesheet\" href=\"[a-z_]+\\.css\">" links "${page}")
foreach(link IN LISTS links)
  string(REGEX REPLACE ".*href=\"([^\"]+)\".*" "\\1" name "${link}")
  read_asset("${name}" "</style")
  string(REPLACE "${link}" "<style nonce=\"page\">\n${content}</style>" page "${page}")
endforeach()

string(REGEX MATCHALL "<script src=\"[a-z_]+\\.js\"></script>" scripts "${page}")
foreach(script IN LISTS scripts)
  string(REGEX REPLACE ".*src=\"([^\"]+)\".*" "\\1" name "${script}")
  read_asset("${name}" "</script")
  string(REPLACE "${script}" "<script nonce=\"page\">\n${content}</script>" page "${page}")
endforeach()

file(WRITE "${OUTPUT}" "// Made by embed_page.cmake.
#include \"html/template.h\"

namespace fxcut {

std::string_view ${name_of_page}_template() { return R\"~page~(")
file(APPEND "${OUTPUT}" "${page}")
file(APPEND "${OUTPUT}" ")~page~\"; }\n\n}  // namespace fxcut\n")
