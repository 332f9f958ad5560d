// Value descriptions (`val`, `tensor_meta`, `attributes`) from JSON.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "graph/int128.h"
#include "graph/value.h"
#include "json/fields.h"

namespace fxcut {

// The dtype of that name; nullptr and a mistake with the nearest name if unknown.
const Dtype* read_dtype(const JsonValue& json, std::string_view node, Mistakes& mistakes);

// Reads values of a document, which outlives this; equal sizes are shared.
class ValueReader {
 public:
  explicit ValueReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  // The value of `val`. Mistakes: an unknown kind or dtype, a size that is not an integer of 0 or more, more than 2^63
  // - 1 bytes, in one value or in all values of the document together.
  std::shared_ptr<const Value> read_val(const JsonValue& val, std::string_view node);

  // The tensor of `tensor_meta` (dtype and shape).
  std::shared_ptr<const Value> read_tensor_meta(const JsonValue& meta, std::string_view node);

 private:
  Value read(const JsonValue& json, std::string_view node);
  void read_tensor(const JsonValue& json, std::string_view node, Tensor& tensor);
  Sizes read_sizes(const JsonValue& json, std::string_view what, std::string_view node);
  Size read_size(const JsonValue& json, std::string_view what, std::string_view node);
  std::shared_ptr<const Expression> read_expression(const JsonValue& json, std::string_view node);
  std::shared_ptr<const Expression> read_text_and_symbols(const JsonValue& json, std::string_view node);
  void read_symbols(const JsonValue& json, std::string_view node, Expression& expression);
  void check_bytes(const JsonValue& json, std::string_view node, const Tensor& tensor);

  Mistakes& mistakes_;
  Int128 total_bytes_ = 0;
  std::unordered_map<std::string_view, Sizes> known_sizes_;  // of plain numbers, by their text in the document
};

}  // namespace fxcut
