#include "cli/output_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "cli/keep_inputs.h"
#include "text/printable.h"

namespace fxcut {
namespace {

void refuse_dash(const FormatChoice& choice, const std::string& given) {
  fxcut::refuse_dash(choice.file, given, fmt::format("--format {} goes to standard output", choice.name));
}

FormatChoice parse_format(const std::string& text) {
  const std::size_t end = text.find('=');
  if (end == std::string::npos) return {text, "", "--format " + text};
  FormatChoice choice{text.substr(0, end), text.substr(end + 1), "file for --format"};
  if (choice.file.empty()) {
    throw Failure(ExitStatus::Usage, fmt::format("--format '{}': expected a file after the =", text),
                  fmt::format("without it, --format {} goes to standard output", choice.name));
  }
  refuse_dash(choice, fmt::format("--format '{}'", text));
  return choice;
}

bool is_printed(const FormatChoice& choice) { return choice.file.empty(); }

void refuse_two_printed(const std::vector<FormatChoice>& choices) {
  const auto first = std::find_if(choices.begin(), choices.end(), is_printed);
  if (first == choices.end()) return;
  const auto second = std::find_if(std::next(first), choices.end(), is_printed);
  if (second == choices.end()) return;
  throw cannot_be_combined(first->option, second->option, "only one is printed: give the other a file, --format NAME=FILE");
}

}  // namespace

// "text, json or markdown; ..."
void FormatOptions::add_to(CommandLine& line) {
  std::vector<std::string_view> names;
  for (const Known& known : known_) names.push_back(known.name);
  const std::string help =
      fmt::format("{} or {}; printed, or written to FILE. May be given several times; default: {}",
                  fmt::join(names.begin(), names.end() - 1, ", "), names.back(), names.front());
  line.add({"format", "NAME[=FILE]", help.c_str()}, given_);
  for (Known& known : known_) {
    if (!known.older.name) continue;
    if (*known.older.value == '\0') {
      line.add(known.older, known.is_given);
    } else {
      line.add(known.older, known.file);
    }
  }
}

bool FormatOptions::are_given() const {
  const auto by_older = [](const Known& known) { return known.is_given || !known.file.empty(); };
  return !given_.empty() || std::any_of(known_.begin(), known_.end(), by_older);
}

std::vector<FormatChoice> FormatOptions::choices() const {
  std::vector<std::string_view> names;
  for (const Known& known : known_) names.push_back(known.name);
  std::vector<FormatChoice> choices = added_;
  for (const std::string& text : given_) choices.push_back(parse_format(text));
  for (const FormatChoice& choice : choices) {
    if (std::find(names.begin(), names.end(), choice.name) != names.end()) continue;
    throw Failure(ExitStatus::Usage, fmt::format("unknown format '{}'", choice.name),
                  did_you_mean_or_known(choice.name, names));
  }
  for (const Known& known : known_) {
    if (known.is_given || !known.file.empty()) {
      choices.push_back({std::string(known.name), known.file, fmt::format("--{}", known.older.name)});
      refuse_dash(choices.back(), fmt::format("--{} -", known.older.name));
    }
  }
  refuse_two_printed(choices);
  const bool is_any_printed = std::any_of(choices.begin(), choices.end(), is_printed);
  if (choices.empty() || (!is_any_printed && first_ == FirstFormat::AlsoBesideFiles)) {
    choices.insert(choices.begin(), {std::string(names.front()), ""});
  }
  return choices;
}

void put_out(std::vector<ShownText> texts, bool overwrite, std::ostream& out, std::vector<OutputDirectory> others) {
  for (ShownText& shown : texts) {
    if (!shown.is_binary) shown.text = printable_lines(shown.text);
  }
  std::vector<OutputDirectory> files = std::move(others);
  for (const ShownText& shown : texts) {
    if (!shown.file.empty()) files.push_back(single_file(shown.file, shown.text, shown.option));
  }
  write_beside_inputs(files, overwrite);
  for (const ShownText& shown : texts) {
    if (shown.file.empty()) out << shown.text;
  }
}

}  // namespace fxcut
