#include "inductor/numbered_deps.h"

#include <algorithm>
#include <cstddef>

#include "inductor/number_lists.h"
#include "inductor/walks.h"

namespace fxcut {
namespace {

void sort_once(std::vector<DepNumber>& deps) {
  std::ranges::sort(deps);
  deps.erase(std::unique(deps.begin(), deps.end()), deps.end());
}

}  // namespace

NumberedDeps::NumberedDeps(const Kernels& program, LoopsAre loops) : program_(program), loops_(loops) {
  std::vector<MemoryDep> all;
  std::vector<std::size_t> begin, begin_written;  // by kernel, in `all`
  for (const Kernel& kernel : program.kernels) {
    begin.push_back(all.size());
    append_read_deps(kernel, loops, all);
    begin_written.push_back(all.size());
    append_written_deps(kernel, loops, all);
  }
  begin.push_back(all.size());
  const std::vector<DepNumber> number = numbers_of(all);
  written_.assign(program.buffers.size(), kNotWritten);
  reads_.reserve(program.kernels.size());
  deps_of_.reserve(program.kernels.size());
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    const auto first = number.begin() + static_cast<std::ptrdiff_t>(begin[k]);
    const auto first_written = number.begin() + static_cast<std::ptrdiff_t>(begin_written[k]);
    const auto end = number.begin() + static_cast<std::ptrdiff_t>(begin[k + 1]);
    for (auto written = first_written; written != end; ++written) written_[buffer(*written)] = *written;
    reads_.emplace_back(first, first_written);
    sort_once(deps_of_.emplace_back(first, end));
  }
}

std::vector<DepNumber> NumberedDeps::numbers_of(const std::vector<MemoryDep>& deps) {
  std::vector<NumberLists::Entry> in_buffers;
  in_buffers.reserve(deps.size());
  for (std::uint32_t each = 0; each < deps.size(); ++each) in_buffers.emplace_back(deps[each].buffer, each);
  const NumberLists by_buffer(program_.buffers.size(), in_buffers);
  std::vector<DepNumber> numbers(deps.size());
  std::vector<std::uint32_t> order;  // of the deps in one buffer, which are few
  for (std::size_t buffer = 0; buffer < by_buffer.size(); ++buffer) {
    order.assign(by_buffer[buffer].begin(), by_buffer[buffer].end());
    std::ranges::sort(order, {}, [&](std::uint32_t each) -> const MemoryDep& { return deps[each]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const MemoryDep& dep = deps[order[i]];
      if (i == 0 || dep != deps[order[i - 1]]) deps_.push_back(dep);
      numbers[order[i]] = static_cast<DepNumber>(deps_.size() - 1);
    }
  }
  return numbers;
}

std::vector<DepNumber> NumberedDeps::of(const std::vector<KernelId>& kernels) const {
  std::vector<DepNumber> deps;
  for (const KernelId kernel : kernels) deps.insert(deps.end(), of(kernel).begin(), of(kernel).end());
  sort_once(deps);
  return deps;
}

SharedDeps NumberedDeps::shared(const std::vector<DepNumber>& a, const std::vector<DepNumber>& b) const {
  SharedDeps shared;
  for (auto in_a = a.begin(), in_b = b.begin(); in_a != a.end() && in_b != b.end();) {
    if (*in_a < *in_b) {
      ++in_a;
    } else if (*in_b < *in_a) {
      ++in_b;
    } else {
      shared.bytes += program_.buffers[buffer(*in_a)].bytes;
      shared.elements += program_.buffers[buffer(*in_a)].elements;
      ++in_a, ++in_b;
    }
  }
  return shared;
}

bool NumberedDeps::is_as_written(DepNumber read) const {
  const DepNumber written = written_[buffer(read)];
  if (written == kNotWritten || written == read) return true;
  const MemoryDep &a = deps_[read], &b = deps_[written];
  if (loops_ == LoopsAre::Merged || !a.known || !b.known || a.number != b.number) return false;
  return a.walk.size() != b.walk.size() && merged(a.walk) == merged(b.walk);
}

void NumberedDeps::renew(KernelId kernel) {
  if (later_.empty()) {
    for (const MemoryDep& dep : deps_) later_.emplace(dep, static_cast<DepNumber>(later_.size()));
  }
  reads_[kernel].clear();
  for (const MemoryDep& dep : read_deps(program_.kernels[kernel], loops_)) reads_[kernel].push_back(number_of(dep));
  deps_of_[kernel] = reads_[kernel];
  for (const MemoryDep& dep : written_deps(program_.kernels[kernel], loops_)) {
    deps_of_[kernel].push_back(written_[dep.buffer] = number_of(dep));
  }
  sort_once(deps_of_[kernel]);
}

DepNumber NumberedDeps::number_of(const MemoryDep& dep) {
  const auto [found, is_new] = later_.try_emplace(dep, static_cast<DepNumber>(deps_.size()));
  if (is_new) deps_.push_back(dep);
  return found->second;
}

}  // namespace fxcut
