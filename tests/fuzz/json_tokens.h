// JSON text cut into tokens, loosely: text that is not JSON is cut as well, so that mutants of mutants can be made.
#pragma once

#include <string_view>
#include <vector>

namespace fuzz {

enum class TokenKind { String, Number, Word, Open, Close, Comma, Colon, Other };

struct Token {
  TokenKind kind;
  std::string_view text;
};

// White space is dropped.
std::vector<Token> tokenise(std::string_view text);

// One past the last token of the item at `begin`: an array or object with its closing bracket, a key with its value,
// or one token.
std::size_t end_of_item(const std::vector<Token>& tokens, std::size_t begin);

}  // namespace fuzz
