#include "compress/forms.h"

#include <variant>

#include "compress/form_on_request.h"
#include "compress/may_be_rounded.h"
#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

constexpr double kMostOfBytes = 0.75;  // scales of short rows take more than the cast saves

class Forms {
 public:
  explicit Forms(const Analysis& analysis)
      : a_(analysis), device_(device_of(analysis.settings, analysis.graph()).profile),
        target_(*find_dtype(find_quantized_dtype(analysis.settings.compress_dtype)->name)), forms_(analysis.joint),
        may_be_rounded_(may_be_rounded(analysis.graph(), analysis.settings)) {}

  std::optional<FormOfFewerBits> of(NodeId id) const {
    const Dtype* asked_for = a_.node(id).meta.compress_to;
    if (!asked_for && a_.settings.compress == Compress::None) return std::nullopt;
    const auto form = asked_for ? forms_.of(id, *asked_for) : forms_.of_value(id, target_);
    const auto* found = std::get_if<RequestedForm>(&form);
    if (!found || (!asked_for && !is_allowed(id, *found))) return std::nullopt;
    return FormOfFewerBits{found->how, found->dtype, found->bytes, found->scale_bytes, cost(id, *found), asked_for != nullptr};
  }

 private:
  bool is_allowed(NodeId id, const RequestedForm& form) const {
    if (form.how != Compression::Scaled) return true;
    const auto most = kMostOfBytes * static_cast<double>(element_bytes(a_.node(id).value->tensor));
    return a_.settings.compress == Compress::Auto && may_be_rounded_[index_of(id)] && static_cast<double>(form.bytes) <= most;
  }

  // Each side reads one of the two and writes the other.
  Wide cost(NodeId id, const RequestedForm& form) const {
    const double moved = 2.0 * static_cast<double>(form.bytes + element_bytes(a_.node(id).value->tensor));
    return picoseconds(ms_of_traffic(moved, device_));
  }

  const Analysis& a_;
  DeviceProfile device_;
  const Dtype& target_;
  FormsOnRequest forms_;
  std::vector<bool> may_be_rounded_;  // by node
};

}  // namespace

std::vector<std::optional<FormOfFewerBits>> forms_of_fewer_bits(const Analysis& analysis) {
  const Forms forms(analysis);
  std::vector<std::optional<FormOfFewerBits>> by_node;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) by_node.push_back(forms.of(node_id(i)));
  return by_node;
}

}  // namespace fxcut
