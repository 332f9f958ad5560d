#include "json/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <utility>

#include "text/excerpt.h"

namespace fxcut {
namespace {

// Whether the JSON is compact already. Without a branch in the loop, so that many characters are checked in one step.
bool is_compact(std::string_view json) {
  unsigned char other = 0;
  for (std::size_t c = 1; c < json.size(); ++c) {
    const unsigned char is_space = static_cast<unsigned char>(json[c]) <= ' ';
    const unsigned char is_escape = json[c] == '\\';
    const unsigned char is_after_minus = json[c - 1] == '-', is_zero = json[c] == '0';
    other |= is_space | is_escape | (is_after_minus & is_zero);
  }
  return other == 0;
}

bool has_parts(const JsonValue& value) {
  return (value.is(JsonValue::Type::Array) || value.is(JsonValue::Type::Object)) && !value.empty();
}

bool is_escaped(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

std::int64_t JsonValue::integer() const {
  const std::string_view digits = text();
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

double JsonValue::real() const {
  if (is(Type::Integer)) return static_cast<double>(integer());
  return std::strtod(text().data(), nullptr);  // the following text is not part of a number
}

std::size_t JsonValue::size() const {
  std::size_t children = 0;
  for (auto child = begin(); !(child == end()); ++child) ++children;
  return children;
}

// By RFC 6901: "/nodes/7/args/0".
std::string JsonValue::pointer() const {
  // From the root down to this entry: in each container, to the child that spans it.
  std::string pointer;
  JsonValue at = document_->root();
  while (at.entry_ != entry_) {
    std::size_t position = 0;
    for (const JsonValue child : at) {
      if (entry_ < child.entry_ + document_->span_of(document_->tape_[child.entry_])) {
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
  return pointer.empty() ? "top level" : pointer;
}

std::string JsonValue::place() const {
  return fmt::format("{}: {}", document_->place_at(document_->begin_of(document_->tape_[entry_])), pointer());
}

Diagnostic JsonValue::mistake(std::string message, std::string hint) const {
  const std::size_t begin = document_->begin_of(document_->tape_[entry_]);
  return {place(), std::move(message), std::move(hint), excerpt(document_->text_, begin)};
}

Diagnostic JsonValue::mistake_in_key(std::string message, std::string hint) const {
  const auto end = document_->end_of_key(document_->tape_[entry_]);
  if (!end) return mistake(std::move(message), std::move(hint));
  const std::size_t begin = opening_quote(document_->text_, *end);
  return {fmt::format("{}: {}", document_->place_at(begin), pointer()), std::move(message), std::move(hint),
          excerpt(document_->text_, begin)};
}

std::string Document::place_at(std::size_t offset) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const std::size_t column = before.size() - before.rfind('\n');  // npos + 1 == 0
  return fmt::format("{}:{}:{}", file_name_, 1 + std::count(before.begin(), before.end(), '\n'), column);
}

// The position of the closing quote of the key: before the colon before the value. None for an element or the root.
std::optional<std::size_t> Document::end_of_key(const Entry& entry) const {
  const auto after_last_non_space = [&](std::size_t end) {
    const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (end > 0 && is_space(text_[end - 1])) --end;
    return end;
  };
  const std::size_t after_colon = after_last_non_space(begin_of(entry));
  if (after_colon == 0 || text_[after_colon - 1] != ':') return std::nullopt;
  return after_last_non_space(after_colon - 1) - 1;
}

// A key without escapes has no quotes.
std::string_view Document::key_of(const Entry& entry) const {
  const SideEntry* side = find_side_entry(entry);
  if (side && side->key) return *side->key;
  const auto end = end_of_key(entry);
  if (!end) return {};
  std::size_t begin = *end;
  while (text_[begin - 1] != '"') --begin;
  return std::string_view(text_).substr(begin, *end - begin);
}

std::size_t opening_quote(std::string_view text, std::size_t closing_quote) {
  std::size_t quote = closing_quote, backslashes = 0;
  do {
    quote = text.rfind('"', quote - 1);
    backslashes = quote - (text.substr(0, quote).find_last_not_of('\\') + 1);  // npos + 1 == 0
  } while (backslashes % 2 == 1);
  return quote;
}

// Content in the document's text needs no other escapes in another text.
void Document::append_string(std::string_view content, std::string& out) const {
  const std::less_equal<> not_after;
  const bool is_in_text = not_after(text_.data(), content.data()) &&
                          not_after(content.data() + content.size(), text_.data() + text_.size());
  if (!is_in_text) return append_json_string(content, out);
  out.append(content.data() - 1, content.size() + 2);  // with its quotes
}

// The number of characters of a compact value; of arrays and objects, of empty ones.
std::size_t Document::compact_size(const JsonValue& value) {
  switch (value.type()) {
    case JsonValue::Type::Null: return 4;
    case JsonValue::Type::Bool: return value.boolean() ? 4 : 5;
    case JsonValue::Type::String: return value.text().size() + 2;
    case JsonValue::Type::Array:
    case JsonValue::Type::Object: return 2;
    default: return value.text().size();
  }
}

// The text of an array or object if it is compact, otherwise "". If the text after the last value in it has other characters
// than brackets, the end that is checked here is too early, but after the first of them.
std::string_view Document::compact_text(std::uint32_t ticket) const {
  JsonValue last = at(ticket);
  std::size_t brackets = 0;  // that close the containers of `last`
  while (has_parts(last)) {
    const JsonValue container = last;
    for (const JsonValue child : container) last = child;
    ++brackets;
  }
  const Entry& entry = tape_[last.ticket()];
  if (find_side_entry(entry) != nullptr) return {};
  const std::size_t begin = begin_of(tape_[ticket]);
  const std::size_t end = entry.begin + compact_size(last) + brackets;
  const std::string_view text = std::string_view(text_).substr(begin, end - begin);
  return is_compact(text) ? text : std::string_view();
}

void Document::append(std::uint32_t ticket, std::string& out) const {
  const std::string_view text = has_parts(at(ticket)) ? compact_text(ticket) : std::string_view();
  if (text.empty()) return append_by_parts(ticket, out);
  out += text;
}

void Document::append_by_parts(std::uint32_t ticket, std::string& out) const {
  const JsonValue value = at(ticket);
  switch (value.type()) {
    case JsonValue::Type::Null: out += "null"; return;
    case JsonValue::Type::Bool: out += value.boolean() ? "true" : "false"; return;
    case JsonValue::Type::Integer: out += value.text() == "-0" ? "0" : value.text(); return;  // integers have one zero
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
    append_by_parts(child.ticket(), out);
  }
  out += is_object ? '}' : ']';
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (true) {
    // Characters without escapes are appended in one piece.
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
