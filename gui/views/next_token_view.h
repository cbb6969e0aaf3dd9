#pragma once
// How the chosen token came to be: the best candidates with their raw probability, what the sampler
// chain left of them, and which stage cut the rest. Thread: GUI thread.

#include "gui/views/view_base.h"

class QLabel;
class QTableView;

namespace vitrine::gui {

class CandidateModel;

class NextTokenView : public ViewBase {
    Q_OBJECT
public:
    explicit NextTokenView(const ViewContext& context, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void sizeColumns();
    void showChosenRow();

    ViewHeader* header_;
    QTableView* table_;
    QLabel* foot_;
    CandidateModel* model_;
    const TokenRecord* shown_ = nullptr;  ///< identity only
    uint32_t shownRun_ = 0;
};

}  // namespace vitrine::gui
