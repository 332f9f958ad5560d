// Checks that values that are passed by name would be passed in the same way by position.
//
// PyTorch's runtime does not use names. After its own outputs the forward returns values, then symbolic numbers. The
// backward gets the symbolic numbers, then the values, then the inputs from the step's caller. A forward and a backward
// with another order run without an error, but on other values than their names suggest.
#include "verify/crossing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace fxcut {
namespace {

class Positions {
 public:
  Positions(const Graph& forward, const Graph& backward, std::size_t num_forward_outputs,
            const std::vector<CrossingValue>& crossings, const std::vector<bool>& is_symbol)
      : forward_(forward), outputs_(output_leaves(forward)), inputs_(placeholder_names(backward)),
        begin_(num_forward_outputs), first_symbol_(find(is_symbol, true, begin_)),
        value_after_symbol_(find(is_symbol, false, first_symbol_)), by_name_(inputs_.size()) {
    for (const CrossingValue& crossing : crossings) by_name_[crossing.backward_input] = crossing.forward_output;
  }

  std::optional<Mismatch> symbol_before_value() const {
    if (value_after_symbol_ == outputs_.size()) return std::nullopt;
    return Mismatch{"forward: the order of its outputs for the backward", "values, then symbolic numbers",
                    fmt::format("{}, a symbolic number, before {}", show_output(first_symbol_),
                                show_output(value_after_symbol_))};
  }

  std::optional<Mismatch> out_of_place() const {
    std::vector<std::size_t> misplaced;
    for (std::size_t input = 0; input < outputs_.size() - begin_; ++input) {
      if (by_name_[input] != by_position(input)) misplaced.push_back(input);
    }
    if (misplaced.empty()) return std::nullopt;
    const std::size_t first = misplaced.front(), others = misplaced.size() - 1;
    return Mismatch{fmt::format("backward: input {}", first) + (others > 0 ? fmt::format(", and {} more", others) : ""),
                    show_output(by_position(first)) + ", by its position",
                    by_name_[first] ? show_output(*by_name_[first]) + ", by its name"
                                    : fmt::format("'{}', which the forward does not return", inputs_[first])};
  }

 private:
  static std::size_t find(const std::vector<bool>& is_symbol, bool expected, std::size_t begin) {
    const auto first = is_symbol.begin() + static_cast<std::ptrdiff_t>(begin);
    return static_cast<std::size_t>(std::find(first, is_symbol.end(), expected) - is_symbol.begin());
  }

  // The output that the runtime hands to an input.
  std::size_t by_position(std::size_t input) const {
    const std::size_t symbols = outputs_.size() - first_symbol_;
    return input < symbols ? first_symbol_ + input : begin_ + input - symbols;
  }

  std::string show_output(std::size_t position) const {
    return fmt::format("'{}', output {}", forward_[*outputs_[position].node].name, position);
  }

  const Graph& forward_;
  std::vector<OutputLeaf> outputs_;
  std::vector<std::string> inputs_;
  std::size_t begin_;  // of the outputs for the backward
  std::size_t first_symbol_, value_after_symbol_;
  std::vector<std::optional<std::size_t>> by_name_;  // by input: the output of that name
};

}  // namespace

void check_positions(const Graph& forward, const Graph& backward, std::size_t num_forward_outputs,
                     const std::vector<CrossingValue>& crossings, const std::vector<bool>& is_symbol,
                     std::vector<Mismatch>& mismatches) {
  if (crossings.empty()) return;
  const Positions positions(forward, backward, num_forward_outputs, crossings, is_symbol);
  auto found = positions.symbol_before_value();
  if (!found) found = positions.out_of_place();
  if (found) mismatches.push_back(std::move(*found));
}

}  // namespace fxcut
