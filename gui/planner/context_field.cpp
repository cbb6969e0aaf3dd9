#include "gui/planner/context_field.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

namespace vitrine::gui {

namespace {
constexpr int kLeastPower = 8, kMostPower = 20;
}

ContextField::ContextField(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setRange(kLeastPower, kMostPower);
    slider_->setPageStep(1);
    slider_->setMinimumWidth(fontMetrics().height() * 6);
    box_ = new QSpinBox(this);
    box_->setRange(1, kMost);
    box_->setGroupSeparatorShown(true);
    box_->setSingleStep(1024);
    box_->setAccelerated(true);
    row->addWidget(slider_, 1);
    row->addWidget(box_);
    setFocusProxy(box_);
    setTokens(4096);
    retranslate();
    connect(slider_, &QSlider::valueChanged, this, [this](int power) {
        const QSignalBlocker block(box_);
        box_->setValue(1 << power);
        emit edited();
    });
    connect(box_, &QSpinBox::valueChanged, this, [this](int tokens) {
        showOnSlider(tokens);
        emit edited();
    });
}

int ContextField::tokens() const {
    return box_->value();
}

void ContextField::setTokens(int tokens) {
    const QSignalBlocker block(box_);
    box_->setValue(std::clamp(tokens, 1, kMost));
    showOnSlider(box_->value());
}

void ContextField::showOnSlider(int tokens) {
    const QSignalBlocker block(slider_);
    slider_->setValue(static_cast<int>(std::lround(std::log2(tokens))));
}

void ContextField::retranslate() {
    slider_->setAccessibleName(tr("Context, in powers of two"));
    slider_->setToolTip(slider_->accessibleName());
    box_->setAccessibleName(tr("Context in tokens"));
    box_->setSuffix(QStringLiteral(" ") + tr("tokens"));
}

void ContextField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace vitrine::gui
