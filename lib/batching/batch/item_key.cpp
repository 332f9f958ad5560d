#include "batch/item_key.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cost/device_profile.h"
#include "graph/hash128.h"
#include "json/json_forms.h"
#include "policy/setting_rows.h"
#include "ranks/common_decision.h"
#include "report/policies_json.h"

namespace fxcut {

void add_instructions(Hash128& hash, const Instructions& instructions) {
  for (const SettingRow& row : setting_rows()) {
    hash.add(row.name);
    hash.add(std::visit([](const auto& value) { return fmt::format("{}", value); }, row.get(instructions.settings)));
  }
  hash.add(json_line(policies_json(instructions.policies)));
  if (const auto& device = instructions.settings.own_device) {
    hash.add(device->name);
    for (const double figure : {device->tflops_float64, device->tflops_float32, device->tflops_float16,
                                device->tflops_float8, device->memory_gb_per_second}) {
      hash.add(figure);
    }
    hash.add(device->source);
  }
}

std::string item_key(std::string_view graph, const WorkItem& item, std::string_view version) {
  Hash128 hash;
  hash.add(version);
  hash.add(graph);
  add_instructions(hash, *item.instructions);
  if (item.adopted) hash.add(rank_choice_json(*item.adopted));
  return hash.text();
}

}  // namespace fxcut
