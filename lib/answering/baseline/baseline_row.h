// A value as a row of a baseline: an array of
//
//     name, operator, module, source, line, bytes, flops, extent, checkpoint name, state
//
// of which those at the end that are empty, null or 0 (but for a source) are left out. The source is a position in the
// graph's table of files and functions, or null. The state is "static", "host", both or empty.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "baseline/fold.h"
#include "compare/compared_value.h"
#include "json/fields.h"

namespace fxcut {

// The files and functions that values come from, in the order in which they are met.
class SourceTable {
 public:
  // The position, or null where nothing is known of the source.
  nlohmann::ordered_json add(const Provenance& provenance);
  const std::vector<std::pair<std::string, std::string>>& rows() const { return rows_; }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
  std::map<std::pair<std::string, std::string>, std::size_t> positions_;
};

nlohmann::ordered_json row_json(const ComparedValue& value, SourceTable& sources);

// The numbers of a row's name, module and checkpoint name, one after the other; and the row without them, as text.
std::vector<std::int64_t> numbers_of(const ComparedValue& value);
std::string pattern_of(const ComparedValue& value, nlohmann::ordered_json row);

// A row that was read.
struct BaselineRow {
  ComparedValue value;
  std::vector<std::int64_t> steps;  // of a row in a fold; those at the end that are missing are 0
};

// What is wrong goes to `mistakes`.
BaselineRow read_row(const JsonValue& json, const std::vector<std::pair<std::string, std::string>>& sources,
                     Mistakes& mistakes);

// The value of the fold's row that comes `times` times later; nothing where a number of it would be none.
std::optional<ComparedValue> later(const BaselineRow& row, std::size_t times);

}  // namespace fxcut
