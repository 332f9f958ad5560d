// A topic of `fxcut help`, as Markdown has it. Markdown's whole grammar is not needed: a topic consists of
//
//     # NAME: SUMMARY       its first line
//     ## ..., ### ...       headings
//     paragraphs, and items that begin with "- " and go on indented by two spaces
//     ``` ... ```           code, shown as it is
//     | ... | ... |         tables, whose second row has a ":" after the dashes of a column that is aligned right
//     <!-- ... -->          a line that is not shown
//
// with `code` in backticks within text. All else is text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct TopicBlock {
  enum class Kind { Heading, Paragraph, Item, Code, Table, Definition };
  Kind kind = Kind::Paragraph;
  int level = 0;           // of a heading: 2 or 3
  std::string text;        // in one line; of code, its lines
  std::string term = {};   // of a definition, which Markdown has no form for: the settings and the releases are shown so
  std::vector<std::vector<std::string>> rows = {};  // of a table, the head first; as many cells in each as columns
  std::string alignment = {};                       // of a table: 'l' or 'r' a column
};

struct TopicText {
  std::string name;
  std::string summary;
  std::vector<TopicBlock> blocks;
};

// Throws InternalError where the first line has another form or a table's row another number of cells: topics are compiled in.
TopicText read_topic(std::string_view markdown);

// a to z as A to Z: names and headings of pages.
std::string in_capitals(std::string_view text);

}  // namespace fxcut
