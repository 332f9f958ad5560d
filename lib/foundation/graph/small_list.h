// A list of a few elements, which are kept in the object itself; longer ones are allocated. To copy or move a short list is to
// copy its elements, without a call: lists of sizes and strides are made and dropped by the thousand for each graph.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>

namespace fxcut {

// `T` is cheap to copy, such as a number; as many as `kInside` are kept in the object. At most 2^32 - 1 elements.
template <typename T, std::size_t kInside>
class SmallList {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  SmallList() = default;
  explicit SmallList(std::size_t size, const T& value = T()) { resize(size, value); }
  SmallList(std::initializer_list<T> items) : SmallList(items.begin(), items.end()) {}
  template <std::input_iterator Iterator>
  SmallList(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  SmallList(const SmallList& other) { copy(other); }
  SmallList(SmallList&& other) noexcept { take(other); }
  SmallList& operator=(const SmallList& other) {
    if (this != &other) copy(other);
    return *this;
  }
  SmallList& operator=(SmallList&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~SmallList() = default;

  T* data() { return outside_ ? outside_.get() : inside_; }
  const T* data() const { return outside_ ? outside_.get() : inside_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size_; }
  auto rbegin() { return std::reverse_iterator(end()); }
  auto rend() { return std::reverse_iterator(begin()); }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }

  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void clear() { size_ = 0; }
  void pop_back() { --size_; }
  void push_back(const T& value) {
    const T added = value;  // it may be an element
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = added;
  }
  void resize(std::size_t size, const T& value = T()) {
    if (size > capacity_) grow(size);
    for (; size_ < size; ++size_) data()[size_] = value;
    size_ = static_cast<std::uint32_t>(size);
  }

  // The elements must not be of this list.
  template <std::forward_iterator Iterator>
  iterator insert(const_iterator before, Iterator first, Iterator last) {
    const auto at = static_cast<std::size_t>(before - begin()), added = static_cast<std::size_t>(std::distance(first, last));
    const std::size_t old_size = size();
    resize(old_size + added);
    T* const from = data() + at;
    std::move_backward(from, data() + old_size, end());
    std::copy(first, last, from);
    return from;
  }
  iterator insert(const_iterator before, const T& value) {
    return insert(before, 1, value);
  }
  iterator insert(const_iterator before, std::size_t count, const T& value) {
    const auto at = static_cast<std::size_t>(before - begin()), old_size = size();
    const T added = value;
    resize(old_size + count);
    T* const from = data() + at;
    std::move_backward(from, data() + old_size, end());
    std::fill_n(from, count, added);
    return from;
  }

  iterator erase(const_iterator at) { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    T* const from = begin() + (first - begin());
    std::move(begin() + (last - begin()), end(), from);
    size_ -= static_cast<std::uint32_t>(last - first);
    return from;
  }

  friend bool operator==(const SmallList& a, const SmallList& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend auto operator<=>(const SmallList& a, const SmallList& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void copy(const SmallList& other) {
    size_ = 0;
    if (other.size_ > capacity_) grow(other.size_);
    size_ = other.size_;
    if (outside_ || other.outside_) std::copy_n(other.data(), size_, data());
    else copy_inside(other);
  }

  void take(SmallList& other) {
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kInside);
    outside_ = std::move(other.outside_);
    if (!outside_) copy_inside(other);
  }

  // All of them, a number of moves that is known when this is compiled: that is faster than a loop over those in use.
  void copy_inside(const SmallList& other) {
    for (std::size_t i = 0; i < kInside; ++i) inside_[i] = other.inside_[i];
  }

  void grow(std::size_t needed) {
    const std::size_t capacity = std::max<std::size_t>(needed, 2 * capacity_);
    std::unique_ptr<T[]> larger(new T[capacity]);
    std::copy_n(data(), size_, larger.get());
    outside_ = std::move(larger);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  std::uint32_t size_ = 0, capacity_ = kInside;
  std::unique_ptr<T[]> outside_;  // null while the elements are inside
  T inside_[kInside] = {};
};

}  // namespace fxcut
