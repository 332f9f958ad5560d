#include "compress/forms.h"

#include <algorithm>
#include <variant>

#include "classify/views_and_writes.h"
#include "compress/form_on_request.h"
#include "compress/may_be_rounded.h"
#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

constexpr double kMaxPartOfBytes = 0.75;  // scales of short rows take more than the cast saves

// By node, whether a call of the backward alone that is not fused uses its value, or a view of it.
std::vector<bool> find_used_unfused(const Analysis& analysis) {
  std::vector<bool> used(analysis.graph().size(), false);
  for (std::size_t i = used.size(); i-- > 0;) {
    used[i] = std::ranges::any_of(analysis.users.of(node_id(i)), [&](NodeId user) {
      const Node& call = analysis.node(user);
      if (!call.is_call()) return false;
      if (computes_nothing(analysis.graph(), call)) return bool{used[index_of(user)]};
      return analysis.roles.tangents_closure[index_of(user)] && !is_fused(call);
    });
  }
  return used;
}

class Forms {
 public:
  explicit Forms(const Analysis& analysis)
      : a_(analysis), device_(device_of(analysis.settings, analysis.graph()).profile),
        target_(*find_dtype(find_quantized_dtype(analysis.settings.compress_dtype)->name)), forms_(analysis.joint),
        may_be_rounded_(may_be_rounded(analysis.graph(), analysis.settings)), used_unfused_(find_used_unfused(analysis)) {}

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
    const auto most = kMaxPartOfBytes * static_cast<double>(element_bytes(a_.node(id).value->tensor));
    return a_.settings.compress == Compress::Auto && may_be_rounded_[index_of(id)] && static_cast<double>(form.bytes) <= most;
  }

  // Casts and scales fuse with pointwise kernels and reductions: where such a kernel computes the value, it writes the form as
  // well, and where such kernels use it, they read the form instead. A kernel of a library leaves either to one of its own.
  Int128 cost(NodeId id, const RequestedForm& form) const {
    const auto form_bytes = static_cast<double>(form.bytes);
    const auto value_bytes = static_cast<double>(element_bytes(a_.node(id).value->tensor));
    double ms = ms_of_traffic(form_bytes, device_);
    if (!is_fused(a_.node(id))) ms += ms_of_own_kernel(value_bytes);
    if (used_unfused_[index_of(id)]) ms += ms_of_own_kernel(form_bytes + value_bytes);
    return picoseconds(ms);
  }

  double ms_of_own_kernel(double bytes) const {
    constexpr double kUsPerMs = 1000;
    return std::max(ms_of_traffic(bytes, device_), device_.kernels.least_us / kUsPerMs);
  }

  const Analysis& a_;
  DeviceProfile device_;
  const Dtype& target_;
  FormsOnRequest forms_;
  std::vector<bool> may_be_rounded_, used_unfused_;  // by node
};

}  // namespace

std::vector<std::optional<FormOfFewerBits>> forms_of_fewer_bits(const Analysis& analysis) {
  const Forms forms(analysis);
  std::vector<std::optional<FormOfFewerBits>> by_node;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) by_node.push_back(forms.of(node_id(i)));
  return by_node;
}

}  // namespace fxcut
