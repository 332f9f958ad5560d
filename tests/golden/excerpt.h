// An excerpt: the lines of an output that a case is about. It reads as the blocks of output in README.md do: a line "..." stands
// for any lines, also for none, and what stands between two of them are lines that follow each other in the output.
//
//     ...
//     saved               16 B  in 1 value
//       held              16 B  of activations, each storage counted once
//     ...
//     primals_1    placeholder  [4]    float32   16 B         an input of the step
//
// Without a "..." at its head, or at its end, it begins, or ends, as the output does.
#pragma once

#include <string>
#include <vector>

namespace golden {

// Throws std::runtime_error, with the title of the section, if the excerpt could not fail or leaves nothing out: it has a "...",
// no two of them in a row, and between them lines that are not empty.
void require_excerpt(const std::string& title, const std::string& excerpt);

// Whether the output has the lines of the excerpt. Both end in a newline or are empty.
bool holds(const std::string& excerpt, const std::string& output);

// The excerpt of the output that has the same lines, and for those that it does not have the ones most like them.
struct Renewed {
  std::string excerpt;            // holds for the output
  std::vector<std::string> gone;  // lines of the old excerpt that nothing in the output resembles; the new one lacks them
};
Renewed renew(const std::string& excerpt, const std::string& output);

}  // namespace golden
