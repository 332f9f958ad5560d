#include "compress/forms.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <variant>

#include "classify/integer_range.h"
#include "classify/views_and_writes.h"
#include "compress/form_on_request.h"
#include "compress/may_be_rounded.h"
#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "quantize/cross_compressed.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

constexpr double kMostOfBytes = 0.75;  // scales of short rows take more than the cast saves

class Forms {
 public:
  explicit Forms(const Analysis& analysis)
      : a_(analysis), device_(device_of(analysis.settings, analysis.graph()).profile),
        target_(*find_dtype(find_quantized_dtype(analysis.settings.compress_dtype)->name)),
        on_request_(analysis.joint), may_be_rounded_(may_be_rounded(analysis.graph(), analysis.settings)) {
    for (const Node& node : a_.graph().nodes) {
      if (!node.is_call() || !writes(node)) continue;
      for (const NodeId input : written_inputs(node)) {
        if (const auto storage = a_.node(input).storage()) written_.insert(*storage);
      }
    }
  }

  std::optional<FormOfFewerBits> of(NodeId id) const {
    const Node& node = a_.node(id);
    if (!node.is_call() || !node.has_tensor() || !node.storage() || written_.contains(*node.storage())) return std::nullopt;
    const Tensor& tensor = node.value->tensor;
    if (node.meta.compress_to) return asked_for(id, *node.meta.compress_to);
    if (a_.settings.compress == Compress::None) return std::nullopt;
    if (fits_bits(tensor)) return form(tensor, Compression::Bits, *find_dtype("uint8"), element_bytes(tensor) / 8);
    if (tensor.dtype->name == "int64") return of_positions(id, tensor);
    return a_.settings.compress == Compress::Auto && may_be_rounded_[index_of(id)] ? scaled(tensor) : std::nullopt;
  }

 private:
  std::optional<FormOfFewerBits> asked_for(NodeId id, const Dtype& dtype) const {
    const auto asked = on_request_.of(id, dtype);
    const auto* found = std::get_if<RequestedForm>(&asked);
    if (!found) return std::nullopt;
    FormOfFewerBits fixed = form(a_.node(id).value->tensor, found->how, *found->dtype, found->bytes);
    const bool has_scales = found->how == Compression::Scaled;
    fixed.scale_bytes = has_scales ? found->bytes - elements(a_.node(id).value->tensor) * found->dtype->size_bytes : 0;
    fixed.is_fixed = true;
    return fixed;
  }

  std::optional<FormOfFewerBits> of_positions(NodeId id, const Tensor& tensor) const {
    const Dtype* narrow = narrowest_integer(a_.graph(), id);
    if (!narrow) return std::nullopt;
    return form(tensor, Compression::Cast, *narrow, elements(tensor) * narrow->size_bytes);
  }

  std::optional<FormOfFewerBits> scaled(const Tensor& tensor) const {
    constexpr std::string_view kFloats[] = {"float32", "bfloat16", "float16", "float64"};
    const bool is_float = std::ranges::find(kFloats, tensor.dtype->name) != std::end(kFloats);
    if (!is_float || tensor.shape.empty() || elements(tensor) == 0) return std::nullopt;
    const std::int64_t rows = elements(tensor) / tensor.shape[tensor.shape.size() - 1].hint;
    const std::int64_t scale_bytes = rows * find_dtype("float32")->size_bytes;
    const std::int64_t bytes = elements(tensor) * target_.size_bytes + scale_bytes;
    if (static_cast<double>(bytes) > kMostOfBytes * static_cast<double>(element_bytes(tensor))) return std::nullopt;
    FormOfFewerBits found = form(tensor, Compression::Scaled, target_, bytes);
    found.scale_bytes = scale_bytes;
    return found;
  }

  static std::int64_t elements(const Tensor& tensor) { return element_bytes(tensor) / tensor.dtype->size_bytes; }

  // Each side reads one of the two and writes the other.
  FormOfFewerBits form(const Tensor& tensor, Compression how, const Dtype& dtype, std::int64_t bytes) const {
    const double moved = 2.0 * static_cast<double>(bytes + element_bytes(tensor));
    return {how, &dtype, bytes, 0, picoseconds(ms_of_traffic(moved, device_))};
  }

  const Analysis& a_;
  DeviceProfile device_;
  const Dtype& target_;
  FormsOnRequest on_request_;
  std::vector<bool> may_be_rounded_;  // by node
  std::set<std::int64_t> written_;  // storages
};

}  // namespace

std::vector<std::optional<FormOfFewerBits>> forms_of_fewer_bits(const Analysis& analysis) {
  const Forms forms(analysis);
  std::vector<std::optional<FormOfFewerBits>> by_node;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) by_node.push_back(forms.of(node_id(i)));
  return by_node;
}

}  // namespace fxcut
