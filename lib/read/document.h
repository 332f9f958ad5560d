// JSON text as one flat array ("tape") that is walked without copying. The parser is nlohmann-json's SAX interface;
// each event appends one entry, and an entry knows how many entries it spans, so the next sibling is one addition away:
//
//     {"a": [1, 2], "b": true}   ->   object(4) | a: array(2) | 1 | 2 | b: true
//
// The text is kept, and an entry of 16 bytes says where in it its key and its content stand: nothing is copied but
// strings that the text has in another form, with escapes. Numbers are converted when they are asked for, and lines are
// counted when a message needs one.
//
// An entry's number is a ticket by which later stages can refer to the text of a value, and have it written again just
// as it was read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// How deep a document may nest. Joint graphs nest less than 20 deep; every walk over a document is recursive, so this
// bounds the stack.
inline constexpr int kDeepestNesting = 200;

class Document;
class ParseListener;

// One value of a document. Cheap to copy; valid while the document lives.
class JsonValue {
 public:
  enum class Type : std::uint8_t { Null, Bool, Integer, BigInteger, Real, String, Array, Object };

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

  // "graph.json:12: /nodes/7/args/0".
  std::string place() const;

 private:
  const Document* document_;
  std::uint32_t entry_;
};

class Document {
 public:
  // Parses `text`, which stems from `file_name` (used in messages only). Throws Failure (BadInput) with line, column
  // and what was expected where it is no JSON, nests deeper than kDeepestNesting, or has an object with a key twice.
  // `listener`, where there is one, is told of what is complete (read/parse_listener.h).
  static std::shared_ptr<const Document> parse(std::string text, std::string file_name,
                                               ParseListener* listener = nullptr);

  JsonValue root() const { return {this, 0}; }
  JsonValue at(std::uint32_t ticket) const { return {this, ticket}; }
  const std::string& file_name() const { return file_name_; }

  // Appends the value as compact JSON, just as it was read but for white space.
  void append(std::uint32_t ticket, std::string& out) const;

 private:
  friend class JsonValue;
  friend class TapeWriter;

  // Places below the text's size are in the text; from there on they count in `unescaped_`.
  struct Entry {
    std::uint32_t begin;  // of the content: in a string behind the quote
    std::uint32_t size;   // of strings and numbers; of arrays and objects how many entries they take, with their own
    std::uint32_t key_begin;
    std::uint32_t key_size : 28;
    JsonValue::Type type : 4;

    bool is_container() const { return type == JsonValue::Type::Array || type == JsonValue::Type::Object; }
    std::uint32_t span() const { return is_container() ? size : 1; }
  };
  static_assert(sizeof(Entry) == 16);
  static constexpr std::uint32_t kLongestKey = (std::uint32_t{1} << 28) - 1;

  // A string that the text has with escapes.
  struct Unescaped {
    std::size_t position;  // in the text
    std::string content;
  };

  std::string_view content(std::uint32_t begin, std::uint32_t size) const {
    if (begin < text_.size()) return std::string_view(text_).substr(begin, size);
    return unescaped_[begin - text_.size()].content;
  }
  void append_string(std::string_view content, std::string& out) const;
  std::size_t line_of(const Entry& entry) const;

  // Throws for members whose keys their objects have twice.
  void refuse(const std::vector<std::uint32_t>& repeated) const;

  std::string file_name_;
  std::string text_;
  std::vector<Entry> entries_;
  std::vector<Unescaped> unescaped_;
};

inline JsonValue::Type JsonValue::type() const { return document_->entries_[entry_].type; }

inline bool JsonValue::boolean() const { return document_->text_[document_->entries_[entry_].begin] == 't'; }

inline std::string_view JsonValue::text() const {
  const Document::Entry& entry = document_->entries_[entry_];
  return document_->content(entry.begin, entry.size);
}

inline std::string_view JsonValue::key() const {
  const Document::Entry& entry = document_->entries_[entry_];
  return document_->content(entry.key_begin, entry.key_size);
}

inline JsonValue::Iterator& JsonValue::Iterator::operator++() {
  entry_ += document_->entries_[entry_].span();
  return *this;
}

inline JsonValue::Iterator JsonValue::end() const {
  return {document_, entry_ + document_->entries_[entry_].span()};
}

// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

}  // namespace fxcut
