// Values that cross to the backward in fewer bits, recognised by their terms.
//
// PyTorch's quantization (enable_activation_quantization) is a cast, or scales along the last dimension, a product, a clamp to
// the dtype's range and a cast. What the backward makes of it by the inverse is the value but for its rounding, if each step is
// there, with the numbers that belong to the dtype: a quotient by other scales, none at all, or a range beyond the dtype is
// another value.
#pragma once

#include <optional>
#include <string>

#include "verify/terms.h"

namespace fxcut {

// A term that stands for a value of fewer bits.
struct RoundedForm {
  Term value;
  std::string dtype;  // of the form, without "torch."
};

// The value of which the term is the quantized form. nullopt if it is none.
std::optional<RoundedForm> quantized_form(Terms& terms, Term term);

// The value of whose scales the term is. nullopt if it is none.
std::optional<Term> scaled_value(Terms& terms, Term scales);

// The value that the term, a cast to `dtype`, restores from its quantized form. nullopt if it restores none, or would be in
// another dtype than it was quantized from, of which the caller knows.
std::optional<RoundedForm> restored_form(Terms& terms, Term term, const std::string& dtype);

}  // namespace fxcut
