#include "case_file.h"

#include <functional>
#include <sstream>
#include <stdexcept>

#include "text.h"

namespace golden {
namespace {

constexpr std::string_view kSectionMark = "=== ";

// Words between spaces; one in single quotes may hold spaces or be empty.
std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (const char c : line) {
    if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      quoted = !quoted;
    } else {
      words.back() += c;
    }
  }
  return words;
}

using HeadKey = std::function<void(Case&, const std::string& value)>;

const std::map<std::string, HeadKey>& head_keys() {
  static const std::map<std::string, HeadKey> keys = {
      {"run", [](Case& c, const std::string& v) { c.arguments = split_words(v); }},
      {"status", [](Case& c, const std::string& v) { c.expected.status = v; }},
      {"copy", [](Case& c, const std::string& v) { c.copies.push_back(v); }},
      {"directory", [](Case& c, const std::string& v) { c.directories.push_back(v); }},
      {"stdout_to", [](Case& c, const std::string& v) { c.stdout_to = v; }},
      {"closed", [](Case& c, const std::string& v) { c.closed = split_words(v); }},
      {"file_size_limit_bytes", [](Case& c, const std::string& v) { c.file_size_limit_bytes = std::stoull(v); }},
  };
  return keys;
}

void read_head_line(const std::string& line, Case& result) {
  if (line.empty() || line.front() == '#') {
    result.head.push_back(line);
    return;
  }
  const std::size_t colon = line.find(':');
  const auto key = head_keys().find(line.substr(0, colon));
  if (colon == std::string::npos || key == head_keys().end()) throw std::runtime_error("no such key: " + line);
  key->second(result, colon + 2 <= line.size() ? line.substr(colon + 2) : "");
  if (key->first != "status") result.head.push_back(line);
}

std::string after(std::string_view prefix, const std::string& text) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : "";
}

void take_section(Section section, Case& result) {
  const std::string file = after("expected file ", section.title);
  if (section.title == "expected stdout") {
    result.expected.out = std::move(section.content);
  } else if (section.title == "expected stderr") {
    result.expected.err = std::move(section.content);
  } else if (!file.empty()) {
    result.expected.files[file] = std::move(section.content);
  } else {
    if (section.title == "stdin") result.stdin_content = section.content;
    result.given.push_back(std::move(section));
  }
}

bool ends_in_newline(const std::string& content) { return content.empty() || content.back() == '\n'; }

void require_end_of_line(const std::string& title, const std::string& content) {
  if (!ends_in_newline(content)) throw std::runtime_error(title + " does not end in a newline");
}

void print_section(const std::string& title, const std::string& content, std::string& text) {
  text.append(kSectionMark).append(title).append("\n").append(content);
  if (!ends_in_newline(content)) text += "\n(no newline here)\n";
}

}  // namespace

Case read_case(const std::filesystem::path& path) {
  std::istringstream lines(read_text(path));
  Case result;
  std::optional<Section> section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kSectionMark)) {
      if (section) take_section(std::move(*section), result);
      section = Section{line.substr(kSectionMark.size()), ""};
    } else if (section) {
      section->content += line + "\n";
    } else {
      read_head_line(line, result);
    }
  }
  if (section) take_section(std::move(*section), result);
  return result;
}

std::string print_case(const Case& given, const Outcome& expected) {
  std::string text;
  for (const std::string& line : given.head) text += line + "\n";
  text += "status: " + expected.status + "\n";
  for (const Section& section : given.given) print_section(section.title, section.content, text);
  if (!expected.out.empty()) print_section("expected stdout", expected.out, text);
  if (!expected.err.empty()) print_section("expected stderr", expected.err, text);
  for (const auto& [name, content] : expected.files) print_section("expected file " + name, content, text);
  return text;
}

void require_ends_of_lines(const Outcome& outcome) {
  require_end_of_line("stdout", outcome.out);
  require_end_of_line("stderr", outcome.err);
  for (const auto& [name, content] : outcome.files) require_end_of_line(name, content);
}

std::map<std::string, std::string> given_files(const Case& given) {
  std::map<std::string, std::string> files;
  for (const auto& [title, content] : given.given) {
    if (const std::string name = after("file ", title); !name.empty()) {
      files[name] = content;
    } else if (const std::string escaped = after("escaped ", title); !escaped.empty()) {
      files[escaped] = unescape(content);
    } else if (const std::string repeated = after("repeated ", title); !repeated.empty()) {
      files[repeated] = repeat_lines(content);
    } else if (title != "stdin") {
      throw std::runtime_error("no such section: " + title);
    }
  }
  return files;
}

}  // namespace golden
