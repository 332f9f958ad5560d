#include "verify/rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace fxcut {
namespace {

// The dtypes that have a range around zero, and its bound as a term has it. Source: torch.finfo.
struct Range {
  std::string_view dtype;
  double most;
};
constexpr std::array<Range, 8> kRanges = {{{"float8_e5m2", 57344},
                                           {"float8_e4m3fn", 448},
                                           {"float8_e5m2fnuz", 57344},
                                           {"float8_e4m3fnuz", 240},
                                           {"float16", 65504},
                                           {"bfloat16", 3.3895313892515355e+38},
                                           {"float32", 3.4028234663852886e+38},
                                           {"float64", 1.7976931348623157e+308}}};

Argument number(double real) {
  Argument argument;
  argument.kind = Argument::Kind::Float;
  argument.real = real;
  return argument;
}

// The heads of calls over one term, or over two.
std::string over_one(std::string_view target) { return fmt::format("{}({})", target, kHole); }
std::string over_two(std::string_view target) { return fmt::format("{}({}, {})", target, kHole, kHole); }
std::string with_number(std::string_view target, double real) {
  return fmt::format("{}({}, {})", target, kHole, constant_text(number(real)));
}
std::string cast_to(std::string_view dtype) {
  return fmt::format("prims.convert_element_type.default({}, torch.{})", kHole, dtype);
}

// The only operand of a term of that head.
std::optional<Term> operand_under(const Terms& terms, Term term, const std::string& head) {
  if (terms.head(term) != head || terms.operands(term).empty()) return std::nullopt;
  return terms.operands(term).front();
}

struct Cast {
  Term value;
  std::string dtype;
};

std::optional<Cast> cast_in(const Terms& terms, Term term) {
  static const std::string kBegin = cast_to("");
  const std::string_view head = terms.head(term), begin(kBegin.data(), kBegin.size() - 1);
  if (!head.starts_with(begin) || !head.ends_with(')')) return std::nullopt;
  return Cast{terms.operands(term).front(), std::string(head.substr(begin.size(), head.size() - begin.size() - 1))};
}

Term scales_of(Terms& terms, Term value, double most) {
  Term term = terms.make(over_one("aten.abs.default"), {value});
  term = terms.make(fmt::format("aten.amax.default({}, [-1], True)", kHole), {term});
  term = terms.make(cast_to("float64"), {term});
  term = terms.make(with_number("aten.clamp_min.default", 1e-12), {term});
  term = terms.make(over_one("aten.reciprocal.default"), {term});
  term = terms.make(with_number("aten.mul.Tensor", most), {term});
  return terms.make(cast_to("float32"), {term});
}

Term scaled_form(Terms& terms, Term value, const Range& range) {
  Term term = terms.make(cast_to("float32"), {value});
  term = terms.make(over_two("aten.mul.Tensor"), {term, scales_of(terms, value, range.most)});
  term = terms.make(with_number("aten.clamp_min.default", -range.most), {term});
  term = terms.make(with_number("aten.clamp_max.default", range.most), {term});
  return terms.make(cast_to(range.dtype), {term});
}

// The value from which the clamped product would be made.
std::optional<Term> scaled_from(const Terms& terms, Term clamped, const Range& range) {
  std::optional<Term> term = operand_under(terms, clamped, with_number("aten.clamp_max.default", range.most));
  if (term) term = operand_under(terms, *term, with_number("aten.clamp_min.default", -range.most));
  if (term) term = operand_under(terms, *term, over_two("aten.mul.Tensor"));
  return term ? operand_under(terms, *term, cast_to("float32")) : std::nullopt;
}

// The value that was scaled and cast to `term`, and its scales.
struct Scaled {
  RoundedForm form;
  Term scales;
};

std::optional<Scaled> scaled_in(Terms& terms, Term term) {
  const std::optional<Cast> cast = cast_in(terms, term);
  const auto range = cast ? std::ranges::find(kRanges, cast->dtype, &Range::dtype) : kRanges.end();
  if (range == kRanges.end()) return std::nullopt;
  const std::optional<Term> value = scaled_from(terms, cast->value, *range);
  if (!value || scaled_form(terms, *value, *range) != term) return std::nullopt;
  return Scaled{{*value, cast->dtype}, scales_of(terms, *value, range->most)};
}

// prims.iota over the bits of a byte, on whichever device.
bool are_bit_numbers(const Terms& terms, Term term) {
  const std::string_view head = terms.head(term);
  return head.starts_with("prims.iota.default(8, device=") &&
         head.ends_with(", dtype=torch.uint8, requires_grad=False, start=0, step=1)");
}

// The term that is shifted by the numbers of the bits.
std::optional<Term> shifted_by_bits(const Terms& terms, Term term, std::string_view target) {
  const std::optional<Term> shifted = operand_under(terms, term, over_two(target));
  return shifted && are_bit_numbers(terms, terms.operands(term)[1]) ? shifted : std::nullopt;
}

std::optional<Term> viewed_in_rows_of_8(const Terms& terms, Term term) {
  const std::string_view head = terms.head(term);
  const bool is_rows = head.starts_with(fmt::format("aten.view.default({}, [", kHole)) && head.ends_with(", 8])") &&
                       std::ranges::count(head, ',') == 2;
  return is_rows ? std::optional(terms.operands(term).front()) : std::nullopt;
}

}  // namespace

