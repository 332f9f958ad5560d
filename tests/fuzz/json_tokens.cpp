#include "json_tokens.h"

#include <algorithm>
#include <cctype>

namespace fuzz {
namespace {

TokenKind kind_of(char first) {
  switch (first) {
    case '"': return TokenKind::String;
    case '{':
    case '[': return TokenKind::Open;
    case '}':
    case ']': return TokenKind::Close;
    case ',': return TokenKind::Comma;
    case ':': return TokenKind::Colon;
    case '-': return TokenKind::Number;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(first);
  if (std::isdigit(byte) != 0) return TokenKind::Number;
  return std::isalpha(byte) != 0 ? TokenKind::Word : TokenKind::Other;
}

std::size_t length_of(std::string_view text, TokenKind kind) {
  std::size_t end = 1;
  if (kind == TokenKind::String) {
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2U : 1U;
    return std::min(end + 1, text.size());
  }
  if (kind != TokenKind::Number && kind != TokenKind::Word) return 1;
  const auto goes_on = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
  };
  while (end < text.size() && goes_on(text[end])) ++end;
  return end;
}

}  // namespace

std::vector<Token> tokenise(std::string_view text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
      text.remove_prefix(1);
      continue;
    }
    const TokenKind kind = kind_of(text.front());
    const std::size_t length = length_of(text, kind);
    tokens.push_back({kind, text.substr(0, length)});
    text.remove_prefix(length);
  }
  return tokens;
}

std::size_t end_of_item(const std::vector<Token>& tokens, std::size_t begin) {
  if (begin + 2 < tokens.size() && tokens[begin + 1].kind == TokenKind::Colon) begin += 2;
  int depth = 0;
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::Open) ++depth;
    if (tokens[i].kind == TokenKind::Close) --depth;
    if (depth <= 0) return i + 1;
  }
  return tokens.size();
}

}  // namespace fuzz
