#include "engine/model/model.h"

#include <map>

#include "engine/io/model_file.h"

namespace vitrine::engine {

Model::~Model() {
    for (kernels::Matrix* matrix : matrices_) backend_->matrixDestroy(context_, matrix);
    for (const auto& [data, sizeBytes] : vectors_) backend_->release(context_, data, sizeBytes);
}

std::string describeQuantisation(const ModelFile& file) {
    std::map<std::string, uint64_t> bytesByType;
    uint64_t total = 0;
    for (const TensorInfo& tensor : file.tensors()) {
        if (tensor.nDims < 2) continue;
        bytesByType[kernels::dtypeInfo(tensor.dtype).name] += tensor.sizeBytes;
        total += tensor.sizeBytes;
    }
    std::string best;
    uint64_t bestBytes = 0;
    for (const auto& [name, sizeBytes] : bytesByType) {
        if (sizeBytes > bestBytes) {
            best = name;
            bestBytes = sizeBytes;
        }
    }
    // A head in another type is usual; a "mix" is what K-quantisers write.
    return bestBytes * 10 < total * 7 ? best + " mix" : best;
}

}  // namespace vitrine::engine
