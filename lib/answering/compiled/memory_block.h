// The memory that compiled code takes, and when: plain data, in the order in which the code runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/wrapper.h"
#include "graph/value.h"
#include "graph/wide.h"

namespace fxcut {

// A statement that has run.
struct Moment {
  CodeSide side = CodeSide::Forward;
  std::size_t line = 0;
  std::string_view text;  // of the line; lives as long as the file's text
};

enum class BlockKind : std::uint8_t {
  Buffer,     // the wrapper allocates it
  Result,     // an operator or custom kernel made it
  Workspace,  // a kernel works in it: inductor names those workspace_0, ...
  Input,      // of the step: the caller's, parameters among them
  Tangent,    // comes with the backward, and goes with its last use there
};

// "buffer", "result", "workspace", "input", "tangent".
std::string_view block_kind_word(BlockKind kind);

// Where the size of a block is from.
enum class SizeSource : std::uint8_t {
  Unknown,
  Wrapper,    // the statement that allocates it
  Assertion,  // of the wrapper on what an operator returned, which has its dtype too
  Kernel,     // the same, without: the dtype is of a kernel that takes it
  Graph,      // the same; the dtype, or all, is of the FX graph in the log
  Example,    // get_args(), of an input
};

// "unknown", "wrapper", "assertion", "kernel", "graph", "example".
std::string_view size_source_word(SizeSource source);

// Memory that is taken at once and freed at once.
struct MemoryBlock {
  static constexpr std::size_t kKept = std::numeric_limits<std::size_t>::max();

  BlockKind kind = BlockKind::Buffer;
  std::vector<std::string> names;          // that it had, the first first: "buf2", then "buf3" that reuses it
  std::optional<std::int64_t> size_bytes;  // of its storage; nothing where unknown
  SizeSource size_source = SizeSource::Unknown;
  const Dtype* dtype = nullptr;
  std::optional<std::vector<std::int64_t>> shape, stride;  // as it was made, in elements; nothing where unknown
  std::string device;                       // "cpu", "cuda"; empty where the code does not say
  std::size_t first = 0;                    // moment in which it is made, or with which it comes
  std::size_t last = kKept;                 // in which it is freed; kKept: it outlives the step
  std::string made_by;                      // the kernel or operator that writes it first
  std::string source_nodes, original_aten;  // of that, as its comment has them
  std::string node;                         // of the FX graph; empty where the file does not say
  std::string source;                       // "model.py:12"
  std::string saved_as;                     // the backward's name for it, where the forward hands it over

  // Whether it is of those that a step takes beside what lives anyway.
  bool counts() const { return kind != BlockKind::Input; }
};

// Memory while a statement runs, inputs of the step and what lies on the host apart.
struct MemoryPoint {
  Wide bytes = 0;        // with what it takes
  Wide bytes_after = 0;  // less what it frees
};

}  // namespace fxcut
