#include "read/document.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace fxcut {

JsonValue::Type JsonValue::type() const { return document_->entries_[entry_].type; }
bool JsonValue::boolean() const { return document_->entries_[entry_].integer != 0; }
std::int64_t JsonValue::integer() const { return document_->entries_[entry_].integer; }

double JsonValue::real() const {
  const Document::Entry& entry = document_->entries_[entry_];
  return entry.type == Type::Integer ? static_cast<double>(entry.integer) : entry.real;
}

std::string_view JsonValue::text() const {
  const Document::Entry& entry = document_->entries_[entry_];
  return std::string_view(document_->text_).substr(entry.text_begin, entry.text_size);
}

std::string_view JsonValue::key() const {
  const Document::Entry& entry = document_->entries_[entry_];
  return std::string_view(document_->text_).substr(entry.key_begin, entry.key_size);
}

JsonValue::Iterator& JsonValue::Iterator::operator++() {
  entry_ += document_->entries_[entry_].span;
  return *this;
}

JsonValue::Iterator JsonValue::end() const { return {document_, entry_ + document_->entries_[entry_].span}; }

std::size_t JsonValue::size() const {
  std::size_t children = 0;
  for (auto child = begin(); !(child == end()); ++child) ++children;
  return children;
}

std::string JsonValue::place() const {
  // Walk down from the root to this entry: in each container, into the child that spans it.
  std::string pointer;
  JsonValue at = document_->root();
  while (at.entry_ != entry_) {
    std::size_t position = 0;
    for (const JsonValue child : at) {
      if (entry_ < child.entry_ + document_->entries_[child.entry_].span) {
        pointer += '/';
        if (at.is(Type::Array)) {
          pointer += std::to_string(position);
        } else {
          for (const char c : child.key()) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        }
        at = child;
        break;
      }
      ++position;
    }
  }
  return fmt::format("{}:{}: {}", document_->file_name_, document_->entries_[entry_].line,
                     pointer.empty() ? "top level" : pointer);
}

void Document::append(std::uint32_t ticket, std::string& out) const {
  const JsonValue value = at(ticket);
  switch (value.type()) {
    case JsonValue::Type::Null: out += "null"; return;
    case JsonValue::Type::Bool: out += value.boolean() ? "true" : "false"; return;
    case JsonValue::Type::Integer: fmt::format_to(std::back_inserter(out), "{}", value.integer()); return;
    case JsonValue::Type::BigInteger:
    case JsonValue::Type::Real: out += value.text(); return;
    case JsonValue::Type::String: append_json_string(value.text(), out); return;
    case JsonValue::Type::Array:
    case JsonValue::Type::Object: break;
  }
  const bool is_object = value.is(JsonValue::Type::Object);
  out += is_object ? '{' : '[';
  bool first = true;
  for (const JsonValue child : value) {
    if (!std::exchange(first, false)) out += ',';
    if (is_object) {
      append_json_string(child.key(), out);
      out += ':';
    }
    append(child.ticket(), out);
  }
  out += is_object ? '}' : ']';
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

}  // namespace fxcut
