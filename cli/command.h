// The commands of the program.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

// A command's own arguments, without its name.
using CommandArguments = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view summary;  // one line for the list of commands
  ExitStatus (*run)(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
};

// All commands, in the order in which help lists them.
const std::vector<Command>& commands();

ExitStatus run_partition(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_batch(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_pareto(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_explain(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_verify(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_show(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_diff(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_check(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_import(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_memory(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_validate(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_help(const CommandArguments& arguments, std::ostream& out, std::ostream& err);
ExitStatus run_version(const CommandArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace fxcut
