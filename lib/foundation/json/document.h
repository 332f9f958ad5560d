// JSON text as one flat array ("tape") that is read without copying. The parser is nlohmann-json's SAX interface; each
// event appends one entry, and an entry has the number of entries that it spans, so the next sibling is one addition
// away:
//
//     {"a": [1, 2], "b": true}   ->   object(4) | a: array(2) | 1 | 2 | b: true
//
// The text is kept, and an entry of 8 bytes has the beginning of the value in it and its extent: its first character
// gives the type, and its key is before it. So only keys and strings with escapes are copied, into side entries.
// Numbers are converted on demand, and lines are counted when a message needs one.
//
// An entry's number is a ticket by which later passes refer to the text of a value, and can copy it unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "system/threads.h"

namespace fxcut {

// The deepest nesting of a document. Joint graphs nest less than 20 deep; functions over documents are recursive, so
// this limits the stack.
inline constexpr int kMaxNesting = 200;

class Document;
class ParseListener;

// One value of a document. Cheap to copy; valid while the document lives.
class JsonValue {
 public:
  enum class Type : std::uint8_t { Integer, BigInteger, Real, Null, Bool, String, Array, Object };

  JsonValue(const Document* document, std::uint32_t entry) : document_(document), entry_(entry) {}

  Type type() const;
  bool is(Type wanted) const { return type() == wanted; }
  bool boolean() const;           // Type::Bool
  std::int64_t integer() const;   // Type::Integer
  double real() const;            // Type::Real, or Integer converted
  std::string_view text() const;  // Type::String: its content; BigInteger, Real: as written
  std::string_view key() const;   // of an object's member

  // The children of an array or object, in order.
  class Iterator {
   public:
    Iterator(const Document* document, std::uint32_t entry) : document_(document), entry_(entry) {}
    JsonValue operator*() const { return {document_, entry_}; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return entry_ == other.entry_; }

   private:
    const Document* document_;
    std::uint32_t entry_;
  };
  Iterator begin() const { return {document_, entry_ + 1}; }
  Iterator end() const;
  std::size_t size() const;  // number of children; linear
  bool empty() const { return begin() == end(); }

  std::uint32_t ticket() const { return entry_; }
  const Document& document() const { return *document_; }

  // "graph.json:12:34: /nodes/7/args/0".
  std::string place() const;

  // A mistake in the value, or in its key: its place, and an excerpt of the text.
  Diagnostic mistake(std::string message, std::string hint = {}) const;
  Diagnostic mistake_in_key(std::string message, std::string hint = {}) const;

 private:
  std::string pointer() const;

  const Document* document_;
  std::uint32_t entry_;
};

class Document {
 public:
  // Parses `text` of the file `file_name` (for messages only). Throws Failure (BadInput) with line, column and the
  // expected token if it is not JSON, nests deeper than kMaxNesting, or has an object with a duplicate key.
  // `listener`, if given, is called for complete values.
  static std::shared_ptr<const Document> parse(std::string text, std::string file_name,
                                               ParseListener* listener = nullptr);

  JsonValue root() const { return {this, 0}; }
  JsonValue at(std::uint32_t ticket) const { return {this, ticket}; }
  const std::string& file_name() const { return file_name_; }
  std::size_t size_bytes() const { return text_.size(); }  // of the text

  // Appends the value as compact JSON, unchanged but without white space.
  void append(std::uint32_t ticket, std::string& out) const;

 private:
  friend class JsonValue;
  friend class TapeWriter;

  struct Entry {
    std::uint32_t begin;   // of the value in the text; from the text's size on, a position in `side_entries_`
    std::uint32_t extent;  // of a string without escapes its size, of a number size and type, of arrays and objects the
                           // number of their entries, including their own
  };
  static_assert(sizeof(Entry) == 8);

  // A number's extent has its type, one of the first three, above its size.
  static constexpr int kBitsOfASize = 30;
  static constexpr std::uint32_t kLongestNumber = (std::uint32_t{1} << kBitsOfASize) - 1;

