// The types of an exported program's values, TensorMeta and SymInt of torch/_export/serde/schema.py, as torch.fx prints them
// after a name: "f32[s77, 8][8, 1]cuda:0", "Sym(2*s77)".
#pragma once

#include <string>

#include "import/size_arithmetic.h"
#include "json/document.h"

namespace fxcut {

class ExportedTypes {
 public:
  // Of a tensor. Both throw Failure (BadInput) if a member is missing or unknown.
  std::string tensor(const JsonValue& meta);
  // Of a symbolic integer, real number or truth value.
  std::string symbolic(const JsonValue& value);

  // The hints of the symbols seen so far.
  const SymbolHints& hints() const { return hints_; }

 private:
  std::string size(const JsonValue& value);
  std::string sizes(const JsonValue& list);

  SymbolHints hints_;
};

// "float32" of an exported ScalarType, "channels_last" of a MemoryFormat, "strided" of a Layout, "cuda:0" of a Device.
// They throw Failure (BadInput) for other values.
std::string exported_dtype(const JsonValue& value);
std::string exported_memory_format(const JsonValue& value);
std::string exported_layout(const JsonValue& value);
std::string exported_device(const JsonValue& value);

}  // namespace fxcut
