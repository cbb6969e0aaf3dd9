#include "engine/cli/npy_writer.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace vitrine::engine::cli {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

namespace {

Error cannotWrite(const std::string& path, int reason) {
    return makeError(Errc::Io, "cannot write '" + path + "': " + std::strerror(reason) +
                                   "; choose another place for --out");
}

}  // namespace

Result<NpyWriter> NpyWriter::create(const std::string& path, std::vector<int64_t> shape) {
    NpyWriter writer;
    writer.path_ = path;
    writer.file_.reset(std::fopen(path.c_str(), "wb"));
    if (!writer.file_) return cannotWrite(path, errno);
    std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (const int64_t size : shape) {
        writer.expected_ *= size;
        dict += std::to_string(size) + ", ";
    }
    dict += "), }";
    // Magic, version and length field take 10 bytes; the data begins at a multiple of 64.
    dict.append(64 - (10 + dict.size() + 1) % 64, ' ');
    dict += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(dict.size() & 255);
    header += static_cast<char>(dict.size() >> 8);
    header += dict;
    writer.failed_ =
        std::fwrite(header.data(), 1, header.size(), writer.file_.get()) != header.size();
    return writer;
}

NpyWriter::~NpyWriter() {
    if (!file_) return;
    file_.reset();

    struct stat info {};

    // Never a device such as /dev/full.
    if (::stat(path_.c_str(), &info) == 0 && S_ISREG(info.st_mode)) std::remove(path_.c_str());
}

void NpyWriter::write(std::span<const float> values) {
    written_ += static_cast<int64_t>(values.size());
    if (!failed_)
        failed_ =
            std::fwrite(values.data(), sizeof(float), values.size(), file_.get()) != values.size();
}

Result<void> NpyWriter::finish() {
    if (written_ != expected_)
        return makeError(Errc::InvalidArgument, "'" + path_ + "' has got " +
                                                    std::to_string(written_) + " of " +
                                                    std::to_string(expected_) + " values");
    errno = 0;
    failed_ = std::fflush(file_.get()) != 0 || failed_;
    if (failed_) return cannotWrite(path_, errno != 0 ? errno : EIO);
    file_.reset();
    return {};
}

}  // namespace vitrine::engine::cli
