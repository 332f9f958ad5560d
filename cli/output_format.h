// The option --format NAME[=FILE], which may be given several times: a table of what a command can print, and what of
// it goes where.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "write/files.h"

namespace fxcut {

template <typename Show>
struct OutputFormat {
  std::string_view name;
  Show show;
};

// A format that was asked for.
struct FormatChoice {
  std::string name;
  std::string file;  // empty: standard output
};

// What `given` asks for; text on standard output as well, where nothing else is to go there. Throws Failure (Usage)
// where two are, or a file's name is empty.
std::vector<FormatChoice> parse_formats(const std::vector<std::string>& given);

// How the format of that name is shown. Throws Failure (Usage) that names the nearest, or all.
template <typename Formats>
auto format_named(std::string_view name, const Formats& formats) {
  std::vector<std::string_view> known;
  for (const auto& format : formats) {
    if (format.name == name) return format.show;
    known.push_back(format.name);
  }
  throw Failure(ExitStatus::Usage, "unknown format '" + std::string(name) + "'", did_you_mean_or_known(name, known));
}

// A text, and where it goes.
struct ShownText {
  std::string text;
  std::string file;    // empty: standard output
  std::string option;  // that named the file, for messages
};

// What `show` makes of each choice's format.
template <typename Show>
std::vector<ShownText> show_formats(const std::vector<FormatChoice>& choices, const Show& show) {
  std::vector<ShownText> shown;
  for (const FormatChoice& choice : choices) shown.push_back({show(choice.name), choice.file, "file for --format"});
  return shown;
}

// Writes all files or none, then prints, all of it printable (text/printable.h). Files that are there are replaced only with `overwrite`. Throws Failure
// (FileTrouble).
void put_out(std::vector<ShownText> texts, bool overwrite, std::ostream& out);

}  // namespace fxcut
