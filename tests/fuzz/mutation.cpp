#include "mutation.h"

#include <array>
#include <random>
#include <string_view>

#include "json_tokens.h"

namespace fuzz {
namespace {

constexpr std::array<std::string_view, 23> kNumbers = {
    "0", "1", "-1", "-0", "2", "0.5", "1.0", "-1.5", "127", "4096", "1073741824", "2147483647", "2147483648",
    "4294967296", "1152921504606846976", "4611686018427387904", "9223372036854775807", "-9223372036854775808",
    "18446744073709551616", "1e308", "1e400", "5e-324", "1e-400"};
constexpr std::array<std::string_view, 8> kValues = {"null", "true", "false", "[]", "{}", "\"\"", "[[]]", "0"};

class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::uint64_t seed, std::uint64_t number)
      : corpus_(corpus), random_(seed * 0x9e3779b97f4a7c15U + number) {}

  std::string run();

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random_() % bound); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  template <typename Container>
  const typename Container::value_type& pick(const Container& all) {
    return all[below(all.size())];
  }

  void change_token();
  void replace_by_kin(std::size_t at);
  void remove_item(std::size_t at);
  void repeat_item(std::size_t at);
  void splice();
  void change_bytes(std::string& text);

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_;
  std::vector<Token> tokens_;
};

std::string Mutator::run() {
  const std::string& origin = pick(corpus_);
  tokens_ = tokenise(origin);
  if (chance(20)) splice();
  for (std::size_t left = 1 + below(4); left > 0; --left) change_token();
  std::string text;
  for (const Token& token : tokens_) (text += token.text) += chance(50) ? "\n" : "";
  if (chance(20)) change_bytes(text);
  return text;
}

void Mutator::change_token() {
  if (tokens_.empty()) return;
  const std::size_t at = below(tokens_.size());
  Token& token = tokens_[at];
  switch (below(20)) {
    case 0:
    case 1: token.text = pick(kValues); return;
    case 2:
    case 3: remove_item(at); return;
    case 4:
    case 5: repeat_item(at); return;
    case 6: std::swap(token, tokens_[below(tokens_.size())]); return;
    case 7: tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(at)); return;
    default:
      if (token.kind == TokenKind::Number && chance(2)) {
        token.text = pick(kNumbers);
      } else {
        replace_by_kin(at);
      }
  }
}

// Another token of its kind, from its own file (an existing name) or any other (an operator, a key, ...).
void Mutator::replace_by_kin(std::size_t at) {
  const std::vector<Token> others = chance(3) ? tokenise(pick(corpus_)) : tokens_;
  constexpr int kAttempts = 20;
  for (int attempt = 0; attempt < kAttempts && !others.empty(); ++attempt) {
    const Token& other = pick(others);
    if (other.kind != tokens_[at].kind) continue;
    tokens_[at] = other;
    return;
  }
}

void Mutator::remove_item(std::size_t at) {
  const auto begin = tokens_.begin();
  std::size_t end = end_of_item(tokens_, at);
  if (end < tokens_.size() && tokens_[end].kind == TokenKind::Comma) ++end;
  tokens_.erase(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end));
}

void Mutator::repeat_item(std::size_t at) {
  const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(end_of_item(tokens_, at));
  std::vector<Token> copy(begin, end);
  copy.push_back({TokenKind::Comma, ","});
  tokens_.insert(begin, copy.begin(), copy.end());
}

// The head of this file and the tail of another.
void Mutator::splice() {
  const std::vector<Token> other = tokenise(pick(corpus_));
  tokens_.resize(below(tokens_.size() + 1), Token{TokenKind::Comma, ","});
  tokens_.insert(tokens_.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size() + 1)), other.end());
}

void Mutator::change_bytes(std::string& text) {
  for (std::size_t left = 1 + below(3); left > 0 && !text.empty(); --left) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0: text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << below(8))); break;
      case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 2: text.erase(at, 1 + below(8)); break;
      default: text.resize(at);
    }
  }
}

}  // namespace

std::string mutant(const std::vector<std::string>& corpus, std::uint64_t seed, std::uint64_t number) {
  return Mutator(corpus, seed, number).run();
}

}  // namespace fuzz
