// "No partition" as a value: a search goes on from it, and what ends with it throws the failure.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "diagnostic/diagnostic.h"

namespace fxcut {

// A result, or the failure (NoPartition) that says why there is none.
template <typename Result>
class [[nodiscard]] Attempt {
 public:
  Attempt(Result result) : outcome_(std::move(result)) {}
  Attempt(Failure failure) : outcome_(std::move(failure)) {}

  explicit operator bool() const { return outcome_.index() == 0; }
  Result& operator*() & { return std::get<Result>(outcome_); }
  const Result& operator*() const& { return std::get<Result>(outcome_); }
  Result&& operator*() && { return std::get<Result>(std::move(outcome_)); }
  Result* operator->() { return &**this; }
  const Result* operator->() const { return &**this; }
  const Failure& failure() const { return std::get<Failure>(outcome_); }

  // The result; throws the failure if there is none.
  Result or_throw() && { return *this ? *std::move(*this) : throw failure(); }

 private:
  std::variant<Result, Failure> outcome_;
};

// The result of `make`, or its failure if that is NoPartition. Other exceptions of `make` pass through.
template <typename Make>
Attempt<std::invoke_result_t<Make>> attempt(Make&& make) {
  try {
    return make();
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return failure;
  }
}

}  // namespace fxcut
