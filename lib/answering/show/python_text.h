// Values as Python's repr() writes them, byte for byte.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// "1.0", "1e-05", "inf", "nan".
std::string python_float(double real);

// "(1-0j)", "2j".
std::string python_complex(double real, double imaginary);

// In single quotes, or in double ones where it has single quotes only. The text is UTF-8; characters that Python holds
// for unprintable are escaped, but for those that Unicode has not assigned.
std::string python_string(std::string_view text);

// Whether str.isidentifier() holds; what is not ASCII counts as a letter.
bool is_python_identifier(std::string_view text);

}  // namespace fxcut
