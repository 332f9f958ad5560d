// The option --format NAME[=FILE], which may be given several times: the table of a command's formats, and the destination of
// each chosen one. A format may have an older option of the same meaning, such as --json or --html FILE.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "diagnostic/diagnostic.h"
#include "write/files.h"

namespace fxcut {

template <typename Show>
struct OutputFormat {
  std::string_view name;
  Show show;
  OptionRow older = {};  // of the same meaning: a flag, or an option whose value is the file; its name is null if there is none
};

// A chosen format.
struct FormatChoice {
  std::string name;
  std::string file;                 // empty: standard output
  std::string option = "--format";  // by which it was chosen
};

// When the first format is printed: if no other is printed, or only without any other.
enum class FirstFormat { AlsoBesideFiles, WhereNothingElse };

class FormatOptions {
 public:
  template <typename Formats>
  explicit FormatOptions(const Formats& formats, FirstFormat first = FirstFormat::AlsoBesideFiles) : first_(first) {
    for (const auto& format : formats) known_.push_back({format.name, format.older});
  }

  void add_to(CommandLine& line);

  // Adds a choice as --format does; `option` is its name in messages.
  void add(const std::string& format, std::string option) { added_.push_back({format, "", std::move(option)}); }

  // Whether any of the options is given.
  bool are_given() const;

  // The chosen formats. Throws Failure (Usage) if one is unknown, with the nearest; if two would be printed; if a file's name is
  // empty.
  std::vector<FormatChoice> choices() const;

 private:
  struct Known {
    std::string_view name;
    OptionRow older;
    bool is_given = false;  // by the older option
    std::string file = {};
  };

  FirstFormat first_;
  std::vector<Known> known_;
  std::vector<std::string> given_;
  std::vector<FormatChoice> added_;
};

// The function of the format of that name. Throws Failure (Usage) that names the nearest, or all.
template <typename Formats>
auto format_named(std::string_view name, const Formats& formats) {
  std::vector<std::string_view> known;
  for (const auto& format : formats) {
    if (format.name == name) return format.show;
    known.push_back(format.name);
  }
  throw Failure(ExitStatus::Usage, "unknown format '" + std::string(name) + "'", did_you_mean_or_known(name, known));
}

// Older options of several commands.
inline constexpr OptionRow kJson{"json", "", "the same as --format json"};
inline constexpr OptionRow kCsv{"csv", "", "the same as --format csv"};

// A text and its destination.
struct ShownText {
  std::string text;
  std::string file;    // empty: standard output
  std::string option;  // that has the file, for messages
  bool is_binary = false;
};

// The text of `show` for each choice's format.
template <typename Show>
std::vector<ShownText> show_formats(const std::vector<FormatChoice>& choices, const Show& show) {
  std::vector<ShownText> shown;
  for (const FormatChoice& choice : choices) shown.push_back({show(choice.name), choice.file, choice.option, false});
  return shown;
}

// Writes all files or none, `others` first, then prints; texts are made printable (text/printable.h). Existing files are replaced
// only with `overwrite`. Throws Failure (FileTrouble).
void put_out(std::vector<ShownText> texts, bool overwrite, std::ostream& out, std::vector<OutputDirectory> others = {});

// `what` in each chosen format.
template <typename Formats, typename... What>
std::vector<ShownText> shown_in(const FormatOptions& options, const Formats& formats, const What&... what) {
  return show_formats(options.choices(), [&](const std::string& format) { return format_named(format, formats)(what...); });
}

// The same, put out.
template <typename Formats, typename... What>
void print_formats(const FormatOptions& options, const Formats& formats, bool overwrite, std::ostream& out,
                   const What&... what) {
  put_out(shown_in(options, formats, what...), overwrite, out);
}

}  // namespace fxcut
