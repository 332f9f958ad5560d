#include "manual/topic_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "text/table.h"

namespace fxcut {
namespace {

using Kind = TopicBlock::Kind;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::string_view kIndent = "  ";
constexpr std::size_t kColumnGap = 2;       // between the columns of show_columns()
constexpr std::size_t kMinLastColumns = 30;  // width of a table's last column, however wide the others are

// Breaks text at spaces into lines of at most that many columns; a longer word is a line of its own.
std::vector<std::string> broken_at(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

// The first line is indented by `first`, the others by as many spaces.
std::string hung(std::string_view first, std::string_view text) {
  std::string shown, before(first);
  for (const std::string& line : broken_at(text, kTopicColumns - first.size())) {
    shown.append(before).append(line) += '\n';
    before.assign(first.size(), ' ');
  }
  return shown;
}

std::string indented(std::string_view lines) {
  std::string shown;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n') + 1, lines.size());
    if (lines.front() != '\n') shown += kIndent;
    shown += lines.substr(0, end);
    lines.remove_prefix(end);
  }
  return shown;
}

// A cell that is only code needs no backticks.
std::string plain_cell(const std::string& cell) {
  const bool is_code = cell.size() > 2 && cell.front() == '`' && cell.find('`', 1) == cell.size() - 1;
  return is_code ? cell.substr(1, cell.size() - 2) : cell;
}

// The last cell is broken into lines; the other cells are in the first of them.
void add_broken(std::vector<std::string> row, std::size_t last_columns, Rows& rows) {
  for (std::string& line : broken_at(row.back(), last_columns)) {
    row.back() = std::move(line);
    rows.push_back(row);
    for (std::string& cell : row) cell.clear();
  }
}

std::string show_table(const TopicBlock& table) {
  Rows plain = table.rows;
  for (std::string& cell : plain.front()) {
    if (cell.find('`') == cell.npos) cell = in_capitals(cell);
  }
  for (std::vector<std::string>& row : plain) std::transform(row.begin(), row.end(), row.begin(), plain_cell);
  std::size_t others = kIndent.size();
  for (std::size_t c = 0; c + 1 < table.alignment.size(); ++c) {
    others += kColumnGap + std::transform_reduce(
        plain.begin(), plain.end(), std::size_t{0}, [](std::size_t a, std::size_t b) { return std::max(a, b); },
        [&](const auto& row) { return row[c].size(); });
  }
  const std::size_t last_columns = std::max(kTopicColumns - std::min(others, kTopicColumns), kMinLastColumns);
  Rows rows;
  for (std::vector<std::string>& row : plain) add_broken(std::move(row), last_columns, rows);
  return indented(show_columns(rows, table.alignment));
}

std::string show_block(const TopicBlock& block) {
  switch (block.kind) {
    case Kind::Heading: return (block.level == 2 ? in_capitals(block.text) : block.text) + "\n";
    case Kind::Paragraph: return hung("", block.text);
    case Kind::Item: return hung("- ", block.text);
    case Kind::Code: return indented(block.text);
    case Kind::Table: return show_table(block);
    case Kind::Definition: return hung("  ", block.term) + hung("      ", block.text);
  }
  return "";
}

// Items of a list are not separated by blank lines.
bool is_next_in_list(const TopicBlock& before, const TopicBlock& block) {
  return before.kind == block.kind && (block.kind == Kind::Item || block.kind == Kind::Definition);
}

}  // namespace

std::string show_blocks(const std::vector<TopicBlock>& blocks) {
  std::string shown;
  const TopicBlock* before = nullptr;
  for (const TopicBlock& block : blocks) {
    if (before && !is_next_in_list(*before, block)) shown += '\n';
    shown += show_block(block);
    before = &block;
  }
  return shown;
}

std::string topic_terminal(const TopicText& topic) {
  return topic.name + ": " + topic.summary + "\n\n" + show_blocks(topic.blocks);
}

}  // namespace fxcut
