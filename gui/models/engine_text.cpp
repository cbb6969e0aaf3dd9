#include "gui/models/engine_text.h"

#include <vector>

#include <QCoreApplication>
#include <QRegularExpression>

namespace vitrine::gui {
namespace {

// Sources: makeError and notices of engine/io, engine/model, engine/runtime, engine/text.
const char* const kSentences[] = {
    QT_TRANSLATE_NOOP("Engine",
                      "This file is in the safetensors format and the model's config.json is not "
                      "beside it; download the model's whole folder, or its GGUF version."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This file is a ZIP archive (PyTorch checkpoints are such archives), not a model that "
        "Vitrine reads; download the safetensors or the GGUF version of the model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is a Python pickle (an old PyTorch checkpoint), not a model that "
                      "Vitrine reads; download the safetensors or the GGUF version of the model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is an ONNX model, which Vitrine does not read; download the "
                      "safetensors or the GGUF version of the model."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1 of the model's %2 files are missing (%3); download them into the same folder."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is part %1 of a model split into %2 files, and its name must end "
                      "in %3 for the others to be found; rename it."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is an adapter (LoRA), not a model; open its base model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This folder holds an adapter (LoRA), not a model; open its base model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This folder holds an image model (diffusers), not a language model; choose "
                      "the folder of a language model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This folder holds a model in its maker's own format (params.json); take the "
                      "version with config.json and model.safetensors, or a GGUF."),
    QT_TRANSLATE_NOOP("Engine",
                      "This is a folder with GGUF files; choose one of them, for example %1."),
    QT_TRANSLATE_NOOP("Engine",
                      "This folder has no config.json, so it is not a Hugging Face model; choose a "
                      "model's folder, or a .gguf file."),
    QT_TRANSLATE_NOOP("Engine", "This folder's weights are in a GGUF file; open %1 in it."),
    QT_TRANSLATE_NOOP("Engine",
                      "This folder holds parts of a model without their list, "
                      "model.safetensors.index.json; download that file too."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The weights in this folder are in another format than safetensors (%1), which Vitrine "
        "does not read; take a version with model.safetensors, or a GGUF of the model."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This folder has a config.json and no weights; download model.safetensors into it."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This folder has no tokenizer.json and no tokenizer.model; download one of them into it."),
    QT_TRANSLATE_NOOP("Engine",
                      "The architecture %1 (model_type %2) is not supported; Vitrine runs %3."),
    QT_TRANSLATE_NOOP("Engine",
                      "The weights in this folder are quantised with %1, which Vitrine does not "
                      "read; take the original model, or a GGUF of it."),
    QT_TRANSLATE_NOOP("Engine",
                      "The tensor %1 is stored as %2, and Vitrine reads F32, F16 and BF16; take "
                      "the original model, or a GGUF of it."),
    QT_TRANSLATE_NOOP("Engine",
                      "The tensor %1 is missing from this folder; download the model again."),
    QT_TRANSLATE_NOOP("Engine",
                      "The folder's tensor %1 has no place in a %2 model as Vitrine runs it; "
                      "choose another model, or a GGUF of this one."),
    QT_TRANSLATE_NOOP("Engine",
                      "The key \"%1\" of config.json %2; the file is damaged, download it again."),
    QT_TRANSLATE_NOOP("Engine", "The file %1 is not valid JSON; download it again."),
    QT_TRANSLATE_NOOP("Engine",
                      "%1: This safetensors file is incomplete: %2 bytes of %3 are missing; the "
                      "download did not finish, download it again."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1: The header of this safetensors file is damaged (%2): download the file again."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file holds a vocabulary and no weights; choose the model's own file."),
    QT_TRANSLATE_NOOP("Engine", "This file is empty; download the model again."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is a web page that was saved instead of the model; use the page's "
                      "download link, signing in if the model asks for it."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This file begins with zeros only: its download did not finish; download the model again."),
    QT_TRANSLATE_NOOP("Engine", "This file is a text file, not a GGUF model; choose a .gguf file."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This file is not a GGUF model (it begins with the bytes %1); choose a .gguf file."),
    QT_TRANSLATE_NOOP(
        "Engine", "This GGUF file is big-endian; download the little-endian version of the model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is in GGUF version 1, which is no longer in use; download a newer "
                      "version of the model."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is in GGUF version %1, and this program reads versions 2 and 3; "
                      "download another version of the model, or a newer version of this program."),
    QT_TRANSLATE_NOOP("Engine",
                      "The tensor %1 is stored as %2, which this program cannot read; download the "
                      "model in another quantisation, for example Q4_K_M or Q8_0."),
    QT_TRANSLATE_NOOP("Engine",
                      "Its weights are stored as %1, which this program cannot read; download the "
                      "model in another quantisation, for example Q4_K_M or Q8_0."),
    QT_TRANSLATE_NOOP("Engine",
                      "Of the %1 parts of this model these are missing: %2; put them beside the "
                      "others."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file is incomplete: %1 of %2 are missing; the download did not finish, "
                      "download it again."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file ends in the middle of its header (%1 bytes are there, it breaks "
                      "off in %2): the download is incomplete, download it again."),
    QT_TRANSLATE_NOOP("Engine",
                      "This file's header announces %1 %2 in %3, more than the %4 bytes after it "
                      "can hold: the download is incomplete or damaged, download the model again."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This file's header is damaged (%1, in %2, before byte %3): download the model again."),
    QT_TRANSLATE_NOOP("Engine",
                      "There is not enough memory to read the model's metadata; close other "
                      "programs and try again."),
    QT_TRANSLATE_NOOP("Engine", "Opening %1 failed: %2."),
    QT_TRANSLATE_NOOP("Engine", "Cannot open %1: %2."),
    QT_TRANSLATE_NOOP("Engine", "Reading %1 failed: %2."),
    QT_TRANSLATE_NOOP("Engine",
                      "The file %1 became shorter while it was read; check that the download is "
                      "complete and open it again."),
    QT_TRANSLATE_NOOP(
        "Engine", "The model file's key \"%1\" %2; the file is damaged or was converted wrongly."),
    QT_TRANSLATE_NOOP("Engine",
                      "This model scales RoPE by \"%1\", which Vitrine does not do yet; choose a "
                      "model without it."),
    QT_TRANSLATE_NOOP("Engine",
                      "The file does not say which architecture it holds (key "
                      "\"general.architecture\"), so it is not a language model."),
    QT_TRANSLATE_NOOP("Engine", "The architecture \"%1\" is not supported; Vitrine runs %2."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This model's keys and values have different lengths, which Vitrine does not do yet."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This model is a mixture of experts of the architecture \"%1\", which Vitrine "
        "runs only without experts."),
    QT_TRANSLATE_NOOP("Engine",
                      "This mixture of experts has shared experts, which Vitrine does not do yet."),
    QT_TRANSLATE_NOOP("Engine",
                      "This mixture of experts chooses by another function than softmax (key "
                      "\"expert_gating_func\"), which Vitrine does not do yet."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "This model's \"%1\" differs from layer to layer, which Vitrine does not do yet."),
    QT_TRANSLATE_NOOP("Engine",
                      "The file holds the tensor \"%1\", which Vitrine's \"%2\" does not use; this "
                      "variant of the architecture is not supported."),
    QT_TRANSLATE_NOOP("Engine",
                      "The tensor \"token_embd.weight\" is missing or has an impossible size; the "
                      "file is damaged or holds no language model."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The tensor \"%1\" is %2 where %3 is due; the file is damaged or not for this program."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The tensor \"%1\" is missing; the file is incomplete or of another architecture."),
    QT_TRANSLATE_NOOP("Engine", "Loading was stopped."),
    QT_TRANSLATE_NOOP("Engine",
                      "There is not enough memory for the weights (at \"%1\"); close other "
                      "programs or choose a smaller model."),
    QT_TRANSLATE_NOOP("Engine", "There is not enough memory for the weights."),
    QT_TRANSLATE_NOOP(
        "Engine", "A RoPE factor of the model file is not a positive number; the file is damaged."),
    QT_TRANSLATE_NOOP("Engine",
                      "This model's LongRoPE needs the tensors \"rope_factors_short.weight\" and "
                      "\"rope_factors_long.weight\", and the file lacks them; convert it again."),
    QT_TRANSLATE_NOOP("Engine",
                      "At %1 tokens this model changes its position factors (LongRoPE), so the "
                      "whole context is evaluated again; the next token takes that long."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The tokenizer has more tokens than the embedding has rows; the file is damaged."),
    QT_TRANSLATE_NOOP("Engine", "There is no such layer or head."),
    QT_TRANSLATE_NOOP("Engine", "No token of this range is in the cache."),
    QT_TRANSLATE_NOOP("Engine", "The asked range is too large for one picture."),
    QT_TRANSLATE_NOOP("Engine",
                      "The queries of these rows were dropped to keep within the memory budget."),
    QT_TRANSLATE_NOOP("Engine", "No token is in the cache."),
    QT_TRANSLATE_NOOP("Engine", "There is not enough memory; close other programs."),
    QT_TRANSLATE_NOOP("Engine", "The engine stopped: %1"),
    QT_TRANSLATE_NOOP("Engine", "Stopped."),
    QT_TRANSLATE_NOOP("Engine", "There is not enough memory to load this model."),
    QT_TRANSLATE_NOOP("Engine", "Another replay was asked for."),
    QT_TRANSLATE_NOOP("Engine", "No model is loaded; open one first."),
    QT_TRANSLATE_NOOP("Engine",
                      "There is not enough memory for the activations; close other programs."),
    QT_TRANSLATE_NOOP("Engine", "There is not enough memory for the position table."),
    QT_TRANSLATE_NOOP(
        "Engine", "There is no room for the KV cache of this context; choose a smaller context."),
    QT_TRANSLATE_NOOP("Engine",
                      "There is not enough memory for the KV cache to grow further; close other "
                      "programs, start a new chat or choose a smaller context."),
    QT_TRANSLATE_NOOP("Engine", "There is not enough memory for the capture."),
    QT_TRANSLATE_NOOP("Engine", "the model was trained for %1 tokens"),
    QT_TRANSLATE_NOOP("Engine", "free memory (%1) holds no more"),
    QT_TRANSLATE_NOOP("Engine",
                      "The model produced no finite numbers, so no token can be chosen; the file "
                      "may be damaged, or load it again with exact arithmetic."),
    QT_TRANSLATE_NOOP("Engine", "There is not enough memory to choose a token."),
    QT_TRANSLATE_NOOP("Engine", "The backend \"%1\" lacks an operation that this model needs."),
    QT_TRANSLATE_NOOP("Engine",
                      "This model needs about %1 and %2 are free; close other programs or choose a "
                      "smaller model."),
    QT_TRANSLATE_NOOP("Engine", "The prompt is empty; type something first."),
    QT_TRANSLATE_NOOP("Engine",
                      "The prompt has %1 tokens and the context holds %2; shorten it, drop old "
                      "turns or choose a larger context."),
    QT_TRANSLATE_NOOP("Engine", "The context of %1 tokens is full."),
    QT_TRANSLATE_NOOP("Engine",
                      "The model file does not say how its text is split (tokenizer.ggml.pre is "
                      "missing); convert the model again with a current converter."),
    QT_TRANSLATE_NOOP("Engine",
                      "The pre-tokenizer \"%1\" is not known; choose a model with smollm, gpt-2, "
                      "llama-bpe or qwen2."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The model brings no chat template; the conversation is written in a plain form."),
    QT_TRANSLATE_NOOP("Engine",
                      "The model's chat template cannot be read (%1); the conversation is written "
                      "in a plain form."),
    QT_TRANSLATE_NOOP("Engine", "The model's chat template cannot write this conversation: %1"),
    QT_TRANSLATE_NOOP("Engine",
                      "The SentencePiece vocabulary cannot be used (%1); download the file again."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "There is not enough memory for the vocabulary; close other programs and try again."),
    QT_TRANSLATE_NOOP("Engine",
                      "The model file has no vocabulary (tokenizer.ggml.model is missing); choose "
                      "a file that was converted with its tokenizer."),
    QT_TRANSLATE_NOOP("Engine",
                      "The vocabulary kind \"%1\" is not known; choose a model with a byte-level "
                      "BPE (gpt2) or SentencePiece (llama) vocabulary."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The model file's vocabulary is damaged: %1; download or convert the model again."),
    QT_TRANSLATE_NOOP("Engine",
                      "These numbers give more bytes than can be counted in 64 bits; check the "
                      "configuration and the context."),
    QT_TRANSLATE_NOOP("Engine", "a configuration alone holds no weights"),
    QT_TRANSLATE_NOOP(
        "Engine", "The configuration does not say \"%1\", so this model cannot be planned for."),
    QT_TRANSLATE_NOOP("Engine", "%1 cannot be read; check the path."),
};

struct Sentence {
    const char* source;
    QRegularExpression pattern;
};

const std::vector<Sentence>& sentences() {
    static const std::vector<Sentence> all = [] {
        std::vector<Sentence> made;
        static const QRegularExpression place(QStringLiteral("\\\\%([0-9])"));
        for (const char* source : kSentences) {
            QString pattern = QRegularExpression::escape(QString::fromUtf8(source));
            pattern.replace(place, QStringLiteral("(?<p\\1>.*?)"));
            made.push_back(
                {source, QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                                            QRegularExpression::DotMatchesEverythingOption)});
        }
        return made;
    }();
    return all;
}

}  // namespace

QString engineText(const std::string& message) {
    return engineText(QString::fromUtf8(message.data(), static_cast<qsizetype>(message.size())));
}

QString engineText(const QString& message) {
    constexpr qsizetype kMaxMessage = 4000;
    if (message.size() > kMaxMessage) return message;
    for (const Sentence& sentence : sentences()) {
        const QRegularExpressionMatch match = sentence.pattern.match(message);
        if (!match.hasMatch()) continue;
        QString text = QCoreApplication::translate("Engine", sentence.source);
        for (int i = match.lastCapturedIndex(); i > 0; --i)
            text.replace(QStringLiteral("%%1").arg(i),
                         match.captured(QStringLiteral("p%1").arg(i)));
        return text;
    }
    return message;
}

}  // namespace vitrine::gui
