#include "batch/json_kind.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>

#include "diagnostic/diagnostic.h"
#include "read/decompress.h"
#include "read/read_file.h"

namespace fxcut {
namespace {

bool is_graph_format(std::string_view format) { return format == "fx-joint-graph" || format == "fx-step-graph"; }

constexpr std::size_t kBeginning = 4096;  // bytes; writers put the format first

// Walks over the tokens of JSON, as far as braces, brackets and strings go.
class Outermost {
 public:
  explicit Outermost(std::string_view text) : text_(text) {}

  // The value of the outermost object's member "format"; empty if that is not a string. nullopt if there is none before the end.
  std::optional<std::string_view> format() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '{' || c == '[') ++depth_;
      if (c == '}' || c == ']') is_closed_ = --depth_ <= 0;
      if (is_closed_) return std::nullopt;
      if (c != '"') continue;
      const std::string_view word = string();
      if (depth_ != 1 || word != "format" || next() != ':') continue;
      ++at_;
      if (next() != '"') return "";
      ++at_;
      return string();
    }
    return std::nullopt;
  }

  bool is_closed() const { return is_closed_; }

 private:
  // Reads the characters up to the next quote, and the quote.
  std::string_view string() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += std::size_t{text_[at_] == '\\' ? 2U : 1U};
    const std::size_t end = std::min(at_, text_.size());
    at_ = std::min(end + 1, text_.size());
    return text_.substr(begin, end - begin);
  }

  // Goes to the next character that is not a space, and returns it.
  char next() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool is_closed_ = false;
};

}  // namespace

JsonKind json_kind_of(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(begin);
  if (text.starts_with('[')) return JsonKind::Other;
  if (!text.starts_with('{')) return JsonKind::Damaged;
  Outermost object(text);
  const std::optional<std::string_view> format = object.format();
  if (format) return is_graph_format(*format) ? JsonKind::Graph : JsonKind::Other;
  return object.is_closed() ? JsonKind::Other : JsonKind::Damaged;
}

JsonKind json_kind_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string beginning(kBeginning, '\0');
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  const JsonKind kind = json_kind_of(beginning);
  if (kind != JsonKind::Damaged) return kind;
  try {
    return json_kind_of(decompressed(read_file(path), path));
  } catch (const Failure&) {
    return JsonKind::Damaged;
  }
}

}  // namespace fxcut
