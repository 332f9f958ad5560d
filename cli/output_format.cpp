#include "cli/output_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "text/printable.h"

namespace fxcut {
namespace {

FormatChoice parse_format(const std::string& text) {
  const std::size_t end = text.find('=');
  if (end == std::string::npos) return {text, ""};
  FormatChoice choice{text.substr(0, end), text.substr(end + 1)};
  if (choice.file.empty()) {
    throw Failure(ExitStatus::Usage, fmt::format("--format '{}': expected a file behind the =", text),
                  fmt::format("without it, --format {} goes to standard output", choice.name));
  }
  return choice;
}

}  // namespace

std::vector<FormatChoice> parse_formats(const std::vector<std::string>& given) {
  std::vector<FormatChoice> choices;
  for (const std::string& text : given) choices.push_back(parse_format(text));
  const auto is_printed = [](const FormatChoice& choice) { return choice.file.empty(); };
  const auto printed = std::count_if(choices.begin(), choices.end(), is_printed);
  if (printed > 1) {
    throw Failure(ExitStatus::Usage, "two formats for standard output", "give all but one a file: --format NAME=FILE");
  }
  if (printed == 0) choices.insert(choices.begin(), {"text", ""});
  return choices;
}

void put_out(std::vector<ShownText> texts, bool overwrite, std::ostream& out) {
  for (ShownText& shown : texts) shown.text = printable_lines(shown.text);
  std::vector<OutputDirectory> files;
  for (const ShownText& shown : texts) {
    if (!shown.file.empty()) files.push_back(single_file(shown.file, shown.text, shown.option));
  }
  write_files(files, overwrite);
  for (const ShownText& shown : texts) {
    if (shown.file.empty()) out << shown.text;
  }
}

}  // namespace fxcut
