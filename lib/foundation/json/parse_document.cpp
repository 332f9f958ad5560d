// From JSON text to the tape of a Document.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "json/document.h"
#include "json/token_text.h"
#include "text/excerpt.h"

namespace fxcut {
namespace {

constexpr int kNumberOverflow = 406;  // nlohmann's id of that error

using Parsed = nlohmann::basic_json<std::map, std::vector, TokenText>;

// Entries have 32-bit positions in the text, followed by positions of side entries, each of at least 4 characters of
// the text, two of an escape and two quotes.
constexpr std::size_t kLargestFile = (std::size_t{1} << 32) / 5 * 4;

// A character pointer that stores its position: the SAX interface reports no positions, but reads its input through an
// iterator.
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

// Converts SAX events to entries. Throws Failure if the text is not JSON.
class TapeWriter {
 public:
  using number_integer_t = Parsed::number_integer_t;
  using number_unsigned_t = Parsed::number_unsigned_t;
  using number_float_t = Parsed::number_float_t;
  using string_t = Parsed::string_t;
  using binary_t = Parsed::binary_t;

  TapeWriter(Document& document, const char** position, ParseListener* listener)
      : document_(document), text_(document.text_), position_(position), listener_(listener) {}

  // Reserves room for `entries`.
  void reserve(std::size_t entries) {
    if (listener_ != nullptr) listener_->before_move();
    document_.entries_.reserve(entries);
    document_.tape_ = document_.entries_.data();
  }

  bool null() { return add_scalar(read() - 4, 0); }
  bool boolean(bool value) { return add_scalar(read() - (value ? 4 : 5), 0); }
  bool number_integer(number_integer_t) { return add_number(JsonValue::Type::Integer); }
  bool number_unsigned(number_unsigned_t value) {
    const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return add_number(fits ? JsonValue::Type::Integer : JsonValue::Type::BigInteger);
  }
  bool number_float(number_float_t, std::string_view written) {
    const bool is_integer = written.find_first_of(".eE") == written.npos;
    return add_number(is_integer ? JsonValue::Type::BigInteger : JsonValue::Type::Real);
  }
  bool string(string_t& token) {
    const std::string_view value = token;
    if (has_no_escape(value)) return add_scalar(read() - value.size() - 2, value.size());
    content_.emplace(value);
    return add_scalar(opening_quote(text_, read() - 1), 0);
  }
  bool binary(binary_t&) { return false; }  // not in JSON text
  bool key(string_t& token) {
    const std::string_view value = token;
    const bool is_plain = has_no_escape(value);
    if (!is_plain) key_.emplace(value);
    members_.push_back({is_plain ? text_.substr(read() - 1 - value.size(), value.size()) : std::string_view(), next()});
    return true;
  }
  bool start_object(std::size_t) { return open(); }
  bool start_array(std::size_t) { return open(); }
  bool end_object() {
    find_repeated_key(open_.back().first_member);
    return close();
  }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    // nlohmann's text is "[json.exception...] parse error at line 1, column 9: syntax error while ...": keep its end.
    std::string_view what = error.what();
    if (error.id == kNumberOverflow) what = "a number outside the range of doubles";
    if (const std::size_t end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
    if (const std::size_t colon = what.find(": "); colon != std::string_view::npos) what.remove_prefix(colon + 2);
    refuse_text(position > 0 ? position - 1 : 0, what);
  }

  // Throws if the text continues after its end: nlohmann's lexer ends at a zero byte.
  void expect_end() const {
    const std::size_t last = read() - 1;
    if (text_[last] == '\0') refuse_text(last, "a zero byte; expected end of input");
  }

  // The members with duplicate keys, by ticket.
  const std::vector<std::uint32_t>& repeated() const { return repeated_; }

 private:
  static constexpr std::size_t kLongestWord = 5;  // of JSON: "false"; a text of something else ends within it

  [[noreturn]] void refuse_text(std::size_t position, std::string_view what) const {
    position = std::min(position, text_.size());
    const bool is_at_end = position + 1 >= text_.size();
    // A text cut within a value ends with another character than one with something missing or superfluous before the
    // end.
    const bool is_cut = is_at_end && !text_.ends_with('}') && !text_.ends_with(']') &&
                        what.find("; expected end of input") == what.npos;
    const bool ends_early = is_at_end && what.find("unexpected end of input") != what.npos;
    const std::size_t first = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
    const bool is_other = first < text_.size() && text_[first] != '{' && text_[first] != '[' && position <= first + kLongestWord;
    refuse_at(begin_of_token(position, what), fmt::format("this is not JSON: {}", what),
              is_cut || ends_early ? "the file ends too early: is the copy complete?"
              : is_other           ? "'fxcut import' makes graphs in JSON of what PyTorch prints and stores"
                                   : "");
  }

  [[noreturn]] void refuse_at(std::size_t position, std::string message, std::string hint) const {
    throw Failure(ExitStatus::BadInput, {{document_.place_at(position), std::move(message), std::move(hint),
                                          excerpt(text_, position)}});
  }

  // The beginning of an unexpected token, given its last character; for other mistakes that position itself.
  std::size_t begin_of_token(std::size_t last, std::string_view what) const {
    if (what.find("unexpected string literal") != what.npos) return opening_quote(text_, last);
    if (what.find("unexpected number literal") == what.npos) return last;
    while (last > 0 && is_of_number(text_[last - 1])) --last;
    return last;
  }

  // An array or object that is not complete.
  struct Open {
    std::uint32_t container;
    std::size_t first_member;  // in `members_`
  };

  // A key in the text, or without data if it has escapes; and the ticket of its value.
  struct Member {
    std::string_view key;
    std::uint32_t ticket;
    auto operator<=>(const Member&) const = default;
  };

