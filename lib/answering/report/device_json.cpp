#include "report/device_json.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json rates_json(const DeviceProfile& device) {
  Json json = {{"float64", device.tflops_float64},
               {"float32", device.tflops_float32},
               {"float16", device.tflops_float16},
               {"float8", device.tflops_float8}};
  if (device.tflops_tf32 > 0) json["tf32"] = device.tflops_tf32;
  return json;
}

Json efficiency_json(const Efficiency& shares) {
  Json json = {{"products", shares.products}, {"attention", shares.attention}, {"memory", shares.memory}};
  if (shares.cudnn_attention != shares.attention) json["cudnn_attention"] = shares.cudnn_attention;
  if (shares.layouts > 0) json["layouts"] = shares.layouts;
  return json;
}

Json elements_json(const ElementTimes& each) {
  Json json = Json::object();
  if (each.random_ns > 0 || each.store_bool_ns > 0 || each.load_bool_ns > 0) {
    json = {{"random_ns", each.random_ns}, {"store_bool_ns", each.store_bool_ns}, {"load_bool_ns", each.load_bool_ns}};
  }
  if (each.store_mask_ns) json["store_mask_ns"] = *each.store_mask_ns;
  if (each.load_mask_ns) json["load_mask_ns"] = *each.load_mask_ns;
  if (each.operation_ns > 0) json["operation_ns"] = each.operation_ns;
  return json;
}

Json kernels_json(const KernelTimes& kernels) {
  Json json = Json::object();
  if (kernels.least_us > 0) json["least_us"] = kernels.least_us;
  if (kernels.multiprocessors > 0) json["multiprocessors"] = static_cast<std::int64_t>(kernels.multiprocessors);
  if (kernels.launch_us > 0) json["launch_us"] = kernels.launch_us;
  if (kernels.exposed_traffic > 0) json["exposed_traffic"] = kernels.exposed_traffic;
  return json;
}

Json groups_json(const std::vector<LinkGroup>& groups) {
  Json json = Json::object();
  for (const LinkGroup& group : groups) {
    Json& row = json[group.name];
    row["gb_per_second"] = group.gb_per_second;
    if (group.ranks > 0) row["ranks"] = group.ranks;
    if (group.latency_us > 0) row["latency_us"] = group.latency_us;
  }
  return json;
}

}  // namespace

Json device_json(const DeviceProfile& device) {
  Json json = {{"version", 1},
               {"name", device.name},
               {"source", device.source},
               {"peak_tflops", rates_json(device)},
               {"memory_gb_per_second", device.memory_gb_per_second},
               {"efficiency", efficiency_json(device.efficiency)}};
  if (device.link_gb_per_second > 0) json["link_gb_per_second"] = device.link_gb_per_second;
  const auto add = [&](const char* name, Json part) {
    if (!part.empty()) json[name] = std::move(part);
  };
  add("elements", elements_json(device.elements));
  add("kernels", kernels_json(device.kernels));
  add("groups", groups_json(device.groups));
  return json;
}

}  // namespace fxcut
