// SPDX-License-Identifier: MIT
// Objects named by numbers that a caller outside C++ can hold without being able to harm: a number
// whose object is gone is found out, never followed.
#ifndef HEED_WASM_HANDLE_TABLE_H_
#define HEED_WASM_HANDLE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace heed {

// Generation above index. At most 52 bits, so that it is exact as a JavaScript number. 0 names
// nothing.
using Handle = uint64_t;

template <typename Object>
class HandleTable {
 public:
  HandleTable() = default;
  ~HandleTable() { Clear(); }
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // Takes the object; 0 (the object is gone then) when there is no memory or no index left. The
  // object dies with `parent` at the latest; 0 means no parent.
  Handle Add(Object object, Handle parent) {
    Object* stored = new (std::nothrow) Object(std::move(object));
    if (stored == nullptr) return 0;
    if (free_ == kNone && !Grow()) {
      delete stored;
      return 0;
    }
    const uint32_t index = free_;
    Slot& slot = slots_[index];
    free_ = slot.next_free;
    slot.object = stored;
    slot.parent = parent;
    ++live_;
    return Handle{slot.generation} << kIndexBits | index;
  }

  // nullptr when the handle is dead or was never given out.
  Object* Get(Handle handle) const {
    const Slot* slot = Find(handle);
    return slot == nullptr ? nullptr : slot->object;
  }

  // Frees the object after everything below it. False when the handle is dead already.
  bool Remove(Handle handle) {
    if (Find(handle) == nullptr) return false;
    // The table has a few dozen entries in practice; a list of children for each would cost more
    // than this walk.
    for (uint32_t i = 0; i < size_; ++i) {
      if (slots_[i].object != nullptr && slots_[i].parent == handle) {
        Remove(Handle{slots_[i].generation} << kIndexBits | i);
      }
    }
    const uint32_t index = static_cast<uint32_t>(handle & kIndexMask);
    Slot& slot = slots_[index];
    delete std::exchange(slot.object, nullptr);
    --live_;
    // An index whose generations are used up is retired: a handle is never given out twice.
    if (++slot.generation != 0) {
      slot.next_free = free_;
      free_ = index;
    }
    return true;
  }

  // visit(Object&) for each living child of `parent`.
  template <typename Visitor>
  void ForEachChild(Handle parent, Visitor&& visit) {
    for (uint32_t i = 0; i < size_; ++i) {
      if (slots_[i].object != nullptr && slots_[i].parent == parent) visit(*slots_[i].object);
    }
  }

  void Clear() {
    for (uint32_t i = 0; i < size_; ++i) {
      if (slots_[i].object != nullptr) Remove(Handle{slots_[i].generation} << kIndexBits | i);
    }
    std::free(slots_);
    slots_ = nullptr;
    size_ = 0;
    free_ = kNone;
  }

  size_t live() const { return live_; }

 private:
  struct Slot {
    Object* object;
    Handle parent;
    uint32_t generation;  // from 1; 0: retired
    uint32_t next_free;
  };
  static constexpr uint32_t kIndexBits = 20;
  static constexpr uint32_t kIndexMask = (uint32_t{1} << kIndexBits) - 1;
  static constexpr uint32_t kNone = UINT32_MAX;

  const Slot* Find(Handle handle) const {
    const uint32_t index = static_cast<uint32_t>(handle & kIndexMask);
    const uint64_t generation = handle >> kIndexBits;
    if (index >= size_ || slots_[index].object == nullptr) return nullptr;
    return slots_[index].generation == generation ? &slots_[index] : nullptr;
  }

  bool Grow() {
    const uint32_t wanted = size_ == 0 ? 16 : size_ * 2;
    if (wanted > kIndexMask + 1) return false;
    Slot* grown = static_cast<Slot*>(std::realloc(slots_, wanted * sizeof(Slot)));
    if (grown == nullptr) return false;
    slots_ = grown;
    for (uint32_t i = wanted; i-- > size_;) {
      slots_[i] = Slot{nullptr, 0, 1, free_};
      free_ = i;
    }
    size_ = wanted;
    return true;
  }

  Slot* slots_ = nullptr;
  uint32_t size_ = 0;
  uint32_t free_ = kNone;
  size_t live_ = 0;
};

}  // namespace heed

#endif  // HEED_WASM_HANDLE_TABLE_H_
