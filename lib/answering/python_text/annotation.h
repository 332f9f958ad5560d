// The types that torch.fx prints after a name: "f32[64, s77][s77, 1]cuda:0", dtype, shape, strides and device of a tensor
// (the last two optional), or "Sym(2*s77)".
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

// "f32" of "float32"; empty for an unknown dtype.
std::string_view dtype_abbreviation(std::string_view dtype);

class AnnotationReader {
 public:
  AnnotationReader(std::string_view file, const SymbolHints& hints) : file_(file), hints_(hints) {}

  // The value that the annotation, which begins at `place`, describes; without a storage. Throws Failure (BadInput) if it is of
  // another form or has an unknown dtype.
  Value read(std::string_view annotation, TextPlace place);

  // A symbolic size among arguments, as JSON.
  std::string size_json(const PythonExpression& expression);

  // The symbols of all annotations read so far.
  const std::map<std::string, Symbol>& symbols() const { return symbols_; }
  bool some_lack_strides() const { return lacks_strides_; }
  bool some_lack_device() const { return lacks_device_; }

 private:
  Value read_symbolic(std::string_view text, TextPlace place);
  Value read_tensor(std::string_view text, TextPlace place);
  std::vector<Size> read_sizes(std::string_view text, TextPlace place);
  Size make_size(const PythonExpression& expression, std::string_view text);
  std::shared_ptr<const Expression> make_expression(const PythonExpression& expression, std::string_view text);

  std::string_view file_;
  const SymbolHints& hints_;
  std::map<std::string, Symbol> symbols_;
  bool lacks_strides_ = false;
  bool lacks_device_ = false;
};

}  // namespace fxcut
