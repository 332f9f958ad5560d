// JSON text as one flat array ("tape") that is walked without copying. The parser is nlohmann-json's SAX interface;
// each event appends one entry, and an entry knows how many entries it spans, so the next sibling is one addition away:
//
//     {"a": [1, 2], "b": true}   ->   object(4) | a: array(2) | 1 | 2 | b: true
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
  static std::shared_ptr<const Document> parse(std::string_view text, std::string file_name);

  JsonValue root() const { return {this, 0}; }
  JsonValue at(std::uint32_t ticket) const { return {this, ticket}; }
  const std::string& file_name() const { return file_name_; }

  // Appends the value as compact JSON, just as it was read but for white space.
  void append(std::uint32_t ticket, std::string& out) const;

 private:
  friend class JsonValue;
  friend class TapeWriter;

  struct Entry {
    JsonValue::Type type;
    std::uint32_t key_begin = 0, key_size = 0;    // in text_
    std::uint32_t text_begin = 0, text_size = 0;  // in text_: strings, and numbers as written
    std::uint32_t span = 1;                       // entries that this one takes, its children included
    std::uint32_t line = 0;
    union {
      std::int64_t integer;
      double real;
    };
  };

  // Throws for members whose keys their objects have twice.
  void refuse(const std::vector<std::uint32_t>& repeated) const;

  std::string file_name_;
  std::vector<Entry> entries_;
  std::string text_;
};

// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

}  // namespace fxcut
