#pragma once
// A file that exists while the program runs: if it is there at the start, the last one did not end
// cleanly, and no model is loaded unasked. Thread: GUI thread.

#include <QString>

namespace vitrine::gui {

class StartMarker {
public:
    /// Makes the marker. Requires: this is the only instance.
    explicit StartMarker(QString file);
    /// A clean end: removes it.
    ~StartMarker();
    StartMarker(const StartMarker&) = delete;
    StartMarker& operator=(const StartMarker&) = delete;

    bool lastEndWasClean() const { return lastEndWasClean_; }

private:
    QString file_;
    bool lastEndWasClean_ = true;
};

}  // namespace vitrine::gui
