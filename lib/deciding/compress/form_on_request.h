// The form of fewer bits that a value has, and the form in which a policy's COMPRESS has it saved; or why there is none.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <variant>

#include "graph/graph.h"

namespace fxcut {

// Why a value is saved as it is, in the order of the checks.
enum class NoForm : std::uint8_t { Input, NoTensor, NoStorage, ToHost, Returned, Written, OtherDtype, NotSmaller, Shared };

inline constexpr int kNoForms = static_cast<int>(NoForm::Shared) + 1;

// "an input of the step", "returned to the forward's caller": what the value is
std::string_view phrase_for(NoForm reason);

// "input", "returned", as in JSON
std::string_view name_of(NoForm reason);

struct RequestedForm {
  Compression how = Compression::None;
  const Dtype* dtype = nullptr;
  std::int64_t bytes = 0;  // with its scales
  std::int64_t scale_bytes = 0;  // of these
};

// The forms of the values of one graph, which must outlive this.
class FormsOnRequest {
 public:
  explicit FormsOnRequest(const JointGraph& joint);

  // Booleans as bits and positions as narrow integers, without loss; floating-point numbers with each row scaled to `dtype`. Only
  // values that the forward computes, in memory that nothing writes to, have a form.
  std::variant<RequestedForm, NoForm> of_value(NodeId id, const Dtype& dtype) const;

  // The same for COMPRESS, which leaves copied and returned values as they are. It looks at the value alone, so the answer is
  // never Shared, which depends on the other saved values.
  std::variant<RequestedForm, NoForm> of(NodeId id, const Dtype& dtype) const;

 private:
  std::variant<RequestedForm, NoForm> of_tensor(NodeId id, const Tensor& tensor, const Dtype& dtype) const;

  const Graph& graph_;
  std::set<std::int64_t> written_, returned_;  // storages: by any call, to the forward's caller
};

}  // namespace fxcut
