// From JSON text to the tape of a Document.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "read/document.h"

namespace fxcut {
namespace {

constexpr int kNumberOverflow = 406;  // nlohmann's id of that error

// Entries refer to their text by 32-bit offsets.
constexpr std::size_t kLargestFile = std::size_t{1} << 32;

// A character pointer that tells where it stands: the SAX interface reports no positions, but reads its input through
// an iterator.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *position_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** position_;
};

}  // namespace

// Turns SAX events into entries. Throws Failure where the text is no JSON.
class TapeWriter {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TapeWriter(Document& document, std::string_view text, const char** position)
      : document_(document), text_(text), counted_(text.data()), position_(position) {}

  bool null() {
    add(JsonValue::Type::Null);
    return true;
  }
  bool boolean(bool value) {
    add(JsonValue::Type::Bool).integer = value ? 1 : 0;
    return true;
  }
  bool number_integer(number_integer_t value) {
    add(JsonValue::Type::Integer).integer = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) {
    if (value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return number_integer(static_cast<std::int64_t>(value));
    }
    add_text(add(JsonValue::Type::BigInteger), std::to_string(value));
    return true;
  }
  bool number_float(number_float_t value, const string_t& written) {
    const bool is_integer = written.find_first_of(".eE") == string_t::npos;
    Document::Entry& entry = add(is_integer ? JsonValue::Type::BigInteger : JsonValue::Type::Real);
    entry.real = value;
    add_text(entry, written);
    return true;
  }
  bool string(string_t& value) {
    add_text(add(JsonValue::Type::String), value);
    return true;
  }
  bool binary(binary_t&) { return false; }  // JSON text has none
  bool key(string_t& value) {
    key_begin_ = static_cast<std::uint32_t>(document_.text_.size());
    key_size_ = static_cast<std::uint32_t>(value.size());
    document_.text_ += value;
    return true;
  }
  bool start_object(std::size_t) { return open(JsonValue::Type::Object); }
  bool start_array(std::size_t) { return open(JsonValue::Type::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    // nlohmann's text is "[json.exception...] parse error at line 1, column 9: syntax error while ...": keep its end.
    std::string_view what = error.what();
    if (error.id == kNumberOverflow) what = "a number that no double holds";
    if (const std::size_t end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
    if (const std::size_t colon = what.find(": "); colon != std::string_view::npos) what.remove_prefix(colon + 2);
    const std::string_view read = text_.substr(0, std::min(position > 0 ? position - 1 : 0, text_.size()));
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
    const std::size_t line_start = read.rfind('\n') + 1;  // npos + 1 == 0
    const bool truncated = read.size() + 1 >= text_.size();
    throw Failure(ExitStatus::BadInput,
                  {{fmt::format("{}:{}:{}", document_.file_name_, line, read.size() - line_start + 1),
                    fmt::format("this is not JSON: {}", what),
                    truncated ? "the file ends too early: was it copied or written whole?" : ""}});
  }

  // The members, by ticket, whose keys their objects have twice.
  const std::vector<std::uint32_t>& repeated() const { return repeated_; }

 private:
  Document::Entry& add(JsonValue::Type type) {
    const char* const position = *position_;
    // The parser has read one character past a number; that one is not yet counted.
    line_ += static_cast<std::uint32_t>(std::count(counted_, position - 1, '\n'));
    counted_ = position - 1;
    Document::Entry& entry = document_.entries_.emplace_back();
    entry.type = type;
    entry.key_begin = key_begin_;
    entry.key_size = key_size_;
    entry.line = line_;
    key_size_ = 0;
    return entry;
  }

  void add_text(Document::Entry& entry, std::string_view text) {
    entry.text_begin = static_cast<std::uint32_t>(document_.text_.size());
    entry.text_size = static_cast<std::uint32_t>(text.size());
    document_.text_ += text;
  }

  bool open(JsonValue::Type type) {
    add(type);
    open_.push_back(static_cast<std::uint32_t>(document_.entries_.size() - 1));
    if (open_.size() > kDeepestNesting) {
      throw Failure(ExitStatus::BadInput, {{fmt::format("{}:{}", document_.file_name_, line_),
                                            fmt::format("arrays and objects nest deeper than {}", kDeepestNesting),
                                            "no graph needs that; is the file what it should be?"}});
    }
    return true;
  }

  bool close() {
    const std::uint32_t container = open_.back();
    document_.entries_[open_.back()].span = static_cast<std::uint32_t>(document_.entries_.size()) - container;
    open_.pop_back();
    if (document_.entries_[container].type == JsonValue::Type::Object) find_repeated_key(document_.at(container));
    return true;
  }

  // Python would take the last of two members with one key, others the first: neither is what somebody meant.
  void find_repeated_key(const JsonValue& object) {
    keys_.clear();
    for (const JsonValue member : object) keys_.push_back({member.key(), member.ticket()});
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t k = 1; k < keys_.size(); ++k) {
      if (keys_[k].first == keys_[k - 1].first) repeated_.push_back(keys_[k].second);
    }
  }

  Document& document_;
  std::string_view text_;
  const char* counted_;  // up to here the lines are counted
  std::uint32_t line_ = 1;
  const char** position_;
  std::uint32_t key_begin_ = 0, key_size_ = 0;
  std::vector<std::uint32_t> open_;
  std::vector<std::pair<std::string_view, std::uint32_t>> keys_;
  std::vector<std::uint32_t> repeated_;
};

std::shared_ptr<const Document> Document::parse(std::string_view text, std::string file_name) {
  auto document = std::make_shared<Document>();
  document->file_name_ = std::move(file_name);
  if (text.size() >= kLargestFile) {
    throw Failure(ExitStatus::BadInput,
                  {{document->file_name_, "the file has 4 GiB or more; at most that can be read", ""}});
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Failure(ExitStatus::BadInput, {{document->file_name_, "the file is empty; expected JSON", ""}});
  }
  document->entries_.reserve(text.size() / 8);  // what joint graphs have: about 9 characters a value
  document->text_.reserve(text.size());
  const char* position = text.data() + 1;
  TapeWriter writer(*document, text, &position);
  nlohmann::json::sax_parse(CountingIterator(text.data(), &position),
                            CountingIterator(text.data() + text.size(), &position), &writer);
  document->refuse(writer.repeated());
  return document;
}

void Document::refuse(const std::vector<std::uint32_t>& repeated) const {
  constexpr std::size_t kMostListed = 100;
  std::vector<Diagnostic> diagnostics;
  for (std::size_t r = 0; r < std::min(repeated.size(), kMostListed); ++r) {
    const JsonValue member = at(repeated[r]);
    diagnostics.push_back({member.place(), fmt::format("the key '{}' stands twice", member.key()), ""});
  }
  if (!diagnostics.empty()) throw Failure(ExitStatus::BadInput, std::move(diagnostics));
}

}  // namespace fxcut
