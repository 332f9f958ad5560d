// fxcut help: the commands, one of them, or a topic.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cli/topic_list.h"
#include "manual/topic_text.h"

namespace fxcut::help_command {
namespace {

using Kind = TopicBlock::Kind;

constexpr std::string_view kUsage =
    "usage: fxcut help [COMMAND | TOPIC | topics] [--format text|man]\n\n"
    "Lists the commands, describes one of them, or shows a topic of the manual. --format man prints the topic as a man page.\n\n"
    "Example: fxcut help settings\n\n";

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const TopicText& topic : topics()) names.push_back(topic.name);
  return names;
}

void list_commands(std::ostream& out) {
  out << "usage: fxcut COMMAND [ARGUMENT...]\n\n"
         "Decides what a training step saves in its forward for its backward, as PyTorch's compiler would or within a limit\n"
         "of memory, for a joint graph in a file, and says why.\n\n";
  for (const Command& command : commands()) out << fmt::format("  {:<16}{}\n", command.name, command.summary);
  out << "\nOptions of every command:\n";
  for (const OptionRow& row : kOptionsOfEveryCommand) {
    out << fmt::format("  {:<27}{}\n", fmt::format("--{} {}", row.name, row.value), row.help);
  }
  out << "\nExit status: 0 done, 1 a check failed or files differ, 2 usage, 3 bad input, 4 no partition,\n"
         "5 file or memory error, 70 a bug in fxcut.\n\n"
         "'fxcut help COMMAND' shows the options of a command, 'fxcut help TOPIC' a topic of the manual\n"
         "('fxcut help topics' lists them with their titles):\n\n"
      << show_blocks({{Kind::Paragraph, 0, fmt::format("{}", fmt::join(topic_names(), ", "))}});
}

void list_topics(std::ostream& out) {
  TopicBlock table{Kind::Table, 0, "", "", {{"topic", "title"}}, "ll"};
  for (const TopicText& topic : topics()) table.rows.push_back({topic.name, topic.summary});
  out << show_blocks({table});
}

const Command* find_command(std::string_view name) {
  const auto found = std::find_if(commands().begin(), commands().end(), [&](const Command& c) { return c.name == name; });
  return found == commands().end() ? nullptr : &*found;
}

Failure no_help_on(const std::string& name) {
  std::vector<std::string> known = topic_names();
  known.emplace_back("topics");
  for (const Command& command : commands()) known.emplace_back(command.name);
  const std::string nearest = did_you_mean(name, {known.begin(), known.end()});
  return Failure(ExitStatus::Usage, fmt::format("unknown command or topic '{}'", name),
                 nearest.empty() ? "'fxcut help' lists the commands and the topics" : nearest);
}

void print_man_page(const std::string& name, std::ostream& out) {
  const std::optional<TopicText> topic = find_topic(name);
  if (!topic) {
    const std::vector<std::string> names = topic_names();
    const std::string nearest = did_you_mean(name, {names.begin(), names.end()});
    throw Failure(ExitStatus::Usage, fmt::format("--format man: expected a topic, found '{}'", name),
                  nearest.empty() ? "'fxcut help topics' lists them" : nearest);
  }
  out << topic_man_page(*topic, FXCUT_VERSION);
}

// The topic of that name or of its plural: "policy" is "policies".
std::optional<TopicText> find_topic_of(const std::string& name) {
  if (const auto topic = find_topic(name)) return topic;
  if (name.ends_with('y')) return find_topic(name.substr(0, name.size() - 1) + "ies");
  return find_topic(name + "s");
}

// The options of the command of that name, then the topic of that name; there may be only one of them.
void print_help_on(const std::string& name, std::ostream& out, std::ostream& err) {
  const Command* command = find_command(name);
  const std::optional<TopicText> topic = command ? find_topic(name) : find_topic_of(name);
  if (!command && !topic) throw no_help_on(name);
  if (command) command->run({"--help"}, out, err);
  if (command && topic) out << "\n";
  if (topic) out << topic_terminal(*topic);
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  std::vector<std::string> names;
  std::string format = "text";
  CommandLine line("help", kUsage);
  line.add({"format", "FORMAT", "text or man; default: text"}, format);
  line.add_argument("name", names, -1);
  if (!line.parse(arguments, out)) return ExitStatus::Done;
  if (names.size() > 1) throw Failure(ExitStatus::Usage, fmt::format("help takes one topic, found '{}' as well", names[1]));
  constexpr OutputFormat<bool> kFormats[] = {{"text", false}, {"man", true}};
  const bool as_man_page = format_named(format, kFormats);
  const std::string name = names.empty() ? "" : names.front();
  if (name == "help") {
    line.print_help(out);
  } else if (as_man_page) {
    print_man_page(name, out);
  } else if (name.empty()) {
    list_commands(out);
  } else if (name == "topics") {
    list_topics(out);
  } else {
    print_help_on(name, out, err);
  }
  return ExitStatus::Done;
}

}  // namespace fxcut::help_command
