#pragma once
// Prompt and answer as the pieces that the tokenizer made, with ids; special, template and reused
// pieces marked. Thread: GUI thread.

#include "gui/views/view_base.h"

class QLabel;
class QToolButton;

namespace vitrine::gui {

class TokenFlow;

class TokensView : public ViewBase {
    Q_OBJECT
public:
    explicit TokensView(const ViewContext& context, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;

private:
    ViewHeader* header_;
    QToolButton* idsButton_;
    QLabel* legend_;
    TokenFlow* flow_;
    QLabel* detail_;
};

}  // namespace vitrine::gui