  // The number of characters read: to the end of an event's value; after a number, one more.
  std::size_t read() const { return static_cast<std::size_t>(*position_ - text_.data()); }

  // The ticket of the next value.
  std::uint32_t next() const { return static_cast<std::uint32_t>(document_.entries_.size()); }

  bool add_scalar(std::size_t begin, std::size_t extent) {
    add(begin, extent);
    report_if_element(next() - 1);
    return true;
  }

  void add(std::size_t begin, std::size_t extent) {
    if (is_full(document_.entries_)) reserve(2 * document_.entries_.size());
    if (key_ || content_) begin = add_side_entry(begin);
    document_.entries_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(extent)});
  }

  // Returns the entry's position.
  std::size_t add_side_entry(std::size_t begin) {
    if (is_full(document_.side_entries_) && listener_ != nullptr) listener_->before_move();
    document_.side_entries_.push_back(std::make_unique<const Document::SideEntry>(
        Document::SideEntry{begin, std::exchange(key_, std::nullopt), std::exchange(content_, std::nullopt)}));
    return text_.size() + document_.side_entries_.size() - 1;
  }

  static bool is_full(const auto& list) { return list.size() == list.capacity(); }

  // Reports a complete value if it is in an array that is a member of the root.
  void report_if_element(std::uint32_t value) {
    if (listener_ == nullptr || open_.size() != 2) return;
    const JsonValue list = document_.at(open_.back().container);
    if (list.is(JsonValue::Type::Array)) listener_->complete(list, document_.at(value));
  }

  static bool is_of_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  }

  bool add_number(JsonValue::Type type) {
    std::size_t end = read();
    if (!is_of_number(text_[end - 1])) --end;  // the character after it
    std::size_t begin = end - 1;
    while (begin > 0 && is_of_number(text_[begin - 1])) --begin;
    const std::size_t size = end - begin;
    if (size > Document::kLongestNumber) {
      throw Failure(ExitStatus::BadInput, {{document_.file_name_, "a number is too long: expected less than 1 GiB", ""}});
    }
    return add_scalar(begin, static_cast<std::size_t>(type) << Document::kBitsOfASize | size);
  }

  // Whether the string whose closing quote was read last has no escape. An escape is longer than its character, so
  // there is none if the opening quote is as far away as the content is long.
  bool has_no_escape(std::string_view content) const {
    const std::size_t begin = read() - 1 - content.size();  // after the first quote, or later
    return text_[begin - 1] == '"' && (begin == 1 || text_[begin - 2] != '\\');
  }

  bool open() {
    add(read() - 1, 1);
    open_.push_back({next() - 1, members_.size()});
    if (open_.size() > kMaxNesting) {
      refuse_at(read() - 1, fmt::format("arrays and objects nest deeper than {}", kMaxNesting),
                "no graph nests that deeply: is this the right file?");
    }
    return true;
  }

  bool close() {
    const std::uint32_t container = open_.back().container;
    document_.entries_[container].extent = next() - container;
    open_.pop_back();
    report_if_element(container);
    return true;
  }

  // If two members have one key, Python uses the last, other parsers the first: neither is intended. Removes the members from
  // `first` on, those of the object that ends.
  void find_repeated_key(std::size_t first) {
    constexpr std::size_t kFewMembers = 8;  // for these, comparing all pairs is faster than sorting
    const std::span<Member> members(members_.data() + first, members_.size() - first);
    for (Member& member : members) {
      if (member.key.data() == nullptr) member.key = document_.at(member.ticket).key();
    }
    if (members.size() > kFewMembers || has_equal_pair(members)) {
      std::sort(members.begin(), members.end());
      for (std::size_t k = 1; k < members.size(); ++k) {
        if (members[k].key == members[k - 1].key) repeated_.push_back(members[k].ticket);
      }
    }
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
  }

  static bool has_equal_pair(std::span<const Member> members) {
    for (std::size_t k = 1; k < members.size(); ++k) {
      for (std::size_t earlier = 0; earlier < k; ++earlier) {
        if (members[k].key == members[earlier].key) return true;
      }
    }
    return false;
  }

  Document& document_;
  std::string_view text_;
  const char** position_;
  ParseListener* listener_;
  std::optional<std::string> key_, content_;  // with escapes, of the next value
  std::vector<Open> open_;
  std::vector<Member> members_;  // of the incomplete objects
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
                  {{document->file_name_, "the file is too large: expected less than 3.2 GiB", ""}});
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Failure(ExitStatus::BadInput, {{document->file_name_, "the file is empty; expected JSON", ""}});
  }
  const char* position = text.data() + 1;
  TapeWriter writer(*document, &position, listener);
  writer.reserve(text.size() / 8 + 1);  // joint graphs have about 9 characters a value
  try {
    Parsed::sax_parse(CountingIterator(text.data(), &position),
                    CountingIterator(text.data() + text.size(), &position), &writer);
    writer.expect_end();
    document->refuse(writer.repeated());
  } catch (...) {
    if (listener != nullptr) listener->before_move();
    throw;
  }
  return document;
}

void Document::refuse(const std::vector<std::uint32_t>& repeated) const {
  constexpr std::size_t kMaxListed = 100;
  std::vector<Diagnostic> diagnostics;
  for (std::size_t r = 0; r < std::min(repeated.size(), kMaxListed); ++r) {
    const JsonValue member = at(repeated[r]);
    diagnostics.push_back(member.mistake_in_key(fmt::format("duplicate key '{}'", member.key())));
  }
  if (!diagnostics.empty()) throw Failure(ExitStatus::BadInput, std::move(diagnostics));
}

}  // namespace fxcut
