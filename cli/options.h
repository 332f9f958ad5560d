// Command lines by Boost.ProgramOptions, strictly: no shortened options, and what is wrong said in one form.
#pragma once

#include <boost/program_options.hpp>
#include <string>

#include "cli/command.h"

namespace fxcut {

// Parses `arguments` by `options`, whose hidden `positional` ones take what stands alone. Throws Failure (Usage) naming
// the option and, for an unknown one, the nearest known.
boost::program_options::variables_map parse_options(
    const CommandArguments& arguments, const boost::program_options::options_description& options,
    const boost::program_options::positional_options_description& positional, std::string_view command);

// The same of a command on one graph, which stands alone and goes to `graph`. Where `help` is not asked for, throws
// Failure (Usage) as well where the graph is missing or an option is empty.
void parse_options_on_graph(const CommandArguments& arguments,
                            const boost::program_options::options_description& visible, std::string& graph,
                            const bool& help, std::string_view command);

// Throws Failure (Usage) where an option of one value is given an empty one, as by a variable of a script that is not
// set.
void refuse_empty_values(const boost::program_options::variables_map& given,
                         const boost::program_options::options_description& options, std::string_view command);

}  // namespace fxcut
