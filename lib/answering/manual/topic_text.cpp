#include "manual/topic_text.h"

#include <algorithm>
#include <optional>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Kind = TopicBlock::Kind;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

// The cells between the bars of "| a | b |"; "\|" is a bar within a cell.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '|') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') ++i;
      cell += row[i];
    }
  }
  return cells;
}

class TopicReader {
 public:
  explicit TopicReader(std::string_view markdown) : rest_(markdown) {}

  TopicText read() {
    TopicText topic = read_title();
    while (const std::optional<std::string_view> line = next_line()) read_line(*line);
    topic.blocks = std::move(blocks_);
    return topic;
  }

 private:
  std::optional<std::string_view> next_line() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  TopicText read_title() {
    const std::string_view title = next_line().value_or("");
    const std::size_t colon = title.find(": ");
    if (!title.starts_with("# ") || colon == title.npos) throw InternalError("a topic begins with '# NAME: SUMMARY'");
    return {std::string(title.substr(2, colon - 2)), std::string(title.substr(colon + 2)), {}};
  }

  void read_line(std::string_view line) {
    if (line.empty() || line.starts_with("<!--")) {
      is_open_ = false;
    } else if (line.starts_with("## ") || line.starts_with("### ")) {
      const std::size_t level = line.find(' ');
      add({Kind::Heading, static_cast<int>(level), std::string(line.substr(level + 1))}, false);
    } else if (line.starts_with("```")) {
      read_code();
    } else if (line.starts_with("|")) {
      read_row(cells_of(line));
    } else if (line.starts_with("- ")) {
      add({Kind::Item, 0, std::string(line.substr(2))}, true);
    } else {
      read_text(trimmed(line));
    }
  }

  void read_code() {
    std::string lines;
    for (auto line = next_line(); line && !line->starts_with("```"); line = next_line()) lines.append(*line) += '\n';
    add({Kind::Code, 0, std::move(lines)}, false);
  }

  void read_row(std::vector<std::string> cells) {
    if (!is_open_ || blocks_.back().kind != Kind::Table) {
      add({Kind::Table, 0, "", "", {std::move(cells)}}, true);
      return;
    }
    TopicBlock& table = blocks_.back();
    if (cells.size() != table.rows.front().size()) throw InternalError("a topic's table lacks a cell: " + cells.front());
    if (!table.alignment.empty()) return table.rows.push_back(std::move(cells));
    for (const std::string& cell : cells) table.alignment += cell.ends_with(':') ? 'r' : 'l';
  }

  void read_text(std::string_view line) {
    if (!is_open_) return add({Kind::Paragraph, 0, std::string(line)}, true);
    blocks_.back().text.append(" ").append(line);
  }

  // `is_open`: the next lines may belong to it.
  void add(TopicBlock block, bool is_open) {
    blocks_.push_back(std::move(block));
    is_open_ = is_open;
  }

  std::string_view rest_;
  std::vector<TopicBlock> blocks_;
  bool is_open_ = false;
};

}  // namespace

TopicText read_topic(std::string_view markdown) { return TopicReader(markdown).read(); }

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return capitals;
}

}  // namespace fxcut
