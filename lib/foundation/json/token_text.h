// The string type of nlohmann-json's lexer, which appends a character at a time. With std::string that takes a fifth of
// its time, since the compiler does not inline its push_back. The constructors from text, `append` and `<` are never
// run here, but basic_json does not compile without them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace fxcut {

class TokenText {
 public:
  using value_type = char;

  TokenText() = default;
  TokenText(const char* text) { append(std::string_view(text)); }
  TokenText(std::size_t size, char character) : room_(size, character), size_(size) {}

  operator std::string_view() const { return {room_.data(), size_}; }
  std::size_t size() const { return size_; }
  // With a zero after it, for the C library's functions that read numbers.
  const char* data() {
    push_back('\0');
    --size_;
    return room_.data();
  }

  void clear() { size_ = 0; }
  [[gnu::always_inline]] void push_back(char character) {
    if (size_ == room_.size()) grow();
    room_[size_++] = character;
  }
  void append(std::string_view text) {
    for (const char character : text) push_back(character);
  }

 private:
  // Separate: with it, push_back would be too large to be inlined.
  [[gnu::noinline, gnu::cold]] void grow() { room_.resize(std::max<std::size_t>(2 * size_, 256)); }

  std::vector<char> room_;
  std::size_t size_ = 0;  // used part of room_
};

inline bool operator<(const TokenText& a, const TokenText& b) { return std::string_view(a) < std::string_view(b); }

}  // namespace fxcut
