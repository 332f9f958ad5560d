// The groups of kernels fused so far, and how they depend on each other (torch/_inductor/scheduler.py, Scheduler's
// name_to_fused_node, will_fusion_create_cycle and topological_sort_schedule).
//
// Each pair has to be checked for a cycle. The groups are kept in a topological order, so a path from the later of two can reach
// the earlier one only through groups between them. When the two are joined, the groups between them that the later one depends
// on are moved before the joined group, and the others stay behind it (after D. J. Pearce, P. H. J. Kelly: A Dynamic Topological
// Sort Algorithm for Directed Acyclic Graphs, 2006).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "inductor/accesses.h"
#include "inductor/kernels.h"
#include "inductor/marks.h"
#include "inductor/number_lists.h"

namespace fxcut {

using GroupId = std::uint32_t;

struct Group {
  std::vector<KernelId> parts;      // in the order of joining; in mixed reductions those along the rows first
  KernelId first = 0, last = 0;     // in the order of the graph
  std::size_t nested_depth = 0;     // how many outer loops are shared by kernels nested in them; 0 if none are
  Extents first_loops = {}, last_loops = {};  // outer loops of the first and the last that are nested
  std::vector<std::size_t> nested_loops = {};  // by nested kernel: its number of loops, including the outer ones
  std::vector<KernelId> across = {};  // in mixed reductions: those across the rows, the last of the parts
};

class FusionGroups {
 public:
  explicit FusionGroups(const Kernels& program);  // each kernel is a group, whose number is the kernel's

  const Group& operator[](GroupId id) const { return groups_[id]; }
  Group& operator[](GroupId id) { return groups_[id]; }
  GroupId of(KernelId kernel) const { return group_of_[kernel]; }
  bool is_first(KernelId kernel) const { return groups_[group_of_[kernel]].first == kernel; }

  // Whether a kernel makes the buffer; false for an input.
  bool is_made(BufferId buffer) const { return makers_[buffer] != kNone; }
  KernelId maker(BufferId buffer) const { return makers_[buffer]; }
  // Ascending; includes kernels that overwrite it.
  std::span<const KernelId> readers(BufferId buffer) const { return readers_[buffer]; }

  // Whether a kernel of one group reads what one of the other makes.
  bool depends(GroupId on_other, GroupId other) const;

  // Whether a kernel of `from` depends on one of `to` in the unfused graph.
  bool is_before(GroupId to, GroupId from) const;

  // Whether a kernel of another group that `from` reads depends on `to` in that sense.
  bool reads_after(GroupId from, GroupId to) const;

  // Whether a kernel of `from` depends on one of `to` in the unfused graph.
  bool lead_to(const std::vector<KernelId>& from, const std::vector<KernelId>& to) const;

  // Whether `from` depends on `to` through other groups; also true if the search is cut off after kMaxVisited groups. Only groups
  // between the two are visited.
  bool path_between(GroupId from, GroupId to) const;

  // In topological order; otherwise by their first kernels.
  std::vector<GroupId> ordered() const;

  // For each buffer, in the order of first use, the groups with loops that use it.
  NumberLists by_buffer() const;

  // Moves the kernels of `from`. There must be no path between the two through others.
  void join(GroupId into, GroupId from);

 private:
  void find_dependencies();
  void append_groups_before(GroupId id, std::vector<GroupId>& before) const;
  bool reach(const std::vector<KernelId>& from, GroupId to) const;
  bool find_before(const std::vector<KernelId>& from, KernelId first, const auto& is_target) const;
  std::vector<std::uint32_t> positions_between(GroupId later, GroupId earlier) const;
  void put(GroupId group, std::uint32_t position) { at_[position_[group] = position] = group; }

  static constexpr KernelId kNone = std::numeric_limits<KernelId>::max();

  const Kernels& program_;
  std::vector<GroupId> group_of_;               // by kernel
  std::vector<Group> groups_;                   // empty if joined to another
  std::vector<KernelId> makers_;                // by buffer
  NumberLists readers_;                         // by buffer
  NumberLists depends_;                         // by kernel, on kernels before it: ascending, each once
  std::vector<std::uint32_t> position_;         // by group, including joined ones: each is after those it depends on
  std::vector<GroupId> at_;                     // by position

  mutable Marks seen_, targets_;  // of a search: kernels or groups
  mutable std::vector<KernelId> open_;  // of a search
};

}  // namespace fxcut