std::optional<Term> packed_value(const Terms& terms, Term term) {
  auto found = operand_under(terms, term, fmt::format("aten.sum.dim_IntList({}, [-1], False, dtype=torch.uint8)", kHole));
  if (found) found = shifted_by_bits(terms, *found, "aten.bitwise_left_shift.Tensor");
  if (found) found = operand_under(terms, *found, cast_to("uint8"));
  return found ? viewed_in_rows_of_8(terms, *found) : std::nullopt;
}

std::optional<Term> unpacked_value(const Terms& terms, Term term, const Sizes& shape) {
  auto found = operand_under(terms, term, fmt::format("aten.view.default({}, [{}])", kHole, fmt::join(hints_of(shape), ", ")));
  if (found) found = operand_under(terms, *found, cast_to("bool"));
  if (found) found = operand_under(terms, *found, fmt::format("aten.bitwise_and.Scalar({}, 1)", kHole));
  if (found) found = shifted_by_bits(terms, *found, "aten.bitwise_right_shift.Tensor");
  if (found) found = operand_under(terms, *found, fmt::format("aten.unsqueeze.default({}, -1)", kHole));
  return found ? packed_value(terms, *found) : std::nullopt;
}

bool may_make_form(const Node& call) {
  constexpr std::string_view kOperators[] = {"aten.abs.default",
                                             "aten.amax.default",
                                             "aten.clamp_min.default",
                                             "aten.clamp_max.default",
                                             "aten.reciprocal.default",
                                             "aten.mul.Tensor",
                                             "aten.div.Tensor",
                                             "prims.convert_element_type.default",
                                             "aten.view.default",
                                             "aten.unsqueeze.default",
                                             "prims.iota.default",
                                             "aten.sum.dim_IntList",
                                             "aten.bitwise_and.Scalar",
                                             "aten.bitwise_left_shift.Tensor",
                                             "aten.bitwise_right_shift.Tensor"};
  return std::ranges::any_of(kOperators, [&](std::string_view target) { return call.calls(target); });
}

std::optional<Term> value_of_form(Terms& terms, Term term) {
  if (const auto scaled = scaled_in(terms, term)) return scaled->form.value;
  if (const auto packed = packed_value(terms, term)) return packed;
  const std::optional<Cast> cast = cast_in(terms, term);
  return cast ? std::optional(cast->value) : std::nullopt;
}

std::optional<RoundedForm> restored_form(Terms& terms, Term term, const std::string& dtype) {
  const std::optional<Term> inner = operand_under(terms, term, cast_to(dtype));
  if (!inner) return std::nullopt;
  if (const std::optional<Term> wide = operand_under(terms, *inner, over_two("aten.div.Tensor"))) {
    const std::optional<Term> form = operand_under(terms, *wide, cast_to(dtype));
    const std::optional<Scaled> scaled = form ? scaled_in(terms, *form) : std::nullopt;
    if (!scaled || scaled->scales != terms.operands(*inner)[1]) return std::nullopt;
    return scaled->form;
  }
  const std::optional<Cast> form = cast_in(terms, *inner);
  if (!form || scaled_in(terms, *inner)) return std::nullopt;
  return RoundedForm{form->value, form->dtype};
}

}  // namespace fxcut
