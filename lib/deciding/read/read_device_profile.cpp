#include "read/read_device_profile.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "json/fields.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::int64_t kDeviceProfileVersion = 1;

class ProfileReader {
 public:
  explicit ProfileReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  DeviceProfile read(const JsonValue& root) {
    DeviceProfile profile;
    if (!expect(root, Type::Object, "", mistakes_)) return profile;
    expect_known(root, {"version", "name", "source", "peak_tflops", "memory_gb_per_second"}, mistakes_);
    expect_version(root, kDeviceProfileVersion, mistakes_);
    profile.name = read_text(root, "name").value_or("");
    profile.source = read_text(root, "source").value_or("");
    profile.memory_gb_per_second = read_required(root, "memory_gb_per_second");
    if (const auto rates = member(root, "peak_tflops")) {
      read_rates(*rates, profile);
    } else {
      mistakes_.add(root, "expected 'peak_tflops', an object");
    }
    return profile;
  }

 private:
  void read_rates(const JsonValue& rates, DeviceProfile& profile) {
    if (!expect(rates, Type::Object, "", mistakes_)) return;
    expect_known(rates, {"float64", "float32", "float16", "float8"}, mistakes_);
    profile.tflops_float32 = read_required(rates, "float32");
    profile.tflops_float16 = read_required(rates, "float16");
    profile.tflops_float64 = read_rate(rates, "float64").value_or(profile.tflops_float32);
    profile.tflops_float8 = read_rate(rates, "float8").value_or(profile.tflops_float16);
  }

  double read_required(const JsonValue& object, std::string_view key) {
    if (!member(object, key)) mistakes_.add(object, fmt::format("expected '{}', a number above 0", key));
    return read_rate(object, key).value_or(0);
  }

  std::optional<double> read_rate(const JsonValue& object, std::string_view key) {
    const auto json = member(object, key);
    const auto rate = json ? read_real(*json, "", mistakes_) : std::nullopt;
    if (rate && !(*rate > 0 && std::isfinite(*rate))) mistakes_.add(*json, "expected a number above 0");
    return rate;
  }

  std::optional<std::string> read_text(const JsonValue& object, std::string_view key) {
    const auto json = member(object, key);
    const auto text = json ? read_string(*json, "", mistakes_) : std::nullopt;
    return text ? std::optional<std::string>(*text) : std::nullopt;
  }

  Mistakes& mistakes_;
};

}  // namespace

DeviceProfile read_device_profile(const JsonValue& json, Mistakes& mistakes) {
  return ProfileReader(mistakes).read(json);
}

DeviceProfile read_device_profile(const Document& document) {
  Mistakes mistakes;
  DeviceProfile profile = read_device_profile(document.root(), mistakes);
  mistakes.raise();
  return profile;
}

}  // namespace fxcut
