// A value as a row of a baseline: an array of
//
//     name, operator, module, source, line, bytes, flops, extent, checkpoint name, state, form, bytes of the form
//
// without empty, null or 0 values at its end (except for a source). The source is a position in the graph's table of files
// and functions, or null. The state is "static", "host", both or empty. The form is that of fewer bits in which the value is
// saved, which an earlier release wrote without its bytes.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/fold_list.h"
#include "compare/compared_value.h"
#include "json/fields.h"

namespace fxcut {

// The files and functions of values, in the order of their first use.
class SourceTable {
 public:
  // The position, or null if the source is unknown.
  nlohmann::ordered_json add(const Provenance& provenance);
  const std::vector<std::pair<std::string, std::string>>& rows() const { return rows_; }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
  std::map<std::pair<std::string, std::string>, std::size_t> positions_;
};

nlohmann::ordered_json row_json(const ComparedValue& value, SourceTable& sources);

// The numbers in a row's name, module and checkpoint name, in this order; and the row without them, as text.
std::vector<std::int64_t> numbers_of(const ComparedValue& value);
std::string pattern_of(const ComparedValue& value, nlohmann::ordered_json row);

struct BaselineRow {
  ComparedValue value;
  std::vector<std::int64_t> steps;  // of a row in a fold; missing ones at the end are 0
};

BaselineRow read_row(const JsonValue& json, const std::vector<std::pair<std::string, std::string>>& sources,
                     Mistakes& mistakes);

// The value of the fold's row after `times` repetitions; empty if one of its numbers would be invalid.
std::optional<ComparedValue> later(const BaselineRow& row, std::size_t times);

}  // namespace fxcut
