// Values as Python's repr() writes them, byte for byte.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// "1.0", "1e-05", "inf", "nan".
std::string python_float(double real);

// "(1-0j)", "2j".
std::string python_complex(double real, double imaginary);

// In single quotes, or in double quotes if it contains only single ones. The text is UTF-8; unprintable characters by
// Python's rules are escaped, except those that Unicode has not assigned.
std::string python_string(std::string_view text);

// str.isidentifier(), with all non-ASCII characters as letters.
bool is_python_identifier(std::string_view text);

}  // namespace fxcut
