// Values that cross to the backward in fewer bits, recognised by their terms.
//
// Booleans packed as bits, and integers cast to a dtype that holds their range (classify/integer_range.h), lose nothing.
// PyTorch's quantization (enable_activation_quantization) is a cast, or scales along the last dimension, a product, a clamp to
// the dtype's range and a cast. What the backward makes of it by the inverse is the value but for its rounding, if each step is
// there, with the numbers that belong to the dtype: a quotient by other scales, none at all, or a range beyond the dtype is
// another value.
#pragma once

#include <optional>
#include <string>

#include "graph/graph.h"
#include "graph/value.h"
#include "verify/terms.h"

namespace fxcut {

// A term that stands for a value of fewer bits.
struct RoundedForm {
  Term value;
  std::string dtype;  // of the form, without "torch."
};

// Whether the call is of the operators that make such forms and restore values from them: PyTorch gives them names of its own.
bool may_make_form(const Node& call);

// The value of which the term is the form in fewer bits. nullopt if it is none.
std::optional<Term> value_of_form(Terms& terms, Term term);

// The boolean value whose elements the term has as the bits of bytes. nullopt if it has none's.
std::optional<Term> packed_value(const Terms& terms, Term term);

// The value that the term, a view in `shape`, restores from its bits. nullopt if it restores none.
std::optional<Term> unpacked_value(const Terms& terms, Term term, const Sizes& shape);

// The value that the term, a cast to `dtype`, restores from its quantized form. nullopt if it restores none, or would be in
// another dtype than it was quantized from, of which the caller knows.
std::optional<RoundedForm> restored_form(Terms& terms, Term term, const std::string& dtype);

}  // namespace fxcut
