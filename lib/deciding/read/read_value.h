// Value descriptions (`val`, `tensor_meta`, `attributes`) from JSON.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "graph/value.h"
#include "graph/wide.h"
#include "json/fields.h"

namespace fxcut {

// The dtype of that name; a mistake with the nearest and nullptr where there is none.
const Dtype* read_dtype(const JsonValue& json, std::string_view node, Mistakes& mistakes);

// Reads values of a document, which lives meanwhile; equal sizes are shared.
class ValueReader {
 public:
  explicit ValueReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  // The value that `val` describes. Mistakes: an unknown kind or dtype, a size that is no integer or below zero, more
  // bytes than 63 bits count, in one value or in all values of the document together.
  std::shared_ptr<const Value> read_val(const JsonValue& val, std::string_view node);

  // The tensor that `tensor_meta` (dtype and shape) describes.
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
  Wide total_bytes_ = 0;
  std::unordered_map<std::string_view, Sizes> known_sizes_;  // of plain numbers, by their text in the document
};

}  // namespace fxcut
