#include "cli/options.h"

#include <fmt/format.h>

namespace fxcut {
namespace po = boost::program_options;
namespace {

// The long names of the options that help shows, with their dashes.
std::vector<std::string> option_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) {
    if (!option->description().empty()) names.push_back("--" + option->long_name());
  }
  return names;
}

std::string see_help(std::string_view command) { return fmt::format("'fxcut help {}' shows what it takes", command); }

Failure unknown_option(const std::string& given, const po::options_description& options, std::string_view command) {
  const std::vector<std::string> names = option_names(options);
  std::string hint = did_you_mean(given, {names.begin(), names.end()});
  return Failure(ExitStatus::Usage, fmt::format("unknown option '{}'", given), hint.empty() ? see_help(command) : hint);
}

}  // namespace

po::variables_map parse_options(const CommandArguments& arguments, const po::options_description& options,
                                const po::positional_options_description& positional, std::string_view command) {
  constexpr int kStrict = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  try {
    po::store(po::command_line_parser(arguments).options(options).positional(positional).style(kStrict).run(), values);
    po::notify(values);
  } catch (const po::unknown_option& error) {
    throw unknown_option(error.get_option_name(), options, command);
  } catch (const po::error& error) {
    throw Failure(ExitStatus::Usage, error.what(), see_help(command));
  }
  return values;
}

void refuse_empty_values(const po::variables_map& given, const po::options_description& options,
                         std::string_view command) {
  for (const auto& option : options.options()) {
    const auto value = given.find(option->long_name());
    if (value == given.end()) continue;
    const auto* text = boost::any_cast<std::string>(&value->second.value());
    if (!text || !text->empty()) continue;
    throw Failure(ExitStatus::Usage,
                  fmt::format("--{} is empty; expected {}", option->long_name(), option->format_parameter()),
                  see_help(command));
  }
}

void parse_options_on_graph(const CommandArguments& arguments, const po::options_description& visible,
                            std::string& graph, const bool& help, std::string_view command) {
  po::options_description all;
  all.add(visible).add_options()("graph", po::value(&graph), "");
  const po::variables_map given =
      parse_options(arguments, all, po::positional_options_description().add("graph", 1), command);
  if (help) return;
  if (graph.empty()) {
    throw Failure(ExitStatus::Usage, "expected a graph",
                  fmt::format("'fxcut {} GRAPH.json', or - for standard input", command));
  }
  refuse_empty_values(given, visible, command);
}

}  // namespace fxcut
