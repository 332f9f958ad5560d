#include "read/read_settings.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "policy/quantization_rows.h"

namespace fxcut {
namespace {

constexpr std::int64_t kDeviceProfileVersion = 1;
constexpr double kLongest = 1e15;  // of a latency or an element, in its unit; sums of what all nodes take are numbers then
constexpr double kMostMultiprocessors = 1'000'000;  // cards of 2024 have some hundred

// A mistake unless it is above 0, and not so small that a time by it is infinite.
void expect_rate(const JsonValue& json, double rate, Mistakes& mistakes) {
  if (!(rate > 0 && std::isfinite(rate))) {
    mistakes.add(json, "expected a number above 0");
  } else if (rate < kMinRate) {
    mistakes.add(json, fmt::format("expected a number of at least {}", kMinRate));
  }
}

// The member, a number above 0; if missing or wrong, 0 and a mistake.
double read_rate(const Members& members, std::string_view key, Mistakes& mistakes) {
  const auto json = members.required(key, "a number above 0");
  const auto rate = json ? read_real(*json, "", mistakes) : std::nullopt;
  if (rate) expect_rate(*json, *rate, mistakes);
  return rate.value_or(0);
}

// The number from 0 to `most` where it is given.
void read_number(const Members& members, std::string_view key, double most, double& number, Mistakes& mistakes) {
  const auto json = members.find(key);
  if (!json) return;
  number = members.real(key);
  if (number > most) mistakes.add(*json, fmt::format("expected a number of at most {}", most));
}

void read_time(const Members& members, std::string_view key, double& time, Mistakes& mistakes) {
  read_number(members, key, kLongest, time, mistakes);
}

void read_time_if_any(const Members& members, std::string_view key, std::optional<double>& time, Mistakes& mistakes) {
  if (!members.find(key)) return;
  time = 0;
  read_time(members, key, *time, mistakes);
}

void read_rates(const JsonValue& json, DeviceProfile& profile, Mistakes& mistakes) {
  expect_known(json, {"float64", "float32", "tf32", "float16", "float8"}, mistakes);
  const Members rates(json, mistakes);
  profile.tflops_float32 = read_rate(rates, "float32", mistakes);
  if (rates.find("tf32")) profile.tflops_tf32 = read_rate(rates, "tf32", mistakes);
  profile.tflops_float16 = read_rate(rates, "float16", mistakes);
  profile.tflops_float64 = rates.find("float64") ? read_rate(rates, "float64", mistakes) : profile.tflops_float32;
  profile.tflops_float8 = rates.find("float8") ? read_rate(rates, "float8", mistakes) : profile.tflops_float16;
}

// The share where it is given.
void read_share(const Members& shares, std::string_view key, double& share, Mistakes& mistakes) {
  if (!shares.find(key)) return;
  const auto json = shares.required(key, "a number above 0, at most 1");
  const auto given = json ? read_real(*json, "", mistakes) : std::nullopt;
  if (given && !(*given >= kMinRate && *given <= 1)) mistakes.add(*json, "expected a number above 0, at most 1");
  if (given) share = *given;
}

void read_groups(const JsonValue& json, std::vector<LinkGroup>& groups, Mistakes& mistakes) {
  for (const JsonValue one : json) {
    if (!expect(one, JsonValue::Type::Object, "", mistakes)) continue;
    expect_known(one, {"gb_per_second", "ranks", "latency_us"}, mistakes);
    const Members members(one, mistakes);
    LinkGroup group;
    group.name = one.key();
    group.gb_per_second = read_rate(members, "gb_per_second", mistakes);
    if (members.find("ranks")) group.ranks = members.count("ranks");
    read_time(members, "latency_us", group.latency_us, mistakes);
    groups.push_back(std::move(group));
  }
}

void read_efficiency(const JsonValue& json, Efficiency& efficiency, Mistakes& mistakes) {
  expect_known(json, {"products", "attention", "cudnn_attention", "memory", "layouts"}, mistakes);
  const Members shares(json, mistakes);
  read_share(shares, "products", efficiency.products, mistakes);
  read_share(shares, "attention", efficiency.attention, mistakes);
  efficiency.cudnn_attention = efficiency.attention;
  read_share(shares, "cudnn_attention", efficiency.cudnn_attention, mistakes);
  read_share(shares, "memory", efficiency.memory, mistakes);
  read_share(shares, "layouts", efficiency.layouts, mistakes);
}

void read_kernels(const JsonValue& json, KernelTimes& kernels, Mistakes& mistakes) {
  expect_known(json, {"least_us", "multiprocessors", "launch_us", "exposed_traffic"}, mistakes);
  const Members members(json, mistakes);
  read_time(members, "least_us", kernels.least_us, mistakes);
  read_time(members, "launch_us", kernels.launch_us, mistakes);
  read_number(members, "exposed_traffic", 1, kernels.exposed_traffic, mistakes);
  const auto multiprocessors = members.find("multiprocessors");
  if (!multiprocessors) return;
  kernels.multiprocessors = static_cast<double>(members.count("multiprocessors"));
  if (kernels.multiprocessors > kMostMultiprocessors) {
    mistakes.add(*multiprocessors, fmt::format("expected an integer of at most {}", kMostMultiprocessors));
  }
}

void read_elements(const JsonValue& json, ElementTimes& elements, Mistakes& mistakes) {
  expect_known(json, {"random_ns", "store_bool_ns", "load_bool_ns", "store_mask_ns", "load_mask_ns", "operation_ns"}, mistakes);
  const Members members(json, mistakes);
  read_time(members, "random_ns", elements.random_ns, mistakes);
  read_time(members, "store_bool_ns", elements.store_bool_ns, mistakes);
  read_time(members, "load_bool_ns", elements.load_bool_ns, mistakes);
  read_time(members, "operation_ns", elements.operation_ns, mistakes);
  read_time_if_any(members, "store_mask_ns", elements.store_mask_ns, mistakes);
  read_time_if_any(members, "load_mask_ns", elements.load_mask_ns, mistakes);
}

// Nothing for arrays, objects and null, which no setting accepts.
std::optional<SettingValue> setting_value(const JsonValue& json) {
  switch (json.type()) {
    case JsonValue::Type::Bool: return json.boolean();
    case JsonValue::Type::Integer: return json.integer();
    case JsonValue::Type::Real: return json.real();
    case JsonValue::Type::String: return std::string(json.text());
    default: return std::nullopt;
  }
}

void read_setting(const std::string& name, const JsonValue& field, Settings& settings, Mistakes& mistakes) {
  const SettingRow* known = find_setting(name);
  const std::optional<SettingValue> value = setting_value(field);
  if (known && !value) {
    return mistakes.add(field, fmt::format("setting '{}' is {}; expected {}", name, describe(field.type()), known->expects));
  }
  try {
    set_setting(settings, name, value.value_or(SettingValue()), "");
  } catch (const Failure& failure) {
    const Diagnostic& wrong = failure.diagnostics().front();
    if (known) {
      mistakes.add(field, wrong.message, wrong.hint);
    } else {
      mistakes.add_to_key(field, "", wrong.message, wrong.hint);
    }
  }
}

// The options of the pass, as PyTorch has them: those that are there switch it on, even if there are none.
void read_quantization(const JsonValue& options, Settings& settings, Mistakes& mistakes) {
  settings.activation_quantization.is_on = true;
  for (const JsonValue option : options) {
    read_setting(fmt::format("{}.{}", kActivationQuantization, option.key()), option, settings, mistakes);
  }
}

// inductor's options of that name, of which only those matter to the partitioner.
void read_fusion_options(const JsonValue& options, Settings& settings, Mistakes& mistakes) {
  for (const JsonValue pass : options) {
    if (pass.key() == kActivationQuantization && pass.type() == JsonValue::Type::Object) {
      read_quantization(pass, settings, mistakes);
    }
  }
}

}  // namespace

void read_settings(const JsonValue& json, Settings& settings, Mistakes& mistakes) {
  for (const JsonValue field : json) {
    const bool is_object = field.type() == JsonValue::Type::Object;
    if (is_object && field.key() == kActivationQuantization) {
      read_quantization(field, settings, mistakes);
    } else if (is_object && field.key() == "post_grad_fusion_options") {
      read_fusion_options(field, settings, mistakes);
    } else {
      read_setting(std::string(field.key()), field, settings, mistakes);
    }
  }
}

void read_settings(const JsonValue& json, Settings& settings) {
  Mistakes wrong_kind, mistakes;
  if (!expect(json, JsonValue::Type::Object, "", wrong_kind)) wrong_kind.raise();
  read_settings(json, settings, mistakes);
  mistakes.raise(ExitStatus::Usage);
}

DeviceProfile read_device_profile(const JsonValue& json, Mistakes& mistakes) {
  DeviceProfile profile;
  if (!expect(json, JsonValue::Type::Object, "", mistakes)) return profile;
  expect_known(json, {"version", "name", "source", "peak_tflops", "memory_gb_per_second", "link_gb_per_second", "efficiency",
                      "elements", "kernels", "groups"},
               mistakes);
  expect_version(json, kDeviceProfileVersion, mistakes);
  const Members members(json, mistakes);
  profile.name = members.text_if_any("name");
  if (profile.name.empty()) profile.name = "unnamed device";
  profile.source = members.text_if_any("source");
  profile.memory_gb_per_second = read_rate(members, "memory_gb_per_second", mistakes);
  if (members.find("link_gb_per_second")) profile.link_gb_per_second = read_rate(members, "link_gb_per_second", mistakes);
  if (members.find("efficiency")) {
    if (const auto shares = members.object("efficiency")) read_efficiency(*shares, profile.efficiency, mistakes);
  }
  if (members.find("elements")) {
    if (const auto elements = members.object("elements")) read_elements(*elements, profile.elements, mistakes);
  }
  if (members.find("kernels")) {
    if (const auto kernels = members.object("kernels")) read_kernels(*kernels, profile.kernels, mistakes);
  }
  if (members.find("groups")) {
    if (const auto groups = members.object("groups")) read_groups(*groups, profile.groups, mistakes);
  }
  if (const auto rates = members.object("peak_tflops")) read_rates(*rates, profile, mistakes);
  return profile;
}

DeviceProfile read_device_profile(const Document& document) {
  Mistakes mistakes;
  DeviceProfile profile = read_device_profile(document.root(), mistakes);
  mistakes.raise();
  return profile;
}

}  // namespace fxcut
