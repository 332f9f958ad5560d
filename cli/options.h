// Command lines by Boost.ProgramOptions, strictly: no shortened options, and every mistake reported in the same form.
//
// Each option is a row: its name, the word for its value, its help. Options of several commands are rows here, so that they are
// the same everywhere; completion and man pages (cli/completion, cli/man) read the printed help.
#pragma once

#include <array>
#include <boost/program_options.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace fxcut {

struct OptionRow {
  const char* name;   // without its dashes
  const char* value;  // the word for its value, such as "FILE"; empty: a flag
  const char* help;
};

// Options of every command, which main.cpp reads.
inline constexpr OptionRow kQuiet{"quiet", "", "print errors only; also -q"};
inline constexpr OptionRow kVerbose{"verbose", "", "print each step and the time it took; also -v"};
inline constexpr OptionRow kColor{"color", "auto|always|never", "color text; auto: on a terminal, unless NO_COLOR is set"};
inline constexpr OptionRow kUnits{"units", "GB|GiB", "show bytes by powers of 1000, or of 1024; default: GB"};
inline constexpr OptionRow kLimit{"limit", "N", "show at most N rows of a table, or of a group in it"};
inline constexpr OptionRow kStrict{"strict", "", "warnings are errors: the exit status is 1 if there is any"};
inline constexpr OptionRow kMaxMemory{"max-memory", "SIZE",
                                      "fail rather than use more memory, such as 4GiB; in a batch, for each process"};
inline constexpr std::array kOptionsOfEveryCommand{kQuiet, kVerbose, kStrict, kColor, kUnits, kLimit, kMaxMemory};

// Options of several commands.
inline constexpr OptionRow kHelp{"help", "", "print this help; also -h"};
inline constexpr OptionRow kAll{"all", "", "show each value in a row of its own: alike layers are not folded"};
inline constexpr OptionRow kForce{"force", "", "replace existing files"};

// The options of one command, and its arguments.
class CommandLine {
 public:
  // `usage`: the beginning of its help.
  CommandLine(std::string_view command, std::string_view usage) : command_(command), usage_(usage) {}
  CommandLine(const CommandLine&) = delete;  // the parser refers to is_help_
  CommandLine& operator=(const CommandLine&) = delete;

  // Adds an option: a string, a number, or a list if it may be given several times; or a flag.
  template <typename Value>
  void add(const OptionRow& row, Value& value) {
    add(row, boost::program_options::value(&value)->value_name(row.value));
  }
  void add(const OptionRow& row, bool& flag) { add(row, boost::program_options::bool_switch(&flag)); }

  // Stores the next `count` arguments (-1: all others) that are not options in `value`; `name` is for Boost's messages.
  template <typename Value>
  void add_argument(const char* name, Value& value, int count = 1) {
    hidden_.add_options()(name, boost::program_options::value(&value), "");
    positional_.add(name, count);
  }

  // Parses the arguments and returns the given options. With --help prints the help and returns nullopt. Throws Failure (Usage)
  // that names the option and, for an unknown one, the nearest known.
  std::optional<boost::program_options::variables_map> parse(const CommandArguments& arguments, std::ostream& out);

  void print_help(std::ostream& out) const { out << usage_ << visible_; }

  std::string_view command() const { return command_; }

  // Throws Failure (Usage) if an option has an empty value, as by an unset variable of a script.
  void refuse_empty_values(const boost::program_options::variables_map& given) const;

 private:
  void add(const OptionRow& row, const boost::program_options::value_semantic* semantic);

  std::string_view command_, usage_;
  bool is_help_ = false;
  boost::program_options::options_description visible_{"Options"}, hidden_;
  boost::program_options::positional_options_description positional_;
};

// Parses the options of a command on one graph, its only argument, which is stored in `graph`. Returns false if the help is
// printed. Also throws Failure (Usage) if the graph is missing or an option is empty.
bool parse_on_graph(CommandLine& line, const CommandArguments& arguments, std::string& graph, std::ostream& out);

// Alike layers are not folded from now on.
void show_all_rows();

// The text as an argument in a shell's command: in quotes if it has characters of the shell's.
std::string in_shell(const std::string& text);

// Failure (Usage): two options that exclude each other are given.
Failure cannot_be_combined(std::string_view one, std::string_view other, std::string hint = {});

// Throws Failure (Usage) if more than one of these files is standard input. `what` names them: "the graph, the settings".
void refuse_second_standard_input(const std::vector<std::string_view>& files, std::string_view what);

// Throws Failure (Usage) with the hint if the file to write is "-", which would be a file of that name. `given`: the option as it
// was given.
void refuse_dash(std::string_view file, std::string_view given, std::string hint);

// The comma-separated names of an option. Throws Failure (Usage) if one is empty.
std::vector<std::string> names_at_commas(const std::string& list, const std::string& option);

}  // namespace fxcut
