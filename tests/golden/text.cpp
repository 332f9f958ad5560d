#include "text.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace golden {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::filesystem::path& path, std::string_view content) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written");
}

std::string unescape(std::string_view escaped) {
  std::string text;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] == '\n') continue;
    if (escaped[i] != '\\') {
      text += escaped[i];
      continue;
    }
    const char kind = escaped.at(++i);
    if (kind == 'n' || kind == '\\') {
      text += kind == 'n' ? '\n' : '\\';
    } else if (kind == 'x') {
      text += static_cast<char>(std::stoi(std::string(escaped.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      throw std::runtime_error(std::string("no such escape: \\") + kind);
    }
  }
  return text;
}

std::string repeat_lines(const std::string& lines) {
  std::istringstream input(lines);
  std::string text;
  for (std::string line; std::getline(input, line);) {
    const std::size_t space = line.find(' ');
    const std::string piece = line.substr(space + 1);
    for (unsigned long left = std::stoul(line.substr(0, space)); left > 0; --left) text += piece;
  }
  return text;
}

std::string without_keys(std::string text) {
  constexpr std::string_view kBefore = "\"key\":\"";
  constexpr std::size_t kDigits = 32;
  for (std::size_t at = text.find(kBefore); at != text.npos; at = text.find(kBefore, at + 1)) {
    const std::size_t begin = at + kBefore.size(), end = text.find_first_not_of("0123456789abcdef", begin);
    if (end == begin + kDigits && text[end] == '"') text.replace(begin, kDigits, kDigits, '0');
  }
  return text;
}

}  // namespace golden
