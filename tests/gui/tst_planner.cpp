// The planner pane, the load dialog and whose sampling value is in force. With VITRINE_SHOTS set to
// a folder, their pictures are kept there, for people to look at.

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "engine/plan/published_shapes.h"
#include "gui/app/language.h"
#include "gui/planner/context_field.h"
#include "gui/planner/load_dialog.h"
#include "gui/planner/planner_window.h"
#include "gui/widgets/sampling_form.h"
#include "gui/widgets/theme.h"
#include "tests/support/tiny_model.h"

using namespace vitrine;
using namespace vitrine::gui;

namespace {

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("VITRINE_SHOTS");
    if (folder.isEmpty()) return;
    QTest::qWait(120);
    QVERIFY(widget.grab().save(folder + QChar('/') + name + QStringLiteral(".png")));
}

QDoubleSpinBox* temperatureOf(const SamplingForm& form) {
    for (auto* box : form.findChildren<QDoubleSpinBox*>())
        if (box->accessibleName() == SamplingForm::tr("Temperature")) return box;
    return nullptr;
}

engine::PlannedModel tiny(const QTemporaryDir& folder) {
    test::TinyModelOptions options;
    options.contextLength = 8192;
    const std::string bytes = test::makeTinyModel(options).bytes();
    QFile file(folder.filePath(QStringLiteral("tiny.gguf")));
    file.open(QIODevice::WriteOnly);
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    file.close();
    auto model = engine::readPlannedModel(file.fileName().toStdString());
    Q_ASSERT(model.has_value());
    return *model;
}

}  // namespace

class TestPlanner : public QObject {
    Q_OBJECT

private slots:

    void initTestCase() {
        Theme::apply(QStringLiteral("dark"));
        applyLanguage(QStringLiteral("en"));
    }

