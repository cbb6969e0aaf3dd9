#pragma once
// What an empty chat shows: how to begin, with sample questions; without a model, how to get one.
// Thread: GUI thread.

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace vitrine::gui {

class Welcome : public QWidget {
    Q_OBJECT
public:
    explicit Welcome(QWidget* parent = nullptr);
    void setModel(bool hasModel, bool isLoading);

signals:
    void promptChosen(const QString& text);
    void openRequested();
    void catalogueRequested();
    void libraryRequested();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();

    QLabel *title_ = nullptr, *text_ = nullptr;
    QPushButton *open_ = nullptr, *catalogue_ = nullptr, *library_ = nullptr;
    QWidget *modelBox_ = nullptr, *promptBox_ = nullptr;
    QVBoxLayout* prompts_ = nullptr;
    bool hasModel_ = false, isLoading_ = false;
};

}  // namespace vitrine::gui
