#include "excerpt.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace golden {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kLeftOut = "...";

Lines lines_of(const std::string& text) {
  std::istringstream input(text);
  Lines lines;
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

// The lines between two "..."; a "..." at either end of the excerpt leaves an empty block there.
std::vector<Lines> blocks_of(const std::string& excerpt) {
  std::vector<Lines> blocks(1);
  for (const std::string& line : lines_of(excerpt)) {
    if (line == kLeftOut) {
      blocks.emplace_back();
    } else {
      blocks.back().push_back(line);
    }
  }
  return blocks;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(' ') == std::string::npos; }

Lines words_of(const std::string& line) {
  std::istringstream input(line);
  Lines words;
  for (std::string word; input >> word;) words.push_back(word);
  return words;
}

// How many words both have, in the order of both.
std::size_t common_words(const Lines& a, const Lines& b) {
  std::vector<std::size_t> most(b.size() + 1);
  for (const std::string& word : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = most[j + 1];
      most[j + 1] = word == b[j] ? diagonal + 1 : std::max(above, most[j]);
      diagonal = above;
    }
  }
  return most.back();
}

// Zero if they are not alike: neither more than half of the words are the same, nor is the first, which in most outputs says what
// the line tells.
double likeness(const std::string& old_line, const std::string& line) {
  const Lines old_words = words_of(old_line), words = words_of(line);
  if (old_words.empty() || words.empty()) return 0;
  const auto common = static_cast<double>(common_words(old_words, words));
  const bool same_first = old_words.front() == words.front();
  const double share = common / static_cast<double>(std::max(old_words.size(), words.size()));
  return same_first || share > 0.5 ? share + (same_first ? 1 : 0) : 0;
}

// An output's lines from one on: those of an excerpt are looked for in their order.
struct Rest {
  const Lines& lines;
  std::size_t begin = 0;

  std::optional<std::size_t> same(const std::string& line) const {
    const auto at = std::find(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.end(), line);
    return at == lines.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - lines.begin()));
  }
  std::optional<std::size_t> most_alike(const std::string& line, std::size_t end) const {
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double like = likeness(line, lines[i]);
      if (like <= most) continue;
      most = like;
      best = i;
    }
    return best;
  }
};

// The position at which the excerpt's lines below the given one continue, after a line that changed.
std::size_t next_unchanged(const Rest& rest, const Lines& old_lines, std::size_t after) {
  for (std::size_t i = after + 1; i < old_lines.size(); ++i) {
    if (old_lines[i] == kLeftOut || is_blank(old_lines[i])) continue;
    if (const auto at = rest.same(old_lines[i])) return *at;
  }
  return rest.lines.size();
}

}  // namespace

void require_excerpt(const std::string& title, const std::string& excerpt) {
  const std::vector<Lines> blocks = blocks_of(excerpt);
  if (blocks.size() == 1) throw std::runtime_error(title + " leaves nothing out: there is no line \"...\"");
  bool says_something = false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool at_an_end = i == 0 || i + 1 == blocks.size();
    if (at_an_end && blocks[i].empty()) continue;
    if (std::all_of(blocks[i].begin(), blocks[i].end(), is_blank)) throw std::runtime_error(title + " has an empty block");
    says_something = true;
  }
  if (!says_something) throw std::runtime_error(title + " has no lines");
}

bool holds(const std::string& excerpt, const std::string& output) {
  const Lines lines = lines_of(output);
  const std::vector<Lines> blocks = blocks_of(excerpt);
  // The earliest place of a block leaves the most to the blocks after it: if those do not fit there, they fit nowhere.
  auto begin = lines.begin();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Lines& block = blocks[i];
    const auto size = static_cast<std::ptrdiff_t>(block.size());
    const bool ends_the_output = i + 1 == blocks.size() && !block.empty();
    if (ends_the_output) {
      if (lines.end() - begin < size) return false;
      begin = lines.end() - size;
    }
    const auto at = std::search(begin, lines.end(), block.begin(), block.end());
    const bool begins_the_output = i == 0 && !block.empty();
    if (at == lines.end() && !block.empty()) return false;
    if (begins_the_output && at != lines.begin()) return false;
    begin = at + size;
  }
  return true;
}

Renewed renew(const std::string& excerpt, const std::string& output) {
  const Lines lines = lines_of(output), old_lines = lines_of(excerpt);
  Renewed result;
  Rest rest{lines};
  bool left_out = false;
  const auto leave_out = [&] {
    if (!left_out) result.excerpt.append(kLeftOut).append("\n");
    left_out = true;
  };
  for (std::size_t i = 0; i < old_lines.size(); ++i) {
    if (old_lines[i] == kLeftOut) {
      leave_out();
      continue;
    }
    std::optional<std::size_t> at = rest.same(old_lines[i]);
    if (!at) at = rest.most_alike(old_lines[i], next_unchanged(rest, old_lines, i));
    if (!at) {
      result.gone.push_back(old_lines[i]);
      continue;
    }
    if (*at != rest.begin && is_blank(old_lines[i])) continue;  // says something only beside the line before it
    if (*at != rest.begin) leave_out();
    result.excerpt.append(lines[*at]).append("\n");
    left_out = false;
    rest.begin = *at + 1;
  }
  if (rest.begin != lines.size()) leave_out();
  return result;
}

}  // namespace golden
