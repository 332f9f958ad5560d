#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "eager/python_head.h"
#include "eager/show_eager.h"
#include "json/json_forms.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

using JaxJson = nlohmann::ordered_json;

constexpr int kJaxVersion = 1;

// "block.py:18 in forward", the innermost line of the user's own where it is known.
std::string line_of(const Provenance& from) {
  const bool is_own = !from.user_file.empty();
  const std::string& file = is_own ? from.user_file : from.source_file;
  if (file.empty()) return "";
  const std::string& function = is_own ? from.user_function : from.source_function;
  return fmt::format("{}:{}{}", file, is_own ? from.user_line : from.source_line, function.empty() ? "" : " in " + function);
}

std::string where(const JaxName& named) {
  return named.of > 1 ? fmt::format("{} of {} modules", named.modules, named.of) : named.first.provenance.module;
}

// The value that a name stands for, as a comment at the end of its line.
std::string comment_on(const JaxName& named) {
  const DescribedNode& value = named.first;
  std::string text = fmt::format("{}: {} {}", show_bytes(named.size_bytes), value.dtype, show_shape(value.shape));
  if (const std::string place = where(named); !place.empty()) text += ", " + place;
  if (const std::string line = line_of(value.provenance); !line.empty()) text += ", " + line;
  return in_docstring(text + (named.has_it ? ", named in the graph" : ""));
}

std::string tuple_of(std::string_view variable, const JaxNames& names, bool is_offloaded) {
  std::string text = fmt::format("{} = (\n", variable);
  for (const JaxName& named : names.names) {
    if (named.is_offloaded != is_offloaded) continue;
    fmt::format_to(std::back_inserter(text), "    # {}\n    {},\n", comment_on(named), json_line(named.name));
  }
  return text + ")\n";
}

bool offloads(const JaxNames& names) {
  return std::ranges::any_of(names.names, [](const JaxName& named) { return named.is_offloaded; });
}

std::string unsaid_in_head(const JaxNames& names) {
  if (names.unsaid.empty()) return "";
  std::string text = fmt::format("\nNot said, as only the backward computes it: {}, {}.\n",
                                 show_count(names.unsaid.size(), "value"), show_bytes(names.unsaid_bytes));
  for (const DescribedNode& value : names.unsaid) {
    fmt::format_to(std::back_inserter(text), "    {}  {}  {}\n", show_bytes(value.size_bytes), in_docstring(value.name),
                   in_docstring(value.op));
  }
  return text;
}

}  // namespace

std::string jax_policy(const JaxNames& names, const MadeBy& made_by) {
  std::string text = fmt::format(R"("""What jax.checkpoint saves, as {} decided of the graph {} ({}).

    {}

Give the values below their names where they are computed, and checkpoint the step or its layers by the policy:

    hidden = jax.ad_checkpoint.checkpoint_name(hidden, "layers.up.addmm")
    loss = jax.checkpoint(loss, policy=policy)

A name without a number is for all layers alike, as in the body of a jax.lax.scan; one with a number is for one layer.

Of {} that the decision holds, {} have {}, {} are inputs.
{}"""

import jax

)", made_by.program, in_docstring(names.graph), in_docstring(names.producer), in_docstring(made_by.command),
                                 show_bytes(names.held_bytes), show_bytes(names.named_bytes()),
                                 show_count(names.names.size(), "name"), show_bytes(names.input_bytes), unsaid_in_head(names));
  text += tuple_of("SAVED", names, false) + "\n";
  if (!offloads(names)) return text + "policy = jax.checkpoint_policies.save_only_these_names(*SAVED)\n";
  return text + tuple_of("OFFLOADED", names, true) + R"(
policy = jax.checkpoint_policies.save_and_offload_only_these_names(
    names_which_can_be_saved=SAVED, names_which_can_be_offloaded=OFFLOADED, offload_src="device", offload_dst="pinned_host"
)
)";
}

std::string jax_text(const JaxNames& names) {
  std::string text = fmt::format("{}: names for JAX\n\n{}", names.graph,
      show_columns_within({{"held", show_bytes(names.held_bytes), "by the decision, each storage counted once"},
                           {"  named", show_bytes(names.named_bytes()), "in " + show_count(names.names.size(), "name")},
                           {"  inputs", show_bytes(names.input_bytes), "of the step"},
                           {"  not said", show_bytes(names.unsaid_bytes), "which only the backward computes"}}, "lrl"));
  Table table{"nlrll", {{"name", "", "bytes", "modules", "line"}}};
  for (const JaxName& named : names.names) {
    const std::string_view state = named.is_offloaded ? "offloaded" : named.has_it ? "has it" : "";
    table.rows.push_back({named.name, std::string(state), show_bytes(named.size_bytes), where(named),
                          line_of(named.first.provenance)});
  }
  return names.names.empty() ? text : text + "\n" + table_text(table);
}

std::string jax_json(const JaxNames& names) {
  JaxJson json = {{"format", "fxcut-jax-names"}, {"version", kJaxVersion}, {"graph", names.graph}, {"producer", names.producer},
                  {"held_bytes", names.held_bytes}, {"input_bytes", names.input_bytes}, {"named_bytes", names.named_bytes()},
                  {"unsaid_bytes", names.unsaid_bytes}};
  json["names"] = json_list(names.names, [](const JaxName& named) {
    return JaxJson{{"name", named.name}, {"in_graph", named.has_it}, {"offloaded", named.is_offloaded},
                   {"bytes", named.size_bytes}, {"modules", named.modules}, {"of", named.of}, {"values", named.values},
                   {"line", line_of(named.first.provenance)}};
  });
  json["unsaid"] = json_list(names.unsaid, [](const DescribedNode& value) {
    return JaxJson{{"name", value.name}, {"op", value.op}, {"bytes", value.size_bytes}};
  });
  return json_file(json);
}

}  // namespace fxcut
