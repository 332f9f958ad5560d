// fxcut help: the commands, one of them, the settings, or what PyTorch's releases do differently.
#include <fmt/format.h>

#include <ostream>

#include "cli/command.h"
#include "policy/setting_rows.h"
#include "release/release.h"

namespace fxcut {
namespace {

void list_commands(std::ostream& out) {
  out << "usage: fxcut COMMAND [ARGUMENT...]\n\n"
         "What a training step keeps in memory between its forward and its backward: "
         "decides it for a joint graph in a\nfile, as PyTorch's compiler would, and says why.\n\n";
  for (const Command& command : commands()) out << fmt::format("  {:<11}{}\n", command.name, command.summary);
  out << "\n'fxcut help COMMAND' tells more, 'fxcut help settings' lists the settings, "
         "and 'fxcut help releases' tells in what\nPyTorch's releases differ.\n"
         "Exit status: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 no partition, 5 file or memory trouble,\n"
         "70 a bug in fxcut.\n\n"
         "Options of every command:\n"
         "  --quiet            say nothing but errors\n"
         "  --verbose          say what is done and how long it took\n"
         "  --max-memory SIZE  fail rather than hold more memory than this, such as 4GiB; in a batch each process for itself\n";
}

void list_settings(std::ostream& out) {
  out << "Settings have PyTorch's names (torch._functorch.config) and defaults, but for torch_version, partitioner,\n"
         "device_profile, cut_side and those of policies and of frontier, fxcut's own solver of memory budgets. Give them as\n"
         "--set KEY=VALUE, or as a JSON object in the file of --config.\n\n";
  const Settings defaults;
  for (const SettingRow& row : setting_rows()) {
    const std::string value = std::visit([](const auto& v) { return fmt::format("{}", v); }, row.get(defaults));
    out << fmt::format("  {} = {}\n      {}: {}\n", row.name, value, row.expects, row.meaning);
  }
}

void list_releases(std::ostream& out) {
  out << "fxcut decides as the PyTorch would that made the graph, which the graph's 'producer' says "
         "(\"torch 2.13.0\"); the\nsetting torch_version overrides it. "
         "Graphs from elsewhere are decided as the newest release would. What changed:\n\n";
  for (const ChangeRow& row : changes()) {
    const std::string until = row.until ? fmt::format(", until {}", row.until->version()) : "";
    out << fmt::format("  since {}{}: {}\n      because {}\n", row.since.version(), until, row.what, row.why);
  }
}

}  // namespace

ExitStatus run_help(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  if (arguments.size() > 1) {
    throw Failure(ExitStatus::Usage, fmt::format("help takes one topic, found '{}' as well", arguments[1]));
  }
  if (arguments.empty()) {
    list_commands(out);
    return ExitStatus::Done;
  }
  if (arguments.front() == "settings") {
    list_settings(out);
    return ExitStatus::Done;
  }
  if (arguments.front() == "releases") {
    list_releases(out);
    return ExitStatus::Done;
  }
  std::vector<std::string_view> topics = {"settings", "releases"};
  for (const Command& command : commands()) {
    if (command.name == arguments.front() && command.name != "help") return command.run({"--help"}, out, err);
    topics.push_back(command.name);
  }
  if (arguments.front() == "help" || arguments.front() == "--help") {
    list_commands(out);
    return ExitStatus::Done;
  }
  throw Failure(ExitStatus::Usage, fmt::format("there is no help on '{}'", arguments.front()),
                did_you_mean(arguments.front(), topics));
}

}  // namespace fxcut