    void publishedModelIsExact() {
        PlannerWindow window(nullptr);
        window.planPublished(QStringLiteral("Qwen2-72B"));
        QCOMPARE(window.context().tokens(), 131'072);
        QCOMPARE(window.results().headline(), QStringLiteral("40.0 GiB of KV cache"));
    }

    void aFileIsReadAndAnErrorIsSaid() {
        QTemporaryDir folder;
        tiny(folder);
        PlannerWindow window(nullptr);
        QSignalSpy planned(&window, &PlannerWindow::planned);
        window.plan(folder.filePath(QStringLiteral("tiny.gguf")));
        QVERIFY(planned.wait());
        QCOMPARE(window.context().tokens(), 8192);
        // 2 layers · 2 heads · 2 · 16 values of 2 bytes.
        QCOMPARE(window.results().headline(), QStringLiteral("2.00 MiB of KV cache"));
        window.plan(folder.filePath(QStringLiteral("missing.gguf")));
        QVERIFY(planned.wait());
        QCOMPARE(window.results().headline(), QStringLiteral("No figure"));
        QFile config(folder.filePath(QStringLiteral("config.json")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(R"({"model_type":"deepseek_v3","hidden_size":7168,"num_hidden_layers":61,
            "num_attention_heads":128,"intermediate_size":18432,"vocab_size":129280,
            "kv_lora_rank":512,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,
            "max_position_embeddings":131072})");
        config.close();
        window.plan(config.fileName());
        QVERIFY(planned.wait());
        QCOMPARE(window.results().headline(), QStringLiteral("8.58 GiB of KV cache"));
    }

    void loadDialogOffersToLoadAnyway() {
        QTemporaryDir folder;
        const engine::PlannedModel model = tiny(folder);
        LoadDialog roomy(model, {}, uint64_t{8} << 30);
        QVERIFY(!roomy.options().force);
        QCOMPARE(roomy.options().contextSize, 8192);
        QCOMPARE(roomy.loadButton().text(), QStringLiteral("Load"));
        const uint64_t little = uint64_t{3} << 20;
        LoadDialog tight(model, {}, little);
        QVERIFY(tight.options().force);
        QCOMPARE(tight.loadButton().text(), QStringLiteral("Load anyway"));
        tight.context().setTokens(300);
        emit tight.context().edited();
        QVERIFY(!tight.options().force);
        LoadDialog hopeless(model, {}, 1000);
        QVERIFY(hopeless.options().force);
    }

    void formSaysWhoseValueItIs() {
        using engine::SamplingField;
        using engine::SamplingSource;
        SamplingForm form;
        QSignalSpy edited(&form, &SamplingForm::edited);
        engine::RecommendedSampling model;
        model.params.temperature = 0.6f;
        model.params.topK = 20;
        model.fields =
            engine::fieldBit(SamplingField::Temperature) | engine::fieldBit(SamplingField::TopK);
        form.setRecommended(model);
        QCOMPARE(edited.count(), 0);
        QVERIFY(form.source(SamplingField::Temperature) == SamplingSource::Model);
        QVERIFY(form.source(SamplingField::TopP) == SamplingSource::Program);
        auto* temperature = temperatureOf(form);
        QCOMPARE(temperature->value(), 0.6);
        QCOMPARE(form.settings().own, 0u);
        temperature->setValue(1.25);
        QCOMPARE(edited.count(), 1);
        QVERIFY(form.source(SamplingField::Temperature) == SamplingSource::User);
        QCOMPARE(form.settings().params.temperature, 1.25f);
        // Another model changes nothing of what the user chose.
        model.params.temperature = 0.1f;
        form.setRecommended(model);
        QCOMPARE(temperature->value(), 1.25);
        form.release(SamplingField::Temperature);
        QCOMPARE(temperature->value(), 0.1);
        QCOMPARE(form.settings().own, 0u);
        form.setRecommended({});
        QCOMPARE(temperature->value(), 0.8);
    }

    void pictures_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("theme");
        QTest::addColumn<double>("points");
        QTest::newRow("en-dark") << "en"
                                 << "dark" << 10.0;
        QTest::newRow("zh-light") << "zh_CN"
                                  << "light" << 10.0;
        QTest::newRow("en-light-150") << "en"
                                      << "light" << 15.0;
        QTest::newRow("zh-dark-150") << "zh_CN"
                                     << "dark" << 15.0;
    }

    void pictures() {
        if (qEnvironmentVariable("VITRINE_SHOTS").isEmpty()) QSKIP("no pictures wanted");
        QFETCH(QString, language);
        QFETCH(QString, theme);
        QFETCH(double, points);
        const QString tag = QString::fromUtf8(QTest::currentDataTag());
        Theme::setBasePointSize(points);
        Theme::apply(theme);
        applyLanguage(language);
        PlannerWindow planner(nullptr);
        planner.show();
        planner.planPublished(QStringLiteral("Qwen2-72B"));
        keepPicture(planner, QStringLiteral("planner-qwen-") + tag);
        planner.planPublished(QStringLiteral("Gemma-3-270M"));
        keepPicture(planner, QStringLiteral("planner-gemma-") + tag);
        planner.resize(planner.minimumSizeHint().width(), 560);
        keepPicture(planner, QStringLiteral("planner-narrow-") + tag);
        QTemporaryDir folder;
        const engine::PlannedModel model = tiny(folder);
        for (const uint64_t free : {uint64_t{64} << 20, uint64_t{3} << 20}) {
            LoadDialog dialog(model, {}, free);
            dialog.show();
            keepPicture(dialog, QStringLiteral("load-%1-").arg(free >> 20) + tag);
        }
        SamplingForm form;
        engine::RecommendedSampling recommended;
        recommended.params.temperature = 0.6f;
        recommended.fields = 3;
        recommended.ignored = {"mirostat"};
        form.setRecommended(recommended);
        temperatureOf(form)->setValue(1.2);
        form.resize(340, form.sizeHint().height());
        form.show();
        keepPicture(form, QStringLiteral("sampling-") + tag);
    }
};

QTEST_MAIN(TestPlanner)
#include "tst_planner.moc"
