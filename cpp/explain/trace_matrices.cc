// SPDX-License-Identifier: MIT
#include "explain/trace_matrices.h"

namespace heed {

TraceMatrices PlanTraceMatrices(const ModelConfig& config, uint64_t time, bool gradients,
                                Planner* planner, Planner* views) {
  TraceMatrices matrices;
  matrices.layers = views->Take<TraceLayer>(config.layers);
  ForEachTraceMatrix(config, time,
                     [&](const TraceMatrixInfo& info, Matrix<float> TraceMatrices::* of_model,
                         Matrix<float> TraceLayer::* of_layer) {
                       if (gradients && !info.has_gradient) return;
                       const Matrix<float> matrix = planner->Floats(info.rows, info.cols);
                       if (planner->measuring()) return;
                       if (of_model != nullptr) {
                         matrices.*of_model = matrix;
                       } else {
                         matrices.layers[static_cast<size_t>(info.layer)].*of_layer = matrix;
                       }
                     });
  return matrices;
}

}  // namespace heed
