// From JSON text to the tape of a Document.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "read/document.h"
#include "read/parse_listener.h"

namespace fxcut {
namespace {

constexpr int kNumberOverflow = 406;  // nlohmann's id of that error

// Entries refer to the text by 32-bit places, and to strings with escapes, which take 2 characters and their quotes at
// least, by those from its size on.
constexpr std::size_t kLargestFile = (std::size_t{1} << 32) / 5 * 4;

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

  TapeWriter(Document& document, const char** position, ParseListener* listener)
      : document_(document), text_(document.text_), position_(position), listener_(listener) {}

  bool null() { return add_scalar(JsonValue::Type::Null, read() - 4, 4); }
  bool boolean(bool value) { return add_scalar(JsonValue::Type::Bool, read() - (value ? 4 : 5), value ? 4 : 5); }
  bool number_integer(number_integer_t) { return add_number(JsonValue::Type::Integer); }
  bool number_unsigned(number_unsigned_t value) {
    const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return add_number(fits ? JsonValue::Type::Integer : JsonValue::Type::BigInteger);
  }
  bool number_float(number_float_t, const string_t& written) {
    const bool is_integer = written.find_first_of(".eE") == string_t::npos;
    return add_number(is_integer ? JsonValue::Type::BigInteger : JsonValue::Type::Real);
  }
  bool string(string_t& value) { return add_scalar(JsonValue::Type::String, place_of(value), value.size()); }
  bool binary(binary_t&) { return false; }  // JSON text has none
  bool key(string_t& value) {
    if (value.size() > Document::kLongestKey) {
      throw Failure(ExitStatus::BadInput, {{document_.file_name_, "a key has 256 MiB or more", ""}});
    }
    key_begin_ = static_cast<std::uint32_t>(place_of(value));
    key_size_ = static_cast<std::uint32_t>(value.size());
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
  // How much of the text is read: all up to the end of the value that an event tells of; behind a number, one more.
  std::size_t read() const { return static_cast<std::size_t>(*position_ - text_.data()); }

  bool add_scalar(JsonValue::Type type, std::size_t begin, std::size_t size) {
    add(type, begin, size);
    tell_if_element(static_cast<std::uint32_t>(document_.entries_.size() - 1));
    return true;
  }

  void add(JsonValue::Type type, std::size_t begin, std::size_t size) {
    before_growth_of(document_.entries_);
    Document::Entry& entry = document_.entries_.emplace_back();
    entry.begin = static_cast<std::uint32_t>(begin);
    entry.size = static_cast<std::uint32_t>(size);
    entry.key_begin = key_begin_;
    entry.key_size = std::exchange(key_size_, 0) & Document::kLongestKey;
    entry.type = type;
  }

  void before_growth_of(const auto& list) {
    if (listener_ != nullptr && list.size() == list.capacity()) listener_->before_move();
  }

  // Of a value that is complete: whether it stands in an array that is a member of the root.
  void tell_if_element(std::uint32_t value) {
    if (listener_ == nullptr || open_.size() != 2) return;
    const JsonValue list = document_.at(open_.back());
    if (list.is(JsonValue::Type::Array)) listener_->complete(list, document_.at(value));
  }

  bool add_number(JsonValue::Type type) {
    constexpr std::string_view kOfNumbers = "0123456789+-.eE";
    const std::size_t last = text_.find_last_of(kOfNumbers, read() - 1);
    const std::size_t before = text_.find_last_not_of(kOfNumbers, last);  // npos + 1 == 0
    return add_scalar(type, before + 1, last - before);
  }

  // Where the string stands, whose closing quote was read last. An escape takes more characters than what it stands
  // for, so the string has none where the quote that opens it is as far away as its content is long.
  std::size_t place_of(const string_t& content) {
    const std::size_t end = read() - 1;
    const std::size_t begin = end - content.size();  // behind the first quote, or later
    const bool opens_here = text_[begin - 1] == '"' && (begin == 1 || text_[begin - 2] != '\\');
    if (opens_here) return begin;
    before_growth_of(document_.unescaped_);
    document_.unescaped_.push_back({end, content});
    return text_.size() + document_.unescaped_.size() - 1;
  }

  bool open(JsonValue::Type type) {
    add(type, read() - 1, 1);
    open_.push_back(static_cast<std::uint32_t>(document_.entries_.size() - 1));
    if (open_.size() > kDeepestNesting) {
      const std::size_t line = document_.line_of(document_.entries_.back());
      throw Failure(ExitStatus::BadInput, {{fmt::format("{}:{}", document_.file_name_, line),
                                            fmt::format("arrays and objects nest deeper than {}", kDeepestNesting),
                                            "no graph needs that; is the file what it should be?"}});
    }
    return true;
  }

  bool close() {
    const std::uint32_t container = open_.back();
    document_.entries_[container].size = static_cast<std::uint32_t>(document_.entries_.size()) - container;
    open_.pop_back();
    if (document_.entries_[container].type == JsonValue::Type::Object) find_repeated_key(document_.at(container));
    tell_if_element(container);
    return true;
  }

  // Python would take the last of two members with one key, others the first: neither is what somebody meant.
  void find_repeated_key(const JsonValue& object) {
    constexpr std::size_t kFewMembers = 8;  // of which all pairs are compared sooner than they are sorted
    keys_.clear();
    for (const JsonValue member : object) keys_.push_back({member.key(), member.ticket()});
    if (keys_.size() <= kFewMembers && !has_equal_pair()) return;
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t k = 1; k < keys_.size(); ++k) {
      if (keys_[k].first == keys_[k - 1].first) repeated_.push_back(keys_[k].second);
    }
  }

  bool has_equal_pair() const {
    for (std::size_t k = 1; k < keys_.size(); ++k) {
      for (std::size_t earlier = 0; earlier < k; ++earlier) {
        if (keys_[k].first == keys_[earlier].first) return true;
      }
    }
    return false;
  }

  Document& document_;
  std::string_view text_;
  const char** position_;
  ParseListener* listener_;
  std::uint32_t key_begin_ = 0, key_size_ = 0;
  std::vector<std::uint32_t> open_;
  std::vector<std::pair<std::string_view, std::uint32_t>> keys_;
  std::vector<std::uint32_t> repeated_;
};

std::shared_ptr<const Document> Document::parse(std::string content, std::string file_name,
                                                ParseListener* listener) {
  auto document = std::make_shared<Document>();
  document->file_name_ = std::move(file_name);
  document->text_ = std::move(content);
  const std::string_view text = document->text_;
  if (text.size() >= kLargestFile) {
    throw Failure(ExitStatus::BadInput,
                  {{document->file_name_, "the file has 3.2 GiB or more; less than that can be read", ""}});
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Failure(ExitStatus::BadInput, {{document->file_name_, "the file is empty; expected JSON", ""}});
  }
  document->entries_.reserve(text.size() / 8);  // what joint graphs have: about 9 characters a value
  const char* position = text.data() + 1;
  TapeWriter writer(*document, &position, listener);
  try {
    nlohmann::json::sax_parse(CountingIterator(text.data(), &position),
                              CountingIterator(text.data() + text.size(), &position), &writer);
    document->refuse(writer.repeated());
  } catch (...) {
    if (listener != nullptr) listener->before_move();
    throw;
  }
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