  // A value with escapes in its key, or a string with escapes in its content.
  struct SideEntry {
    std::size_t begin = 0;  // in the text
    std::optional<std::string> key, content;
  };

  const SideEntry* find_side_entry(const Entry& entry) const {
    return entry.begin < text_.size() ? nullptr : side_entries_[entry.begin - text_.size()].get();
  }
  std::size_t begin_of(const Entry& entry) const {
    const SideEntry* side = find_side_entry(entry);
    return side ? side->begin : entry.begin;
  }
  JsonValue::Type type_of(const Entry& entry) const;
  std::uint32_t span_of(const Entry& entry) const;
  std::string_view content_of(const Entry& entry) const;
  std::string_view key_of(const Entry& entry) const;
  std::optional<std::size_t> end_of_key(const Entry& entry) const;
  static std::size_t compact_size(const JsonValue& value);
  std::string_view compact_text(std::uint32_t ticket) const;
  void append_by_parts(std::uint32_t ticket, std::string& out) const;
  void append_string(std::string_view content, std::string& out) const;
  std::string place_at(std::size_t offset) const;

  // Throws for members with duplicate keys.
  void refuse(const std::vector<std::uint32_t>& repeated) const;

  std::string file_name_;
  std::string text_;
  const Entry* tape_ = nullptr;  // data of `entries_`, moved only by TapeWriter::reserve

  // Changed by the parser with each value, so on other cache lines than the members that other threads read meanwhile.
  alignas(kCacheLine) std::vector<Entry> entries_;
  std::vector<std::unique_ptr<const SideEntry>> side_entries_;  // each keeps its address, which readers may hold
};

inline JsonValue::Type Document::type_of(const Entry& entry) const {
  using Type = JsonValue::Type;
  switch (text_[begin_of(entry)]) {
    case '"': return Type::String;
    case '{': return Type::Object;
    case '[': return Type::Array;
    case 't':
    case 'f': return Type::Bool;
    case 'n': return Type::Null;
    default: return static_cast<Type>(entry.extent >> kBitsOfASize);
  }
}

inline std::uint32_t Document::span_of(const Entry& entry) const {
  const char first = text_[begin_of(entry)];
  return first == '{' || first == '[' ? entry.extent : 1;
}

inline std::string_view Document::content_of(const Entry& entry) const {
  const SideEntry* side = find_side_entry(entry);
  if (side && side->content) return *side->content;
  const std::size_t begin = side ? side->begin : entry.begin;
  if (text_[begin] == '"') return std::string_view(text_).substr(begin + 1, entry.extent);
  return std::string_view(text_).substr(begin, entry.extent & kLongestNumber);
}

inline JsonValue::Type JsonValue::type() const { return document_->type_of(document_->tape_[entry_]); }

inline bool JsonValue::boolean() const {
  return document_->text_[document_->begin_of(document_->tape_[entry_])] == 't';
}

inline std::string_view JsonValue::text() const { return document_->content_of(document_->tape_[entry_]); }

inline std::string_view JsonValue::key() const { return document_->key_of(document_->tape_[entry_]); }

inline JsonValue::Iterator& JsonValue::Iterator::operator++() {
  entry_ += document_->span_of(document_->tape_[entry_]);
  return *this;
}

inline JsonValue::Iterator JsonValue::end() const {
  return {document_, entry_ + document_->span_of(document_->tape_[entry_])};
}

// The position of the opening quote of a JSON string: before each quote within it there is an odd number of
// backslashes.
std::size_t opening_quote(std::string_view text, std::size_t closing_quote);

// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

// A listener that uses a document while the rest of it is being parsed.

// Called by Document::parse, on its thread. The complete part of the document may then be read on another thread, but
// not an `end` of an incomplete value, and no place.
class ParseListener {
 public:
  virtual ~ParseListener() = default;

  // `element` of `array`, which is a member of the root, is complete; so are the root's members before that.
  virtual void complete(const JsonValue& array, const JsonValue& element) = 0;

  // The document is about to move in memory, or to be destroyed: it must not be read until the next call of `complete`.
  virtual void before_move() = 0;
};

}  // namespace fxcut
