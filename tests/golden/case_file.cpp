#include "case_file.h"

#include <functional>
#include <sstream>
#include <stdexcept>

#include "excerpt.h"
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

constexpr std::string_view kWhole = "expected ", kExcerpt = "expected lines of ";

// The output of an outcome that a section calls "stdout", "stderr" or "file NAME"; nullptr if there is no such output. An
// entry is made for a file that has none.
std::string* output_of(Outcome& outcome, const std::string& name) {
  if (name == "stdout") return &outcome.out;
  if (name == "stderr") return &outcome.err;
  const std::string file = after("file ", name);
  return file.empty() ? nullptr : &outcome.files[file];
}

bool take_expected(const Section& section, Case& result) {
  const bool is_excerpt = section.title.starts_with(kExcerpt);
  const std::string name = after(is_excerpt ? kExcerpt : kWhole, section.title);
  if (is_excerpt && name == "stderr") throw std::runtime_error("standard error is expected whole");
  std::string* output = output_of(result.expected, name);
  if (output == nullptr) return false;
  if (is_excerpt) {
    require_excerpt(section.title, section.content);
    result.excerpts.insert(name);
  }
  *output = section.content;
  return true;
}

void take_section(Section section, Case& result) {
  if (section.title.starts_with(kWhole) && take_expected(section, result)) return;
  if (section.title == "stdin") result.stdin_content = section.content;
  result.given.push_back(std::move(section));
}

// A second section for the same output would take the place of the first, which then could not fail.
void require_one_for_each_output(const std::vector<std::string>& titles) {
  std::set<std::string> seen;
  for (const std::string& title : titles) {
    const std::string excerpt_of = after(kExcerpt, title), name = excerpt_of.empty() ? after(kWhole, title) : excerpt_of;
    if (!name.empty() && !seen.insert(name).second) throw std::runtime_error("two sections expect " + name);
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

std::string title_of(const Case& given, const std::string& name) {
  return std::string(given.excerpts.contains(name) ? kExcerpt : kWhole) + name;
}

bool is_there(const Outcome& outcome, const std::string& name) {
  const std::string file = after("file ", name);
  return file.empty() || outcome.files.contains(file);
}

void shorten_output(const std::string& excerpt, std::string& output, std::vector<std::string>& gone) {
  if (!ends_in_newline(output)) return;
  if (holds(excerpt, output)) {
    output = excerpt;
    return;
  }
  Renewed renewed = renew(excerpt, output);
  gone.insert(gone.end(), renewed.gone.begin(), renewed.gone.end());
  if (renewed.gone.empty()) output = std::move(renewed.excerpt);
}

}  // namespace

Case read_case(const std::filesystem::path& path) {
  std::istringstream lines(read_text(path));
  Case result;
  std::optional<Section> section;
  std::vector<std::string> titles;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kSectionMark)) {
      if (section) take_section(std::move(*section), result);
      section = Section{line.substr(kSectionMark.size()), ""};
      titles.push_back(section->title);
    } else if (section) {
      section->content += line + "\n";
    } else {
      read_head_line(line, result);
    }
  }
  if (section) take_section(std::move(*section), result);
  require_one_for_each_output(titles);
  return result;
}

std::string print_case(const Case& given, const Outcome& expected) {
  std::string text;
  for (const std::string& line : given.head) text += line + "\n";
  text += "status: " + expected.status + "\n";
  for (const Section& section : given.given) print_section(section.title, section.content, text);
  if (!expected.out.empty()) print_section(title_of(given, "stdout"), expected.out, text);
  if (!expected.err.empty()) print_section("expected stderr", expected.err, text);
  for (const auto& [name, content] : expected.files) print_section(title_of(given, "file " + name), content, text);
  return text;
}

Outcome shorten(const Case& given, Outcome outcome, std::vector<std::string>& gone) {
  Outcome expected = given.expected;
  for (const std::string& name : given.excerpts) {
    if (is_there(outcome, name)) {
      shorten_output(*output_of(expected, name), *output_of(outcome, name), gone);
    } else {
      gone.push_back(name);
    }
  }
  return outcome;
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
