// The options for settings and policies of all commands that decide. The table in decision_options.cpp has a row for each: for
// the parser, the help and the setting.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "policy/policy_stack.h"
#include "settings/settings.h"

namespace fxcut {

class DecisionOptions {
 public:
  // Commands that trace the whole trade-off have no memory limits.
  enum class Limits { Yes, No };
  void add_to(CommandLine& line, Limits limits = Limits::Yes);

  // The first option that is given, with its dashes; or empty.
  std::string first_given() const;

  // The given options as shell words, each after a space; with Limits::No, for a command without limits.
  std::string for_shell(Limits limits = Limits::Yes) const;

  // A report has its settings and policies: with one (a path; empty: none) no option may be given.
  void refuse_with_report(const std::string& report) const;

  // Throws Failure (Usage) if more than one of these files, the graph and the report of a decision is standard input.
  void refuse_second_standard_input(const std::string& graph, const std::string& decision = "") const;

  // Both read files and throw Failure with the mistakes and their places.
  Settings resolve_settings() const;
  // The same where nothing else sets a limit: also throws Failure (Usage) for an option of a search that is not made.
  Settings resolve_settings_of_one() const;
  PolicyStack resolve_policies() const;

 private:
  bool is_given(std::string_view option) const;
  // Of --device-profile, or of --device where that is a file; empty if there is none.
  std::string device_file() const;
  const std::string& value_of(std::string_view option) const { return values_.at(option); }

  std::map<std::string_view, std::string> values_;  // by option; empty: not given
  std::map<std::string_view, bool> flags_;
  std::vector<std::string> assignments_;  // KEY=VALUE of --set
};

}  // namespace fxcut
