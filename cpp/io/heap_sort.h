// SPDX-License-Identifier: MIT
#ifndef HEED_IO_HEAP_SORT_H_
#define HEED_IO_HEAP_SORT_H_

#include <algorithm>

#include "base/span.h"

namespace heed {

// Sorts in place by `less`, not stably. Unlike std::sort without recursion, and n log n whatever
// the order of the input.
template <typename T, typename Less>
void HeapSort(Span<T> items, Less less) {
  std::make_heap(items.begin(), items.end(), less);
  std::sort_heap(items.begin(), items.end(), less);
}

}  // namespace heed

#endif  // HEED_IO_HEAP_SORT_H_
