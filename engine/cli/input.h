#pragma once
// Text from files and lines from stdin, in a way that Ctrl-C interrupts. Thread: main.

#include <string>

#include "engine/base/result.h"

namespace vitrine::engine::cli {

/// A whole file as bytes; "-" is stdin. Fails: Io (missing, a directory, unreadable), Cancelled.
Result<std::string> readTextFile(const std::string& path);

/// Lines of stdin without their line ends.
class LineReader {
public:
    enum class Status { Line, End, Interrupted };

    /// The last line may lack its line end. Interrupted: Ctrl-C while waiting; may be called again.
    Status next(std::string& line);

private:
    std::string buffer_;
    size_t begin_ = 0;  ///< first byte of buffer_ not yet handed out
    size_t scanned_ = 0;
    bool atEnd_ = false;
};

}  // namespace vitrine::engine::cli
