#include "policy/quantization_rows.h"

#include <cmath>

#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

template <bool ActivationQuantization::*Member>
SettingRow quantization_flag(std::string_view name, std::string_view meaning) {
  return {name, "true or false", meaning, [](const Settings& s) -> SettingValue { return s.activation_quantization.*Member; },
          [](Settings& s, const SettingValue& value) {
            const bool* given = std::get_if<bool>(&value);
            if (given) s.activation_quantization.*Member = *given;
            return given != nullptr;
          }};
}

// A text of which `accepts` tests what is given.
template <std::string ActivationQuantization::*Member, auto kAccepts>
SettingRow quantization_text(std::string_view name, std::string_view expects, std::string_view meaning) {
  return {name, std::string(expects), meaning,
          [](const Settings& s) -> SettingValue { return s.activation_quantization.*Member; },
          [](Settings& s, const SettingValue& value) {
            const std::string* given = std::get_if<std::string>(&value);
            if (!given || !kAccepts(*given)) return false;
            s.activation_quantization.*Member = *given;
            return true;
          }};
}

constexpr auto kAreDtypes = [](const std::string& list) { return parse_dtypes(list).has_value(); };
constexpr auto kHasRange = [](const std::string& name) { return find_quantized_dtype(name) != nullptr; };

SettingValue size_in_mb(const Settings& s) { return s.activation_quantization.size_in_mb; }

bool set_size_in_mb(Settings& s, const SettingValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const double given = integer ? static_cast<double>(*integer) : real ? *real : std::nan("");
  if (!std::isfinite(given)) return false;
  s.activation_quantization.size_in_mb = given;
  return true;
}

SettingValue use_scaling(const Settings& s) {
  const std::optional<bool> given = s.activation_quantization.use_scaling;
  return given ? SettingValue(*given) : SettingValue("unset");
}

bool set_use_scaling(Settings& s, const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* given = std::get_if<bool>(&value);
  const bool is_unset = text && *text == "unset";
  if (given || is_unset) s.activation_quantization.use_scaling = given ? std::optional(*given) : std::nullopt;
  return given || is_unset;
}

std::vector<SettingRow> only_if_on(std::vector<SettingRow> rows) {
  for (SettingRow& row : rows) row.matters = [](const Settings& s) { return s.activation_quantization.is_on; };
  return rows;
}

}  // namespace

const std::vector<SettingRow>& quantization_rows() {
  using Options = ActivationQuantization;
  static const std::vector<SettingRow> rows = only_if_on({
      quantization_flag<&Options::is_on>(kActivationQuantization,
                                         "quantize saved values as inductor's post_grad_fusion_options of that name do"),
      quantization_text<&Options::allowed_dtypes, kAreDtypes>(
          "activation_quantization_aten_pass.allowed_dtypes", "PyTorch's names of dtypes, separated by ';'",
          "the dtypes of values that are quantized"),
      quantization_text<&Options::quant_type, kHasRange>(
          "activation_quantization_aten_pass.quant_type", "a dtype such as torch.float8_e5m2 or torch.float8_e4m3fn",
          "the dtype to which they are quantized"),
      {"activation_quantization_aten_pass.size_in_mb", "a number", "the least size of a value that is quantized, of 2^20 bytes",
       size_in_mb, set_size_in_mb},
      {"activation_quantization_aten_pass.use_scaling", "true, false or unset",
       "scale each row to the range of quant_type; unset, as by default, PyTorch's forward scales and its backward does not "
       "scale back",
       use_scaling, set_use_scaling},
      quantization_flag<&Options::exclude_primals>("activation_quantization_aten_pass.exclude_primals",
                                                   "do not quantize inputs of the forward"),
      quantization_flag<&Options::skip_dynamo_guards>(
          "activation_quantization_aten_pass.skip_dynamo_guards",
          "decide on symbolic sizes by what holds for each of their numbers, not by their hints"),
      quantization_flag<&Options::quantize_dynamic_shape>(
          "activation_quantization_aten_pass.quantize_dynamic_shape",
          "with skip_dynamo_guards: quantize values whose size may be large enough"),
  });
  return rows;
}

}  // namespace fxcut
