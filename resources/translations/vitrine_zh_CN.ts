<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AtlasWidget</name>
    <message>
        <source>Layers and heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1, all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1 · head %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · KV head %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AttentionView</name>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block maximum of %1 × %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log scale 1e-4 … 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear scale 0 … 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first token left out, not renormalised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows before %1: Q no longer kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer %1 · all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer %1 · Head %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax(QKᵀ/√d), prefill and decode rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 layers × %2 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a cell to see its numbers here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking the engine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available: Q of this row is no longer kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean of a over heads = %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one head has one score: choose a head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputed from the kept Q, K and log-sum-exp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query “%1” (%2) → key “%3” (%4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked: “%1” (%2) comes after “%3” (%4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (maximum of its %1 × %2 block)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file could not be written: %1. Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours on a logarithmic scale from 1e-4 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hide sink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the first token out of the map; its mass stays in the lane at the left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean over heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all layers and heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the whole sequence (0, or double click)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours and export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula with the numbers of the chosen cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention is not available for this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was recorded in an earlier start: attention is not available until it is recomputed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its keys are no longer in the cache. Choose the newest run, or regenerate this answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not available</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CandidateModel</name>
    <message>
        <source>cut by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen token, rank %1: not among the best %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” · id %2 · logit %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Catalogue</name>
    <message>
        <source>The model %1 is not installed. Get it with: packaging/run.sh --model %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file and no model of the catalogue called “%1”. Choose a GGUF file, or a name from the catalogue (Ctrl+M).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CatalogueDialog</name>
    <message>
        <source>Model catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not here yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Languages: %1. Licence: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From a terminal: packaging/run.sh --model %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download program could not be started: python3 is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpacking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download was stopped; what is here is kept for the next try.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatFile</name>
    <message>
        <source>The file is not valid JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is not a Vitrine chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat was written by a newer version of Vitrine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat has more turns than Vitrine can hold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn of the chat is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename (F2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>Deleted from here on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat could not be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s) above are no longer sent to the model</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>tokenizing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill · layer %1 of %2 · tokens %3–%4 of %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context full: all %1 tokens are used, and there is no older turn to drop. Shorten the message or open the model with a larger context (Settings).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context full: all %1 tokens are used. The answer ends here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Drop the %n oldest turn(s) and continue</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” · token %2 · position %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probability %1 % · rank %2 · entropy %3 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 after the token before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit and ask again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat could not be exported: %1. Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats (Ctrl+L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat (Ctrl+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt and sampling of this chat (Ctrl+Shift+S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s own, or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling and limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use for new chats too</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatStore</name>
    <message>
        <source>The file is larger than 256 MiB.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>■ Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another chat is being answered…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a message…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>editing an earlier message · Esc cancels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>⏎ send · ⇧⏎ new line · Esc stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DockTitle</name>
    <message>
        <source>Dock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Float</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide (View menu brings it back)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FormatText</name>
    <message>
        <source>0 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>n/a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt; %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt; %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Q, K, V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K, V store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>detokenize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>penalties %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-k %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>typical %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-p %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min-p %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>greedy (the most probable token)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time-out before the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatMapPlot</name>
    <message>
        <source>query (the token asking)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key (the token looked at)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heat map</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KvCacheView</name>
    <message>
        <source>over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growth over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growth of the KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a GGUF file from the menu, or drop one onto the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paged cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens per page · %2 pages × %3 layers · %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per layer and token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rounding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>derived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generated tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time since sent (s)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KvPageMap</name>
    <message>
        <source>KV cache pages by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page %1 of the sequence · layer %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>page id %1 · %n reference(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>positions %1–%2: %3 prompt, %4 reused, %5 generated</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LatencyPlot</name>
    <message>
        <source>generated token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gap before it (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency of each token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1: the first, it counts as TTFT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1: %2 ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LatencyView</name>
    <message>
        <source>Vitrine&apos;s definitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Definitions of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the time per token as another tool would print it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the time to the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the step was spent on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cold: the first run after the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>n/a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target ≤ %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target: %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the five parts sum to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>earlier runs, pooled: p50 %1 · p95 %2 · n = %3 gaps of %4 runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (%1 cold, recorded or aborted left out)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p99 from 100 gaps on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 within the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 above the range (▲)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E2E %1 = TTFT %2 + Σ gaps %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No token yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” · measured ops sum to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its op times were not observed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Opening %1 · %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat file(s) could not be read and are kept in %1: %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The chat could not be saved (%1). It is kept in memory: free some disk space, and it is saved with the next change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chats begin with this system prompt and sampling.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalogue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be opened. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vitrine did not end cleanly last time, so no model was opened by itself. Your chats are here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Catalogue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;List and search…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;System prompt and sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export as &amp;Markdown…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export as &amp;JSON…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop the &amp;oldest turns and continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;essage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete from here on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version &amp;before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version a&amp;fter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Underline tokens by probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Follow the newest token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark or light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language: English / 中文</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.gguf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context size and threads apply when a model is opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers, heads, KV heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width, head size, FFN width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 a token, pages of %3 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Opened in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Vitrine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;h3&gt;Vitrine %1&lt;/h3&gt;&lt;p&gt;A glass case for a language model at work: chat with it, and watch tokenize, prefill, decode and detokenize with figures measured on the run.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop the answer, or leave editing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>previous and next token, in the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryModel</name>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scratch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture (log-sum-exp, Q)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process (resident)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free on this system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryView</name>
    <message>
        <source>Memory by purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a GGUF file from the menu, or drop one onto the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time since sent (s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process %1 · free on this system %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NextTokenView</name>
    <message>
        <source>Candidates for the next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No token sampled yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The candidates appear with the first token, after the prefill.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after “%1” · entropy %2 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen: “%1” · rank %2 · raw p %3 · after sampling p %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other candidates of this token were not kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select All</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select All</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flattens (above 1) or sharpens (below 1) the distribution. 0 always takes the most probable token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the k most probable tokens. 0 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the most probable tokens that together reach p. 1 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cuts tokens less probable than this share of the best one. 0 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typical-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps tokens of typical information. 1 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes tokens that were used lately less probable. 1 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many tokens back the penalties look. 0 = off, −1 = the whole context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken once from the score of tokens in the window. 0 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken per use from the score of tokens in the window. 0 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed gives the same answer. Empty = a new one each time; it is kept with the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer ends after so many tokens. 0 = until the context is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer ends before one of these; separated by spaces, \n is a line end, \s a space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First-token time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the run when no token came within so many seconds. 0 = none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the run after so many seconds. 0 = none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine defaults</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionController</name>
    <message>
        <source>This answer was made by another model; open %1 to look at it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to 3 s is usual for long documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to first token (TTFT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>50 to 100 ms keeps up with reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time per output token (TPOT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context size (tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the last model at the start</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimelineStrip</name>
    <message>
        <source>Timeline scrubber</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one bar per token, height = latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill, layer %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt token %1 “%2”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1 “%2”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>%1 · %2 (derived)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One token back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One token forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the newest token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 Prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1 of %2 · tokens %3–%4 of %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3 Decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 Tokenize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4 Detokenize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1 “%2”: every view shows this moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>newest token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenFlow</name>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reused from an earlier turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokensView</name>
    <message>
        <source>ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the id of each piece</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 prompt + %2 generated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenized in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K and V reused from an earlier turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>raw p %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 after the one before</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>opening…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open one</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1/%2 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV %1 / %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT · target ≤ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target ≤ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model: open another, or look into the catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine part that computes, its instruction set, and how many threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in the context, and the memory of their keys and values. The pale part is your draft.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to first token: from sending to the first token of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time per output token: mean gap between the tokens of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language: English or Chinese</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark or light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptButtons</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit and ask again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the newest text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ViewBase</name>
    <message>
        <source>Tokenizing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The prompt is being split into tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a GGUF file from the menu, or drop one onto the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send a message: this view fills while the model answers.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ViewSpec</name>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Ask, and watch it answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your words become tokens, prefill fills the cache layer by layer, then one token after the other is decoded. Every figure is measured on this run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights are being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a GGUF file here, open one, or take one of the catalogue. Everything runs on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalogue…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
