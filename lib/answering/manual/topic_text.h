// A topic of `fxcut help`, read from Markdown, of which it uses a part:
//
//     # NAME: SUMMARY       its first line
//     ## ..., ### ...       headings
//     paragraphs, and list items: "- ", with further lines indented by two spaces
//     ``` ... ```           code, shown unchanged
//     | ... | ... |         tables; a ":" after the dashes of the second row aligns a column right
//     <!-- ... -->          a comment, not shown
//
// Within text, `code` is in backticks. Everything else is plain text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct TopicBlock {
  enum class Kind { Heading, Paragraph, Item, Code, Table, Definition };
  Kind kind = Kind::Paragraph;
  int level = 0;           // of a heading: 2 or 3
  std::string text;        // in one line; of code, its lines
  std::string term = {};   // of a definition, which Markdown has no syntax for: lists of settings and of changes
  std::vector<std::vector<std::string>> rows = {};  // of a table, the head first; each row has a cell for each column
  std::string alignment = {};                       // of a table: 'l' or 'r' a column
};

struct TopicText {
  std::string name;
  std::string summary;
  std::vector<TopicBlock> blocks;
};

// Throws InternalError if the first line has another form, or a row has a different number of cells than the head: topics are
// part of the program.
TopicText read_topic(std::string_view markdown);

// The text with a to z as A to Z, for names of pages and headings.
std::string in_capitals(std::string_view text);

// The width of text in columns; code is not broken, and a table is wider if its last column would have no room.
inline constexpr std::size_t kTopicColumns = 100;

std::string topic_terminal(const TopicText& topic);

// The blocks, with a blank line between any two that are not items of the same list.
std::string show_blocks(const std::vector<TopicBlock>& blocks);

// The page fxcut-NAME(7), in the macros of man(7), with tables for tbl(1). It has the program's version and no date: equal
// input gives equal bytes.
std::string topic_man_page(const TopicText& topic, std::string_view version);

}  // namespace fxcut
