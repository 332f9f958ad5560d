#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "text/comma_list.h"
#include "text/text_style.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

// The long names of the options, with their dashes, those of every command included.
std::vector<std::string> option_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  for (const OptionRow& row : kOptionsOfEveryCommand) names.push_back(fmt::format("--{}", row.name));
  return names;
}

// The value that the option has on the command line.
std::string value_in(const po::parsed_options& parsed, const std::string& option) {
  const auto found = std::ranges::find(parsed.options, option, &po::option::string_key);
  return found == parsed.options.end() || found->value.empty() ? std::string() : found->value.front();
}

std::string see_help(std::string_view command) { return fmt::format("'fxcut help {}' lists its options", command); }

}  // namespace

void CommandLine::add(const OptionRow& row, const po::value_semantic* semantic) {
  visible_.add_options()(row.name, semantic, row.help);
}

std::optional<po::variables_map> CommandLine::parse(const CommandArguments& arguments, std::ostream& out) {
  constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  add(kHelp, is_help_);
  po::options_description all;
  all.add(visible_).add(hidden_);
  po::variables_map given;
  po::parsed_options parsed(&all);
  try {
    parsed = po::command_line_parser(arguments).options(all).positional(positional_).style(kStyle).run();
    po::store(parsed, given);
    po::notify(given);
  } catch (const po::invalid_option_value& error) {  // of numbers: any text is a string
    const std::string name = error.get_option_name();
    throw Failure(ExitStatus::Usage,
                  fmt::format("{}: expected a whole number up to {}, found '{}'", name, std::numeric_limits<int>::max(),
                              value_in(parsed, name.substr(name.find_first_not_of('-')))),
                  see_help(command_));
  } catch (const po::unknown_option& error) {
    const std::string whole = error.get_option_name(), name = whole.substr(0, whole.find('='));
    const std::vector<std::string> names = option_names(visible_);
    const std::string hint = did_you_mean(name, {names.begin(), names.end()});
    throw Failure(ExitStatus::Usage, fmt::format("unknown option '{}'", name), hint.empty() ? see_help(command_) : hint);
  } catch (const po::too_many_positional_options_error&) {
    const unsigned most = positional_.max_total_count();
    const std::string taken = most == 0 ? "none" : most == 1 ? "one" : std::to_string(most);
    throw Failure(ExitStatus::Usage, fmt::format("too many arguments that are not options: 'fxcut {}' takes {}", command_, taken),
                  see_help(command_));
  } catch (const po::error& error) {
    throw Failure(ExitStatus::Usage, error.what(), see_help(command_));
  }
  if (!is_help_) return given;
  print_help(out);
  return std::nullopt;
}

void CommandLine::refuse_empty_values(const po::variables_map& given) const {
  for (const auto& option : visible_.options()) {
    const auto value = given.find(option->long_name());
    if (value == given.end()) continue;
    const auto* text = boost::any_cast<std::string>(&value->second.value());
    if (!text || !text->empty()) continue;
    throw Failure(ExitStatus::Usage,
                  fmt::format("--{} is empty; expected {}", option->long_name(), option->format_parameter()),
                  see_help(command_));
  }
}

bool parse_on_graph(CommandLine& line, const CommandArguments& arguments, std::string& graph, std::ostream& out) {
  line.add_argument("graph", graph);
  const auto given = line.parse(arguments, out);
  if (!given) return false;
  if (graph.empty()) {
    throw Failure(ExitStatus::Usage, "expected a graph",
                  fmt::format("'fxcut {} GRAPH.json', or - for standard input", line.command()));
  }
  line.refuse_empty_values(*given);
  return true;
}

void show_all_rows() {
  TextStyle style = text_style();
  style.folds = false;
  set_text_style(style);
}

std::string in_shell(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+%@";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Failure cannot_be_combined(std::string_view one, std::string_view other, std::string hint) {
  return Failure(ExitStatus::Usage, fmt::format("{} and {} cannot be combined", one, other), std::move(hint));
}

void refuse_second_standard_input(const std::vector<std::string_view>& files, std::string_view what) {
  if (std::count(files.begin(), files.end(), "-") < 2) return;
  throw Failure(ExitStatus::Usage, fmt::format("only one of {} can be standard input", what));
}

void refuse_dash(std::string_view file, std::string_view given, std::string hint) {
  if (file == "-") throw Failure(ExitStatus::Usage, fmt::format("{}: expected a file, found '-'", given), std::move(hint));
}

std::vector<std::string> names_at_commas(const std::string& list, const std::string& option) {
  std::vector<std::string> names = split_at_commas(list);
  if (std::find(names.begin(), names.end(), "") == names.end()) return names;
  throw Failure(ExitStatus::Usage, fmt::format("{} '{}': expected names, found an empty one", option, list),
                "separate names by single commas");
}

}  // namespace fxcut
