// The options that say what decides: settings and policies. Every command that decides takes them.
#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "cli/settings_options.h"
#include "policy/policy_stack.h"

namespace fxcut {

struct DecisionOptions {
  SettingsOptions settings;
  std::string policy_file;
  std::string save_names, offload_names, recompute_names, jax_policy;
  std::string offload_dialect;
  std::string budget_solver, saved_bytes, peak_bytes, time_limit, gap;
  bool ignore_tags = false;
  bool recompute_barrier = false;
  bool sound = false;

  // All of them: those of `settings`, of memory limits and of policies.
  void add_to(boost::program_options::options_description& options);
  // Those of settings and policies, for a command to which no limit matters.
  void add_without_limits(boost::program_options::options_description& options);

  // The first of the options that is given, or nothing.
  std::string_view first_given() const;

  // Throws Failure (Usage) where more than one of these files, the graph and the report of a decision is standard input.
  void refuse_second_standard_input(const std::string& graph, const std::string& decision = "") const;

  // Both read files. They throw Failure naming what is wrong and where.
  Settings resolve_settings() const;
  PolicyStack resolve_policies() const;

 private:
  void add_limits(boost::program_options::options_description& options);
  void add_policies(boost::program_options::options_description& options);
};

}  // namespace fxcut
