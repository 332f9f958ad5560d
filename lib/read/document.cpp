#include "read/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <utility>

namespace fxcut {

std::int64_t JsonValue::integer() const {
  const std::string_view digits = text();
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

double JsonValue::real() const {
  if (is(Type::Integer)) return static_cast<double>(integer());
  return std::strtod(text().data(), nullptr);  // what follows in the document is no part of a number
}

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
      if (entry_ < child.entry_ + document_->span_of(document_->entries_[child.entry_])) {
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
  return fmt::format("{}:{}: {}", document_->file_name_, document_->line_of(document_->entries_[entry_]),
                     pointer.empty() ? "top level" : pointer);
}

std::size_t Document::line_of(const Entry& entry) const {
  return 1 + static_cast<std::size_t>(std::count(text_.data(), text_.data() + begin_of(entry), '\n'));
}

// Back from the value over the colon to the quotes: a key without escapes has none within.
std::string_view Document::key_of(const Entry& entry) const {
  const Aside* aside = find_aside(entry);
  if (aside && aside->key) return *aside->key;
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  const auto behind_other_than_space = [&](std::size_t end) {
    while (end > 0 && is_space(text_[end - 1])) --end;
    return end;
  };
  const std::size_t behind_colon = behind_other_than_space(begin_of(entry));
  if (behind_colon == 0 || text_[behind_colon - 1] != ':') return {};  // an element, or the root
  const std::size_t end = behind_other_than_space(behind_colon - 1) - 1;
  std::size_t begin = end;
  while (text_[begin - 1] != '"') --begin;
  return std::string_view(text_).substr(begin, end - begin);
}

// What the text has as it is needs no escapes in another text either.
void Document::append_string(std::string_view content, std::string& out) const {
  const std::less_equal<> not_behind;
  const bool is_in_text = not_behind(text_.data(), content.data()) &&
                          not_behind(content.data() + content.size(), text_.data() + text_.size());
  if (!is_in_text) return append_json_string(content, out);
  out += '"';
  out += content;
  out += '"';
}

void Document::append(std::uint32_t ticket, std::string& out) const {
  const JsonValue value = at(ticket);
  switch (value.type()) {
    case JsonValue::Type::Null: out += "null"; return;
    case JsonValue::Type::Bool: out += value.boolean() ? "true" : "false"; return;
    case JsonValue::Type::Integer: out += value.text() == "-0" ? "0" : value.text(); return;  // it has no other zero
    case JsonValue::Type::BigInteger:
    case JsonValue::Type::Real: out += value.text(); return;
    case JsonValue::Type::String: append_string(value.text(), out); return;
    case JsonValue::Type::Array:
    case JsonValue::Type::Object: break;
  }
  const bool is_object = value.is(JsonValue::Type::Object);
  out += is_object ? '{' : '[';
  bool first = true;
  for (const JsonValue child : value) {
    if (!std::exchange(first, false)) out += ',';
    if (is_object) {
      append_string(child.key(), out);
      out += ':';
    }
    append(child.ticket(), out);
  }
  out += is_object ? '}' : ']';
}

namespace {

bool is_escaped(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (true) {
    // What needs no escape goes in one piece.
    const auto plain = std::find_if(text.begin(), text.end(), is_escaped);
    out.append(text.begin(), plain);
    if (plain == text.end()) break;
    switch (*plain) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(*plain));
    }
    text.remove_prefix(static_cast<std::size_t>(plain - text.begin()) + 1);
  }
  out += '"';
}

}  // namespace fxcut
