// The memory of compiled code, as plain data in the order in which the code runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/wrapper.h"
#include "graph/extents.h"
#include "graph/value.h"

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
  Workspace,  // scratch memory of a kernel, which inductor names workspace_0, ...
  Input,      // of the step: the caller's, parameters among them
  Tangent,    // enters the backward, and is freed after its last use there
};

// "buffer", "result", "workspace", "input", "tangent".
std::string_view name_of(BlockKind kind);

// The source of a block's size.
enum class SizeSource : std::uint8_t {
  Unknown,
  Wrapper,    // the statement that allocates it
  Assertion,  // the wrapper's, on the result of an operator, with its dtype
  Kernel,     // the same without a dtype, which is taken from a kernel that uses it
  Graph,      // the same; the dtype, or everything, is taken from the FX graph in the log
  Example,    // get_args(), of an input
};

// "unknown", "wrapper", "assertion", "kernel", "graph", "example".
std::string_view name_of(SizeSource source);

// Memory that is allocated and freed as a whole.
struct MemoryBlock {
  static constexpr std::size_t kKept = std::numeric_limits<std::size_t>::max();

  BlockKind kind = BlockKind::Buffer;
  std::vector<std::string> names;          // in order: "buf2", then "buf3" that reuses it
  std::optional<std::int64_t> size_bytes;  // of its storage; nullopt if unknown
  SizeSource size_source = SizeSource::Unknown;
  const Dtype* dtype = nullptr;
  std::optional<Extents> shape, stride;  // when allocated, in elements; nullopt if unknown
  bool is_asserted = false;                 // shape and stride are, if of a view of it, not of a narrower one than before
  std::string device;                       // "cpu", "cuda"; empty if unknown
  std::size_t first = 0;                    // the moment in which it is allocated
  std::size_t last = kKept;                 // the moment in which it is freed; kKept: it outlives the step
  std::string made_by;                      // the kernel or operator that writes it first
  std::string source_nodes, original_aten;  // of its maker, from the comment
  std::string node;                         // of the FX graph; empty if unknown
  std::string source;                       // "model.py:12"
  std::string saved_as;                     // its name in the backward, if the forward saves it

  // Whether it counts as memory of the step: inputs do not.
  bool counts() const { return kind != BlockKind::Input; }
};

}  // namespace fxcut
