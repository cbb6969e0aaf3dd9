<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AnswerLine</name>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>TTFT %1</source>
        <translation>TTFT %1</translation>
    </message>
    <message>
        <source>prefill %1 tok at %2</source>
        <translation>预填充 %1 词元，%2</translation>
    </message>
    <message>
        <source>%1 tok from the cache</source>
        <translation>%1 词元来自缓存</translation>
    </message>
    <message>
        <source>decode %1 tok at %2</source>
        <translation>解码 %1 词元，%2</translation>
    </message>
    <message>
        <source>decode %1 tok</source>
        <translation>解码 %1 词元</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>repeat %1 over %2</source>
        <translation>重复惩罚 %1，窗口 %2</translation>
    </message>
    <message>
        <source>presence %1</source>
        <translation>存在惩罚 %1</translation>
    </message>
    <message>
        <source>frequency %1</source>
        <translation>频率惩罚 %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>interrupted: Vitrine ended during the answer</source>
        <translation>已中断：回答期间 Vitrine 退出</translation>
    </message>
</context>
<context>
    <name>AtlasWidget</name>
    <message>
        <source>Layers and heads</source>
        <translation>层与头</translation>
    </message>
    <message>
        <source>layer %1, all heads</source>
        <translation>第 %1 层，所有头</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，第 %2 头</translation>
    </message>
    <message>
        <source>layer %1 · head %2</source>
        <translation>第 %1 层 · 第 %2 头</translation>
    </message>
    <message>
        <source> · KV head %1</source>
        <translation> · KV 头 %1</translation>
    </message>
</context>
<context>
    <name>AttentionView</name>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>各头平均</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>第 %1 头</translation>
    </message>
    <message>
        <source>softmax probabilities</source>
        <translation>softmax 概率</translation>
    </message>
    <message>
        <source>block maximum of %1 × %2 tokens</source>
        <translation>%1 × %2 词元块最大值</translation>
    </message>
    <message>
        <source>log scale 1e-4 … 1</source>
        <translation>对数刻度 1e-4 … 1</translation>
    </message>
    <message>
        <source>linear scale 0 … 1</source>
        <translation>线性刻度 0 … 1</translation>
    </message>
    <message>
        <source>first token left out, not renormalised</source>
        <translation>已略去首个词元，未重新归一化</translation>
    </message>
    <message>
        <source>rows before %1: Q no longer kept</source>
        <translation>第 %1 行之前：Q 已不再保留</translation>
    </message>
    <message>
        <source>Layer %1 · all heads</source>
        <translation>第 %1 层 · 所有头</translation>
    </message>
    <message>
        <source>Layer %1 · Head %2</source>
        <translation>第 %1 层 · 第 %2 头</translation>
    </message>
    <message>
        <source>softmax(QKᵀ/√d), prefill and decode rows</source>
        <translation>softmax(QKᵀ/√d)，预填充行与解码行</translation>
    </message>
    <message>
        <source>block maximum</source>
        <translation>块最大值</translation>
    </message>
    <message>
        <source>first %1 tokens</source>
        <translation>前 %1 个词元</translation>
    </message>
    <message>
        <source>%1 layers × %2 heads</source>
        <translation>%1 层 × %2 头</translation>
    </message>
    <message>
        <source>Click a cell to see its numbers here.</source>
        <translation>点击一个单元格，在此查看其数值。</translation>
    </message>
    <message>
        <source>asking the engine…</source>
        <translation>正在询问引擎…</translation>
    </message>
    <message>
        <source>not available: Q of this row is no longer kept</source>
        <translation>不可用：这一行的 Q 已不再保留</translation>
    </message>
    <message>
        <source>mean of a over heads = %1</source>
        <translation>a 在各头上的平均 = %1</translation>
    </message>
    <message>
        <source>one head has one score: choose a head</source>
        <translation>分数属于单个头：请选择一个头</translation>
    </message>
    <message>
        <source>query “%1” (%2) → key “%3” (%4)</source>
        <translation>查询“%1”(%2) → 键“%3”(%4)</translation>
    </message>
    <message>
        <source>masked: “%1” (%2) comes after “%3” (%4)</source>
        <translation>已遮蔽：“%1”(%2) 在“%3”(%4) 之后</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source> (maximum of its %1 × %2 block)</source>
        <translation>（所在 %1 × %2 块的最大值）</translation>
    </message>
    <message>
        <source>Export attention</source>
        <translation>导出注意力</translation>
    </message>
    <message>
        <source>The file could not be written: %1. Choose another folder.</source>
        <translation>无法写入文件：%1。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>log colour</source>
        <translation>对数配色</translation>
    </message>
    <message>
        <source>Colours on a logarithmic scale from 1e-4 to 1</source>
        <translation>颜色采用 1e-4 到 1 的对数刻度</translation>
    </message>
    <message>
        <source>hide sink</source>
        <translation>隐藏汇点</translation>
    </message>
    <message>
        <source>Leave the first token out of the map; its mass stays in the lane at the left</source>
        <translation>图中略去首个词元；它的占比保留在左侧窄列中</translation>
    </message>
    <message>
        <source>Mean over heads</source>
        <translation>各头平均</translation>
    </message>
    <message>
        <source>Show all layers and heads</source>
        <translation>显示所有层与头</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Show the whole sequence (0, or double click)</source>
        <translation>显示整个序列（按 0 或双击）</translation>
    </message>
    <message>
        <source>Colours and export</source>
        <translation>配色与导出</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Formula with the numbers of the chosen cell</source>
        <translation>公式与所选单元格的数值</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>已重新计算</translation>
    </message>
    <message>
        <source>first token holds %1 on average</source>
        <translation>首个词元平均占 %1</translation>
    </message>
    <message>
        <source>Recomputed by the engine from the kept Q, K and log-sum-exp (lse)</source>
        <translation>由引擎根据保留的 Q、K 和 log-sum-exp (lse) 重新计算</translation>
    </message>
    <message>
        <source>Recomputing attention…</source>
        <translation>正在重新计算注意力…</translation>
    </message>
    <message>
        <source>The model reads the tokens of this run again.</source>
        <translation>模型正在重新读取这次运行的词元。</translation>
    </message>
    <message>
        <source>Attention is not available until it is recomputed</source>
        <translation>注意力需要重新计算后才能查看</translation>
    </message>
    <message>
        <source>This run was recorded in an earlier start. To see its attention, the model has to read its tokens again.</source>
        <translation>这次运行记录于上一次启动。要查看注意力，模型需要重新读取它的词元。</translation>
    </message>
    <message>
        <source>The keys of this run are no longer in the cache. To see its attention, the model has to read its tokens again.</source>
        <translation>这次运行的键已不在缓存中。要查看注意力，模型需要重新读取它的词元。</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>window of %1 tokens</source>
        <translation>%1 个词元的窗口</translation>
    </message>
    <message>
        <source>scores capped at ±%1</source>
        <translation>分数上限为 ±%1</translation>
    </message>
    <message>
        <source>outside the window: this layer sees the last %1 tokens</source>
        <translation>在窗口之外：此层只看最近 %1 个词元</translation>
    </message>
    <message>
        <source>outside the window of %1 tokens</source>
        <translation>在 %1 个词元的窗口之外</translation>
    </message>
</context>
<context>
    <name>CandidateModel</name>
    <message>
        <source>cut by %1</source>
        <translation>被 %1 剔除</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>The chosen token, rank %1: not among the best %2</source>
        <translation>选中的词元，排名 %1：不在前 %2 名之内</translation>
    </message>
    <message>
        <source>“%1” · id %2 · logit %3</source>
        <translation>“%1” · 编号 %2 · logit %3</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Probability by the model: softmax of the raw logits</source>
        <translation>模型给出的概率：原始 logit 的 softmax</translation>
    </message>
    <message>
        <source>Probability after the whole sampler chain: what the draw used</source>
        <translation>经过整条采样链之后的概率：实际抽样所用</translation>
    </message>
    <message>
        <source>Sampled</source>
        <translation>采样后</translation>
    </message>
</context>
<context>
    <name>Catalogue</name>
    <message>
        <source>The model %1 is not installed. Get it with: packaging/run.sh --model %1</source>
        <translation>模型 %1 尚未安装。获取方法：packaging/run.sh --model %1</translation>
    </message>
    <message>
        <source>There is no file and no model of the catalogue called “%1”. Choose a GGUF file, or a name from the catalogue (Ctrl+M).</source>
        <translation>没有名为“%1”的文件，目录中也没有这个模型。请选择一个 GGUF 文件，或从模型目录中选择 (Ctrl+M)。</translation>
    </message>
</context>
<context>
    <name>CatalogueDialog</name>
    <message>
        <source>Model catalogue</source>
        <translation>模型目录</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>not here yet</source>
        <translation>尚未下载</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>Languages: %1. Licence: %2.</source>
        <translation>语言：%1。许可证：%2。</translation>
    </message>
    <message>
        <source>From a terminal: packaging/run.sh --model %1</source>
        <translation>在终端中：packaging/run.sh --model %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>The download program could not be started: python3 is missing.</source>
        <translation>无法启动下载程序：缺少 python3。</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在校验</translation>
    </message>
    <message>
        <source>Unpacking</source>
        <translation>正在解包</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2 / %3</translation>
    </message>
    <message>
        <source>The download was stopped; what is here is kept for the next try.</source>
        <translation>下载已停止；已下载的部分会保留到下次。</translation>
    </message>
    <message>
        <source>I have read and accept the terms: %1</source>
        <translation>我已阅读并接受条款：%1</translation>
    </message>
</context>
<context>
    <name>ChatExport</name>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>dropped from the context</source>
        <translation>已移出上下文</translation>
    </message>
</context>
<context>
    <name>ChatFile</name>
    <message>
        <source>The file is not valid JSON.</source>
        <translation>文件不是有效的 JSON。</translation>
    </message>
    <message>
        <source>The file is not a Vitrine chat.</source>
        <translation>文件不是 Vitrine 对话。</translation>
    </message>
    <message>
        <source>The chat was written by a newer version of Vitrine.</source>
        <translation>此对话由更新版本的 Vitrine 写入。</translation>
    </message>
    <message>
        <source>The chat has more turns than Vitrine can hold.</source>
        <translation>对话的轮数超出 Vitrine 的上限。</translation>
    </message>
    <message>
        <source>A turn of the chat is damaged.</source>
        <translation>对话中有一轮已损坏。</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Rename (F2)</source>
        <translation>重命名 (F2)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>Deleted from here on.</source>
        <translation>已删除此处及之后的内容。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>The chat could not be read: %1</source>
        <translation>无法读取对话：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s) above are no longer sent to the model</source>
        <translation>
            <numerusform>上方 %n 条消息不再发送给模型</numerusform>
        </translation>
    </message>
    <message>
        <source>tokenizing…</source>
        <translation>正在分词…</translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>prefill…</source>
        <translation>预填充…</translation>
    </message>
    <message>
        <source>prefill · layer %1 of %2 · tokens %3–%4 of %5</source>
        <translation>预填充 · 第 %1 / %2 层 · 词元 %3–%4 / %5</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Context full: all %1 tokens are used, and there is no older turn to drop. Shorten the message or open the model with a larger context (Settings).</source>
        <translation>上下文已满：%1 个词元全部用完，也没有更早的消息可以舍弃。请缩短消息，或在设置中加大上下文后重新打开模型。</translation>
    </message>
    <message>
        <source>Context full: all %1 tokens are used. The answer ends here.</source>
        <translation>上下文已满：%1 个词元全部用完，回答到此为止。</translation>
    </message>
    <message numerus="yes">
        <source>Drop the %n oldest turn(s) and continue</source>
        <translation>
            <numerusform>舍弃最早的 %n 条消息并继续</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” · token %2 · position %3</source>
        <translation>“%1” · 词元 %2 · 位置 %3</translation>
    </message>
    <message>
        <source>probability %1 % · rank %2 · entropy %3 bits</source>
        <translation>概率 %1 % · 排名 %2 · 熵 %3 比特</translation>
    </message>
    <message>
        <source>%1 after the token before</source>
        <translation>距前一个词元 %1</translation>
    </message>
    <message>
        <source>Copy selection</source>
        <translation>复制所选内容</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Edit and ask again</source>
        <translation>编辑并重新提问</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Version before</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Version after</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>删除此处及之后的内容</translation>
    </message>
    <message>
        <source>“%1” was deleted.</source>
        <translation>“%1”已删除。</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown 文件 (*.md)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>已导出到 %1</translation>
    </message>
    <message>
        <source>The chat could not be exported: %1. Choose another folder.</source>
        <translation>无法导出对话：%1。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Chats (Ctrl+L)</source>
        <translation>对话列表 (Ctrl+L)</translation>
    </message>
    <message>
        <source>New chat (Ctrl+N)</source>
        <translation>新对话 (Ctrl+N)</translation>
    </message>
    <message>
        <source>System prompt and sampling of this chat (Ctrl+Shift+S)</source>
        <translation>此对话的系统提示与采样 (Ctrl+Shift+S)</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>The model&apos;s own, or none</source>
        <translation>使用模型自带的，或不设</translation>
    </message>
    <message>
        <source>Sampling and limits</source>
        <translation>采样与限制</translation>
    </message>
    <message>
        <source>Use for new chats too</source>
        <translation>也用于新对话</translation>
    </message>
</context>
<context>
    <name>ChatStore</name>
    <message>
        <source>The file is larger than 256 MiB.</source>
        <translation>文件超过 256 MiB。</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>■ Stop</source>
        <translation>■ 停止</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Open a model to chat…</source>
        <translation>打开模型后即可对话…</translation>
    </message>
    <message>
        <source>Another chat is being answered…</source>
        <translation>正在回答另一个对话…</translation>
    </message>
    <message>
        <source>Type a message…</source>
        <translation>输入消息…</translation>
    </message>
    <message>
        <source>editing an earlier message · Esc cancels</source>
        <translation>正在编辑之前的消息 · Esc 取消</translation>
    </message>
    <message>
        <source>⏎ send · ⇧⏎ new line · Esc stop</source>
        <translation>⏎ 发送 · ⇧⏎ 换行 · Esc 停止</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Preview prompt (Ctrl+Shift+P)</source>
        <translation>预览提示词 (Ctrl+Shift+P)</translation>
    </message>
</context>
<context>
    <name>ContextField</name>
    <message>
        <source>Context, in powers of two</source>
        <translation>上下文，按 2 的幂</translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation>上下文词元数</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>DockTitle</name>
    <message>
        <source>Dock</source>
        <translation>停靠</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
    <message>
        <source>Hide (View menu brings it back)</source>
        <translation>隐藏（可从“视图”菜单恢复）</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>These numbers give more bytes than can be counted in 64 bits; check the configuration and the context.</source>
        <translation>这些数值得出的字节数超出 64 位；请检查配置和上下文。</translation>
    </message>
    <message>
        <source>a configuration alone holds no weights</source>
        <translation>仅有配置，不含权重</translation>
    </message>
    <message>
        <source>The configuration does not say &quot;%1&quot;, so this model cannot be planned for.</source>
        <translation>配置中没有“%1”，因此无法为此模型做规划。</translation>
    </message>
    <message>
        <source>%1 cannot be read; check the path.</source>
        <translation>无法读取 %1；请检查路径。</translation>
    </message>
    <message>
        <source>This file is in the safetensors format and the model&apos;s config.json is not beside it; download the model&apos;s whole folder, or its GGUF version.</source>
        <translation>文件是 safetensors 格式，但旁边没有模型的 config.json；请下载模型的整个文件夹，或其 GGUF 版本。</translation>
    </message>
    <message>
        <source>This file is a ZIP archive (PyTorch checkpoints are such archives), not a model that Vitrine reads; download the safetensors or the GGUF version of the model.</source>
        <translation>文件是 ZIP 压缩包（PyTorch 检查点就是这种格式），Vitrine 无法读取；请下载该模型的 safetensors 或 GGUF 版本。</translation>
    </message>
    <message>
        <source>This file is a Python pickle (an old PyTorch checkpoint), not a model that Vitrine reads; download the safetensors or the GGUF version of the model.</source>
        <translation>文件是 Python pickle（旧的 PyTorch 检查点），Vitrine 无法读取；请下载该模型的 safetensors 或 GGUF 版本。</translation>
    </message>
    <message>
        <source>This file is an ONNX model, which Vitrine does not read; download the safetensors or the GGUF version of the model.</source>
        <translation>文件是 ONNX 模型，Vitrine 无法读取；请下载该模型的 safetensors 或 GGUF 版本。</translation>
    </message>
    <message>
        <source>%1 of the model&apos;s %2 files are missing (%3); download them into the same folder.</source>
        <translation>模型的 %2 个文件中缺少 %1 个（%3）；请将其下载到同一文件夹。</translation>
    </message>
    <message>
        <source>This file is part %1 of a model split into %2 files, and its name must end in %3 for the others to be found; rename it.</source>
        <translation>文件是拆分为 %2 个文件的模型的第 %1 部分，文件名须以 %3 结尾才能找到其余部分；请重命名。</translation>
    </message>
    <message>
        <source>This file is an adapter (LoRA), not a model; open its base model.</source>
        <translation>文件是适配器（LoRA），不是模型；请打开其基础模型。</translation>
    </message>
    <message>
        <source>This folder holds an adapter (LoRA), not a model; open its base model.</source>
        <translation>文件夹中是适配器（LoRA），不是模型；请打开其基础模型。</translation>
    </message>
    <message>
        <source>This folder holds an image model (diffusers), not a language model; choose the folder of a language model.</source>
        <translation>文件夹中是图像模型（diffusers），不是语言模型；请选择语言模型的文件夹。</translation>
    </message>
    <message>
        <source>This folder holds a model in its maker&apos;s own format (params.json); take the version with config.json and model.safetensors, or a GGUF.</source>
        <translation>文件夹中的模型是其作者自己的格式（params.json）；请使用带有 config.json 和 model.safetensors 的版本，或 GGUF。</translation>
    </message>
    <message>
        <source>This is a folder with GGUF files; choose one of them, for example %1.</source>
        <translation>这是包含 GGUF 文件的文件夹；请选择其中一个，例如 %1。</translation>
    </message>
    <message>
        <source>This folder has no config.json, so it is not a Hugging Face model; choose a model&apos;s folder, or a .gguf file.</source>
        <translation>文件夹中没有 config.json，因此不是 Hugging Face 模型；请选择模型的文件夹或 .gguf 文件。</translation>
    </message>
    <message>
        <source>This folder&apos;s weights are in a GGUF file; open %1 in it.</source>
        <translation>文件夹中的权重在 GGUF 文件里；请打开其中的 %1。</translation>
    </message>
    <message>
        <source>This folder holds parts of a model without their list, model.safetensors.index.json; download that file too.</source>
        <translation>文件夹中有模型的各部分，但缺少其清单 model.safetensors.index.json；请一并下载该文件。</translation>
    </message>
    <message>
        <source>The weights in this folder are in another format than safetensors (%1), which Vitrine does not read; take a version with model.safetensors, or a GGUF of the model.</source>
        <translation>文件夹中的权重不是 safetensors 格式（%1），Vitrine 无法读取；请使用带有 model.safetensors 的版本，或该模型的 GGUF。</translation>
    </message>
    <message>
        <source>This folder has a config.json and no weights; download model.safetensors into it.</source>
        <translation>文件夹中有 config.json 但没有权重；请将 model.safetensors 下载到其中。</translation>
    </message>
    <message>
        <source>This folder has no tokenizer.json and no tokenizer.model; download one of them into it.</source>
        <translation>文件夹中既没有 tokenizer.json 也没有 tokenizer.model；请将其中一个下载到该文件夹。</translation>
    </message>
    <message>
        <source>The architecture %1 (model_type %2) is not supported; Vitrine runs %3.</source>
        <translation>不支持架构 %1（model_type %2）；Vitrine 可运行 %3。</translation>
    </message>
    <message>
        <source>The weights in this folder are quantised with %1, which Vitrine does not read; take the original model, or a GGUF of it.</source>
        <translation>文件夹中的权重以 %1 量化，Vitrine 无法读取；请使用原始模型或其 GGUF。</translation>
    </message>
    <message>
        <source>The tensor %1 is stored as %2, and Vitrine reads F32, F16 and BF16; take the original model, or a GGUF of it.</source>
        <translation>张量 %1 以 %2 存储，而 Vitrine 读取 F32、F16 和 BF16；请使用原始模型或其 GGUF。</translation>
    </message>
    <message>
        <source>The tensor %1 is missing from this folder; download the model again.</source>
        <translation>文件夹中缺少张量 %1；请重新下载模型。</translation>
    </message>
    <message>
        <source>The folder&apos;s tensor %1 has no place in a %2 model as Vitrine runs it; choose another model, or a GGUF of this one.</source>
        <translation>文件夹中的张量 %1 不属于 Vitrine 所运行的 %2 模型；请选择其他模型，或该模型的 GGUF。</translation>
    </message>
    <message>
        <source>The key &quot;%1&quot; of config.json %2; the file is damaged, download it again.</source>
        <translation>config.json 的键 &quot;%1&quot; 有误（%2）；文件已损坏，请重新下载。</translation>
    </message>
    <message>
        <source>The file %1 is not valid JSON; download it again.</source>
        <translation>文件 %1 不是有效的 JSON；请重新下载。</translation>
    </message>
    <message>
        <source>%1: This safetensors file is incomplete: %2 bytes of %3 are missing; the download did not finish, download it again.</source>
        <translation>%1：safetensors 文件不完整：%3 字节中缺少 %2 字节；下载未完成，请重新下载。</translation>
    </message>
    <message>
        <source>%1: The header of this safetensors file is damaged (%2): download the file again.</source>
        <translation>%1：safetensors 文件的头部已损坏（%2）：请重新下载该文件。</translation>
    </message>
    <message>
        <source>This file holds a vocabulary and no weights; choose the model&apos;s own file.</source>
        <translation>文件只有词表而没有权重；请选择模型本身的文件。</translation>
    </message>
    <message>
        <source>This file is empty; download the model again.</source>
        <translation>文件是空的；请重新下载模型。</translation>
    </message>
    <message>
        <source>This file is a web page that was saved instead of the model; use the page&apos;s download link, signing in if the model asks for it.</source>
        <translation>文件是被保存下来的网页，而不是模型；请使用网页上的下载链接，如模型要求请先登录。</translation>
    </message>
    <message>
        <source>This file begins with zeros only: its download did not finish; download the model again.</source>
        <translation>文件开头全是零：下载没有完成；请重新下载模型。</translation>
    </message>
    <message>
        <source>This file is a text file, not a GGUF model; choose a .gguf file.</source>
        <translation>这是文本文件，不是 GGUF 模型；请选择 .gguf 文件。</translation>
    </message>
    <message>
        <source>This file is not a GGUF model (it begins with the bytes %1); choose a .gguf file.</source>
        <translation>文件不是 GGUF 模型（开头字节为 %1）；请选择 .gguf 文件。</translation>
    </message>
    <message>
        <source>This GGUF file is big-endian; download the little-endian version of the model.</source>
        <translation>此 GGUF 文件为大端序；请下载小端序版本。</translation>
    </message>
    <message>
        <source>This file is in GGUF version 1, which is no longer in use; download a newer version of the model.</source>
        <translation>文件为已停用的 GGUF 第 1 版；请下载较新的模型版本。</translation>
    </message>
    <message>
        <source>This file is in GGUF version %1, and this program reads versions 2 and 3; download another version of the model, or a newer version of this program.</source>
        <translation>文件为 GGUF 第 %1 版，本程序只读取第 2、3 版；请下载其他版本的模型，或更新本程序。</translation>
    </message>
    <message>
        <source>The tensor %1 is stored as %2, which this program cannot read; download the model in another quantisation, for example Q4_K_M or Q8_0.</source>
        <translation>张量 %1 以 %2 存储，本程序无法读取；请下载其他量化版本，例如 Q4_K_M 或 Q8_0。</translation>
    </message>
    <message>
        <source>This file is incomplete: %1 of %2 are missing; the download did not finish, download it again.</source>
        <translation>文件不完整：共 %2，缺少 %1；下载没有完成，请重新下载。</translation>
    </message>
    <message>
        <source>This file ends in the middle of its header (%1 bytes are there, it breaks off in %2): the download is incomplete, download it again.</source>
        <translation>文件在文件头中间结束（只有 %1 字节，断在 %2）：下载不完整，请重新下载。</translation>
    </message>
    <message>
        <source>This file&apos;s header announces %1 %2 in %3, more than the %4 bytes after it can hold: the download is incomplete or damaged, download the model again.</source>
        <translation>文件头在 %3 中声明了 %1 个 %2，超出其后 %4 字节所能容纳：下载不完整或已损坏，请重新下载模型。</translation>
    </message>
    <message>
        <source>This file&apos;s header is damaged (%1, in %2, before byte %3): download the model again.</source>
        <translation>文件头已损坏（%1，位于 %2，字节 %3 之前）：请重新下载模型。</translation>
    </message>
    <message>
        <source>There is not enough memory to read the model&apos;s metadata; close other programs and try again.</source>
        <translation>内存不足，无法读取模型元数据；请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>Opening %1 failed: %2.</source>
        <translation>打开 %1 失败：%2。</translation>
    </message>
    <message>
        <source>Cannot open %1: %2.</source>
        <translation>无法打开 %1：%2。</translation>
    </message>
    <message>
        <source>Reading %1 failed: %2.</source>
        <translation>读取 %1 失败：%2。</translation>
    </message>
    <message>
        <source>The file %1 became shorter while it was read; check that the download is complete and open it again.</source>
        <translation>读取时文件 %1 变短了；请确认下载已完成，然后重新打开。</translation>
    </message>
    <message>
        <source>The model file&apos;s key &quot;%1&quot; %2; the file is damaged or was converted wrongly.</source>
        <translation>模型文件的键“%1”有误（%2）；文件已损坏或转换有误。</translation>
    </message>
    <message>
        <source>This model scales RoPE by &quot;%1&quot;, which Vitrine does not do yet; choose a model without it.</source>
        <translation>此模型使用“%1”方式缩放 RoPE，Vitrine 尚不支持；请选择不使用它的模型。</translation>
    </message>
    <message>
        <source>The file does not say which architecture it holds (key &quot;general.architecture&quot;), so it is not a language model.</source>
        <translation>文件没有说明其架构（键“general.architecture”），因此不是语言模型。</translation>
    </message>
    <message>
        <source>The architecture &quot;%1&quot; is not supported; Vitrine runs %2.</source>
        <translation>不支持架构“%1”；Vitrine 可运行 %2。</translation>
    </message>
    <message>
        <source>This model&apos;s keys and values have different lengths, which Vitrine does not do yet.</source>
        <translation>此模型的键与值长度不同，Vitrine 尚不支持。</translation>
    </message>
    <message>
        <source>This model is a mixture of experts of the architecture &quot;%1&quot;, which Vitrine runs only without experts.</source>
        <translation>此模型是“%1”架构的混合专家模型，Vitrine 只能运行该架构不含专家的模型。</translation>
    </message>
    <message>
        <source>This mixture of experts has shared experts, which Vitrine does not do yet.</source>
        <translation>此混合专家模型含共享专家，Vitrine 尚不支持。</translation>
    </message>
    <message>
        <source>This mixture of experts chooses by another function than softmax (key &quot;expert_gating_func&quot;), which Vitrine does not do yet.</source>
        <translation>此混合专家模型不用 softmax 选择专家（键“expert_gating_func”），Vitrine 尚不支持。</translation>
    </message>
    <message>
        <source>This model&apos;s &quot;%1&quot; differs from layer to layer, which Vitrine does not do yet.</source>
        <translation>此模型的“%1”逐层不同，Vitrine 尚不支持。</translation>
    </message>
    <message>
        <source>The file holds the tensor &quot;%1&quot;, which Vitrine&apos;s &quot;%2&quot; does not use; this variant of the architecture is not supported.</source>
        <translation>文件含有张量“%1”，Vitrine 的“%2”不使用它；不支持该架构的这一变体。</translation>
    </message>
    <message>
        <source>The tensor &quot;token_embd.weight&quot; is missing or has an impossible size; the file is damaged or holds no language model.</source>
        <translation>张量“token_embd.weight”缺失或大小不合理；文件已损坏或不是语言模型。</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is %2 where %3 is due; the file is damaged or not for this program.</source>
        <translation>张量“%1”为 %2，应为 %3；文件已损坏或不适用于本程序。</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is missing; the file is incomplete or of another architecture.</source>
        <translation>缺少张量“%1”；文件不完整或属于其他架构。</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>已停止加载。</translation>
    </message>
    <message>
        <source>There is not enough memory for the weights (at &quot;%1&quot;); close other programs or choose a smaller model.</source>
        <translation>内存不足以容纳权重（在“%1”处）；请关闭其他程序或选择较小的模型。</translation>
    </message>
    <message>
        <source>There is not enough memory for the weights.</source>
        <translation>内存不足以容纳权重。</translation>
    </message>
    <message>
        <source>A RoPE factor of the model file is not a positive number; the file is damaged.</source>
        <translation>模型文件中有一个 RoPE 系数不是正数；文件已损坏。</translation>
    </message>
    <message>
        <source>This model&apos;s LongRoPE needs the tensors &quot;rope_factors_short.weight&quot; and &quot;rope_factors_long.weight&quot;, and the file lacks them; convert it again.</source>
        <translation>此模型的 LongRoPE 需要张量“rope_factors_short.weight”和“rope_factors_long.weight”，而文件中没有；请重新转换。</translation>
    </message>
    <message>
        <source>At %1 tokens this model changes its position factors (LongRoPE), so the whole context is evaluated again; the next token takes that long.</source>
        <translation>到 %1 个词元时此模型更换位置系数（LongRoPE），因此整个上下文重新计算；下一个词元需要等这么久。</translation>
    </message>
    <message>
        <source>The tokenizer has more tokens than the embedding has rows; the file is damaged.</source>
        <translation>分词器的词元多于嵌入的行数；文件已损坏。</translation>
    </message>
    <message>
        <source>There is no such layer or head.</source>
        <translation>没有这个层或头。</translation>
    </message>
    <message>
        <source>No token of this range is in the cache.</source>
        <translation>缓存中没有这一范围的词元。</translation>
    </message>
    <message>
        <source>The asked range is too large for one picture.</source>
        <translation>所请求的范围太大，无法在一张图中显示。</translation>
    </message>
    <message>
        <source>The queries of these rows were dropped to keep within the memory budget.</source>
        <translation>为遵守内存预算，这些行的查询已被丢弃。</translation>
    </message>
    <message>
        <source>No token is in the cache.</source>
        <translation>缓存中没有词元。</translation>
    </message>
    <message>
        <source>There is not enough memory; close other programs.</source>
        <translation>内存不足；请关闭其他程序。</translation>
    </message>
    <message>
        <source>The engine stopped: %1</source>
        <translation>引擎已停止：%1</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>There is not enough memory to load this model.</source>
        <translation>内存不足，无法加载此模型。</translation>
    </message>
    <message>
        <source>Another replay was asked for.</source>
        <translation>已请求另一次重新计算。</translation>
    </message>
    <message>
        <source>No model is loaded; open one first.</source>
        <translation>未加载模型；请先打开一个。</translation>
    </message>
    <message>
        <source>There is not enough memory for the activations; close other programs.</source>
        <translation>内存不足以容纳激活；请关闭其他程序。</translation>
    </message>
    <message>
        <source>There is not enough memory for the position table.</source>
        <translation>内存不足以容纳位置表。</translation>
    </message>
    <message>
        <source>There is no room for the KV cache of this context; choose a smaller context.</source>
        <translation>没有空间容纳此上下文的 KV 缓存；请选择较小的上下文。</translation>
    </message>
    <message>
        <source>There is not enough memory for the KV cache to grow further; close other programs, start a new chat or choose a smaller context.</source>
        <translation>内存不足，KV 缓存无法继续增长；请关闭其他程序、开始新对话或选择较小的上下文。</translation>
    </message>
    <message>
        <source>There is not enough memory for the capture.</source>
        <translation>内存不足以进行采集。</translation>
    </message>
    <message>
        <source>the model was trained for %1 tokens</source>
        <translation>模型按 %1 个词元训练</translation>
    </message>
    <message>
        <source>free memory (%1) holds no more</source>
        <translation>可用内存 (%1) 无法容纳更多</translation>
    </message>
    <message>
        <source>The model produced no finite numbers, so no token can be chosen; the file may be damaged, or load it again with exact arithmetic.</source>
        <translation>模型没有产生有限的数值，因此无法选出词元；文件可能已损坏，或改用精确算术重新加载。</translation>
    </message>
    <message>
        <source>There is not enough memory to choose a token.</source>
        <translation>内存不足，无法选出词元。</translation>
    </message>
    <message>
        <source>The backend &quot;%1&quot; lacks an operation that this model needs.</source>
        <translation>后端“%1”缺少此模型需要的运算。</translation>
    </message>
    <message>
        <source>This model needs about %1 and %2 are free; close other programs or choose a smaller model.</source>
        <translation>此模型约需 %1，而可用内存为 %2；请关闭其他程序或选择较小的模型。</translation>
    </message>
    <message>
        <source>The prompt is empty; type something first.</source>
        <translation>提示为空；请先输入内容。</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens and the context holds %2; shorten it, drop old turns or choose a larger context.</source>
        <translation>提示有 %1 个词元，而上下文只能容纳 %2 个；请缩短提示、舍弃较早的消息或选择更大的上下文。</translation>
    </message>
    <message>
        <source>The context of %1 tokens is full.</source>
        <translation>%1 个词元的上下文已满。</translation>
    </message>
    <message>
        <source>The model file does not say how its text is split (tokenizer.ggml.pre is missing); convert the model again with a current converter.</source>
        <translation>模型文件没有说明如何切分文本（缺少 tokenizer.ggml.pre）；请用最新的转换工具重新转换模型。</translation>
    </message>
    <message>
        <source>The pre-tokenizer &quot;%1&quot; is not known; choose a model with smollm, gpt-2, llama-bpe or qwen2.</source>
        <translation>未知的预分词器“%1”；请选择使用 smollm、gpt-2、llama-bpe 或 qwen2 的模型。</translation>
    </message>
    <message>
        <source>The model brings no chat template; the conversation is written in a plain form.</source>
        <translation>模型没有自带对话模板；对话将以纯文本形式书写。</translation>
    </message>
    <message>
        <source>The model&apos;s chat template cannot be read (%1); the conversation is written in a plain form.</source>
        <translation>无法读取模型的对话模板（%1）；对话将以纯文本形式书写。</translation>
    </message>
    <message>
        <source>The model&apos;s chat template cannot write this conversation: %1</source>
        <translation>模型的对话模板无法书写此对话：%1</translation>
    </message>
    <message>
        <source>The SentencePiece vocabulary cannot be used (%1); download the file again.</source>
        <translation>SentencePiece 词表无法使用（%1）；请重新下载文件。</translation>
    </message>
    <message>
        <source>There is not enough memory for the vocabulary; close other programs and try again.</source>
        <translation>内存不足以容纳词表；请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>The model file has no vocabulary (tokenizer.ggml.model is missing); choose a file that was converted with its tokenizer.</source>
        <translation>模型文件没有词表（缺少 tokenizer.ggml.model）；请选择连同分词器一起转换的文件。</translation>
    </message>
    <message>
        <source>The vocabulary kind &quot;%1&quot; is not known; choose a model with a byte-level BPE (gpt2) or SentencePiece (llama) vocabulary.</source>
        <translation>未知的词表类型“%1”；请选择使用字节级 BPE (gpt2) 或 SentencePiece (llama) 词表的模型。</translation>
    </message>
    <message>
        <source>The model file&apos;s vocabulary is damaged: %1; download or convert the model again.</source>
        <translation>模型文件的词表已损坏：%1；请重新下载或转换模型。</translation>
    </message>
    <message>
        <source>Its weights are stored as %1, which this program cannot read; download the model in another quantisation, for example Q4_K_M or Q8_0.</source>
        <translation>其权重以 %1 存储，本程序无法读取；请下载该模型的其他量化版本，例如 Q4_K_M 或 Q8_0。</translation>
    </message>
    <message>
        <source>Of the %1 parts of this model these are missing: %2; put them beside the others.</source>
        <translation>该模型共有 %1 个分片，缺少：%2；请把它们放到其他分片旁边。</translation>
    </message>
</context>
<context>
    <name>FoldersEditor</name>
    <message>
        <source>Folders with models</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Also the stores of Hugging Face, LM Studio and Ollama</source>
        <translation>同时查找 Hugging Face、LM Studio 和 Ollama 的存储</translation>
    </message>
    <message>
        <source>None of them is on this machine.</source>
        <translation>本机上没有这些存储。</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>添加含有模型的文件夹</translation>
    </message>
    <message>
        <source>Vitrine looks through these at any depth and leaves the files where they are. Its own models folder is always among them.</source>
        <translation>Vitrine 会逐层查找这些文件夹，文件保持原位不动。它自己的模型文件夹始终包含在内。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>FormatText</name>
    <message>
        <source>0 ms</source>
        <translation>0 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>n/a</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>&lt; %1</source>
        <translation>&lt; %1</translation>
    </message>
    <message>
        <source>&lt; %1 %</source>
        <translation>&lt; %1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>tokenize</source>
        <translation>分词</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Q, K, V</source>
        <translation>Q、K、V</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <source>K, V store</source>
        <translation>写入 K、V</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>output projection</source>
        <translation>输出投影</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>output head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>detokenize</source>
        <translation>还原文本</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>penalties %1</source>
        <translation>惩罚 %1</translation>
    </message>
    <message>
        <source>top-k %1</source>
        <translation>top-k %1</translation>
    </message>
    <message>
        <source>typical %1</source>
        <translation>typical %1</translation>
    </message>
    <message>
        <source>top-p %1</source>
        <translation>top-p %1</translation>
    </message>
    <message>
        <source>min-p %1</source>
        <translation>min-p %1</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>greedy (the most probable token)</source>
        <translation>贪心（取最可能的词元）</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>end of text</source>
        <translation>文本结束</translation>
    </message>
    <message>
        <source>length limit</source>
        <translation>达到长度上限</translation>
    </message>
    <message>
        <source>stop text</source>
        <translation>遇到停止文本</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>由你停止</translation>
    </message>
    <message>
        <source>time-out before the first token</source>
        <translation>首个词元超时</translation>
    </message>
    <message>
        <source>time-out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>上下文已满</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>HeatMapPlot</name>
    <message>
        <source>query (the token asking)</source>
        <translation>查询（发问的词元）</translation>
    </message>
    <message>
        <source>key (the token looked at)</source>
        <translation>键（被关注的词元）</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>Attention heat map</source>
        <translation>注意力热图</translation>
    </message>
</context>
<context>
    <name>KvCacheView</name>
    <message>
        <source>over time</source>
        <translation>随时间</translation>
    </message>
    <message>
        <source>over tokens</source>
        <translation>随词元</translation>
    </message>
    <message>
        <source>Growth over</source>
        <translation>增长方式</translation>
    </message>
    <message>
        <source>Growth of the KV cache</source>
        <translation>KV 缓存的增长</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>未加载模型</translation>
    </message>
    <message>
        <source>Open a GGUF file from the menu, or drop one onto the window.</source>
        <translation>从菜单打开 GGUF 文件，或把文件拖到窗口中。</translation>
    </message>
    <message>
        <source>Paged cache</source>
        <translation>分页缓存</translation>
    </message>
    <message>
        <source>%1 tokens per page · %2 pages × %3 layers · %4</source>
        <translation>每页 %1 个词元 · %2 页 × %3 层 · %4</translation>
    </message>
    <message>
        <source>per token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <source>per layer and token</source>
        <translation>每层每词元</translation>
    </message>
    <message>
        <source>per page</source>
        <translation>每页</translation>
    </message>
    <message>
        <source>rounding</source>
        <translation>取整余量</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>full context</source>
        <translation>上下文用满时</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>推算</translation>
    </message>
    <message>
        <source>generated tokens</source>
        <translation>已生成词元</translation>
    </message>
    <message>
        <source>time since sent (s)</source>
        <translation>发送后的时间（秒）</translation>
    </message>
</context>
<context>
    <name>KvPageMap</name>
    <message>
        <source>KV cache pages by layer</source>
        <translation>各层的 KV 缓存页</translation>
    </message>
    <message>
        <source>page %1 of the sequence · layer %2</source>
        <translation>序列第 %1 页 · 第 %2 层</translation>
    </message>
    <message>
        <source>not allocated</source>
        <translation>未分配</translation>
    </message>
    <message numerus="yes">
        <source>page id %1 · %n reference(s)</source>
        <translation>
            <numerusform>页号 %1 · %n 个引用</numerusform>
        </translation>
    </message>
    <message>
        <source>positions %1–%2: %3 prompt, %4 reused, %5 generated</source>
        <translation>位置 %1–%2：提示 %3，复用 %4，生成 %5</translation>
    </message>
</context>
<context>
    <name>LatencyPlot</name>
    <message>
        <source>generated token</source>
        <translation>生成的词元</translation>
    </message>
    <message>
        <source>gap before it (ms)</source>
        <translation>与前一个的间隔 (ms)</translation>
    </message>
    <message>
        <source>Latency of each token</source>
        <translation>每个词元的延迟</translation>
    </message>
    <message>
        <source>token %1: the first, it counts as TTFT</source>
        <translation>词元 %1：首个，计入 TTFT</translation>
    </message>
    <message>
        <source>token %1: %2 ms</source>
        <translation>词元 %1：%2 ms</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
</context>
<context>
    <name>LatencyView</name>
    <message>
        <source>Vitrine&apos;s definitions</source>
        <translation>Vitrine 的定义</translation>
    </message>
    <message>
        <source>Definitions of</source>
        <translation>采用的定义</translation>
    </message>
    <message>
        <source>Show the time per token as another tool would print it</source>
        <translation>按其他工具的算法显示每词元时间</translation>
    </message>
    <message>
        <source>Parts of the time to the first token</source>
        <translation>首个词元时间的构成</translation>
    </message>
    <message>
        <source>What the step was spent on</source>
        <translation>这一步的时间花在哪里</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>cold: the first run after the start</source>
        <translation>冷启动：启动后的首次运行</translation>
    </message>
    <message>
        <source>%1 events dropped</source>
        <translation>丢弃了 %1 个事件</translation>
    </message>
    <message>
        <source>n/a</source>
        <translation>无</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>target ≤ %1 ms</source>
        <translation>目标 ≤ %1 ms</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation>%1 个复用</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>tokenize</source>
        <translation>分词</translation>
    </message>
    <message>
        <source>first sample</source>
        <translation>首次采样</translation>
    </message>
    <message>
        <source>target: %1 ms</source>
        <translation>目标：%1 ms</translation>
    </message>
    <message>
        <source>Time to the first token</source>
        <translation>首个词元时间</translation>
    </message>
    <message>
        <source>the five parts sum to %1</source>
        <translation>五部分合计 %1</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>截至目前</translation>
    </message>
    <message>
        <source>earlier runs, pooled: p50 %1 · p95 %2 · n = %3 gaps of %4 runs</source>
        <translation>此前运行合并：p50 %1 · p95 %2 · n = %3 个间隔，共 %4 次运行</translation>
    </message>
    <message>
        <source> (%1 cold, recorded or aborted left out)</source>
        <translation>（已略去 %1 次冷启动、记录或中止的运行）</translation>
    </message>
    <message>
        <source>p99 from 100 gaps on</source>
        <translation>间隔满 100 个后显示 p99</translation>
    </message>
    <message>
        <source>%1 within the target</source>
        <translation>%1 在目标之内</translation>
    </message>
    <message>
        <source>%1 above the range (▲)</source>
        <translation>%1 个超出范围 (▲)</translation>
    </message>
    <message>
        <source>E2E %1 = TTFT %2 + Σ gaps %3</source>
        <translation>E2E %1 = TTFT %2 + Σ 间隔 %3</translation>
    </message>
    <message>
        <source>No token yet</source>
        <translation>还没有词元</translation>
    </message>
    <message>
        <source>Step of token %1</source>
        <translation>词元 %1 的步骤</translation>
    </message>
    <message>
        <source>“%1” · measured ops sum to %2</source>
        <translation>“%1” · 实测运算合计 %2</translation>
    </message>
    <message>
        <source>its op times were not observed</source>
        <translation>未观测其运算时间</translation>
    </message>
    <message>
        <source>ms per token</source>
        <translation>每词元毫秒</translation>
    </message>
</context>
<context>
    <name>LayerBars</name>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Layer %1 · %2 (%3) · %4 tokens kept</source>
        <translation>第 %1 层 · %2 (%3) · 保留 %4 个词元</translation>
    </message>
    <message>
        <source>window of %1</source>
        <translation>窗口 %1</translation>
    </message>
</context>
<context>
    <name>LibraryModel</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message numerus="yes">
        <source>in %n file(s)</source>
        <translation>
            <numerusform>共 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, cannot run here</source>
        <translation>%1，无法在此运行</translation>
    </message>
    <message>
        <source>Tokens that the model was trained for</source>
        <translation>模型训练时的上下文词元数</translation>
    </message>
    <message>
        <source>How the weights are stored</source>
        <translation>权重的存储方式</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Found in</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>image part (mmproj)</source>
        <translation>图像部分（mmproj）</translation>
    </message>
    <message>
        <source>adapter (LoRA)</source>
        <translation>适配器（LoRA）</translation>
    </message>
    <message>
        <source>vocabulary only</source>
        <translation>仅词表</translation>
    </message>
    <message>
        <source>importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>control vector</source>
        <translation>控制向量</translation>
    </message>
    <message>
        <source>unfinished download</source>
        <translation>未完成的下载</translation>
    </message>
    <message>
        <source>part of a split model</source>
        <translation>分片模型的一部分</translation>
    </message>
</context>
<context>
    <name>LibraryWindow</name>
    <message>
        <source>Model library</source>
        <translation>模型库</translation>
    </message>
    <message>
        <source>Search names, types, architectures, folders</source>
        <translation>搜索名称、类型、架构、文件夹</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Found in</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Folders…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose the folders that are looked through</source>
        <translation>选择要查找的文件夹</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Look through all folders again (F5)</source>
        <translation>重新查找所有文件夹（F5）</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Catalogue…</source>
        <translation>模型目录…</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>所有位置</translation>
    </message>
    <message>
        <source>Recently opened</source>
        <translation>最近打开</translation>
    </message>
    <message numerus="yes">
        <source>Show %n hidden</source>
        <translation>
            <numerusform>显示 %n 个隐藏项</numerusform>
        </translation>
    </message>
    <message>
        <source>Image parts, adapters, vocabularies, importance matrices, unfinished downloads and later parts of split models</source>
        <translation>图像部分、适配器、词表、重要性矩阵、未完成的下载，以及分片模型的后续分片</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>No model matches the search.</source>
        <translation>没有符合搜索条件的模型。</translation>
    </message>
    <message>
        <source>No models were found. Add the folder where yours are, drop one here, or take one from the catalogue.</source>
        <translation>没有找到模型。请添加存放模型的文件夹，把模型拖到这里，或从模型目录中获取。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shown</source>
        <translation>
            <numerusform>显示 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n folder(s)</source>
        <translation>
            <numerusform>%n 个文件夹</numerusform>
        </translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message numerus="yes">
        <source>%n could not be looked through</source>
        <translation>
            <numerusform>%n 个无法查找</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LoadDialog</name>
    <message>
        <source>Load with options</source>
        <translation>带选项加载</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation>KV 缓存类型</translation>
    </message>
    <message>
        <source>Type of K in the KV cache</source>
        <translation>KV 缓存中 K 的类型</translation>
    </message>
    <message>
        <source>Type of V in the KV cache</source>
        <translation>KV 缓存中 V 的类型</translation>
    </message>
    <message>
        <source>Largest that fits</source>
        <translation>可容纳的最大值</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>trained for %1 tokens</source>
        <translation>训练长度 %1 个词元</translation>
    </message>
    <message>
        <source>Predicted: %1 of %2 free</source>
        <translation>预测：需 %1，空闲 %2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>scratch</source>
        <translation>暂存</translation>
    </message>
    <message>
        <source>capture</source>
        <translation>采集</translation>
    </message>
    <message>
        <source>free memory: %1</source>
        <translation>空闲内存：%1</translation>
    </message>
    <message>
        <source>Does not fit: the weights alone take more than is free.</source>
        <translation>放不下：仅权重就超过空闲内存。</translation>
    </message>
    <message>
        <source>Fits.</source>
        <translation>放得下。</translation>
    </message>
    <message>
        <source>This context does not fit.</source>
        <translation>放不下这么大的上下文。</translation>
    </message>
    <message>
        <source>The largest context that fits has %1 tokens.</source>
        <translation>可容纳的最大上下文为 %1 个词元。</translation>
    </message>
    <message>
        <source>The model was trained for %1 tokens; the context stops there.</source>
        <translation>模型的训练长度为 %1 个词元，上下文以此为限。</translation>
    </message>
    <message>
        <source>Loaded anyway, it may push other programs into swap, or run out of memory in mid-answer: the answer so far is kept.</source>
        <translation>若仍然加载，其他程序可能被换出到磁盘，或在回答中途内存耗尽；已生成的回答会保留。</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>仍然加载</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Opening %1 · %2 of %3</source>
        <translation>正在打开 %1 · %2 / %3</translation>
    </message>
    <message numerus="yes">
        <source>%n chat file(s) could not be read and are kept in %1: %2</source>
        <translation>
            <numerusform>%n 个对话文件无法读取，已保留在 %1：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>The chat could not be saved (%1). It is kept in memory: free some disk space, and it is saved with the next change.</source>
        <translation>无法保存对话（%1）。内容仍在内存中：请腾出磁盘空间，下次改动时会再次保存。</translation>
    </message>
    <message>
        <source>New chats begin with this system prompt and sampling.</source>
        <translation>新对话将使用此系统提示与采样设置。</translation>
    </message>
    <message>
        <source>Catalogue…</source>
        <translation>模型目录…</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 could not be opened. %2</source>
        <translation>无法打开 %1。%2</translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>打开其他模型…</translation>
    </message>
    <message>
        <source>Vitrine did not end cleanly last time, so no model was opened by itself. Your chats are here.</source>
        <translation>Vitrine 上次没有正常退出，因此未自动打开模型。你的对话都还在。</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>打开文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Catalogue…</source>
        <translation>模型目录(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Recent</source>
        <translation>最近使用(&amp;R)</translation>
    </message>
    <message>
        <source>Cancel opening</source>
        <translation>取消打开</translation>
    </message>
    <message>
        <source>&amp;Unload</source>
        <translation>卸载(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation>详细信息(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Vitrine</source>
        <translation>关于 Vitrine(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;List and search…</source>
        <translation>列表与搜索(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Delete this chat</source>
        <translation>删除此对话(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;System prompt and sampling</source>
        <translation>系统提示与采样(&amp;S)</translation>
    </message>
    <message>
        <source>Export as &amp;Markdown…</source>
        <translation>导出为 Markdown(&amp;M)…</translation>
    </message>
    <message>
        <source>Export as &amp;JSON…</source>
        <translation>导出为 JSON(&amp;J)…</translation>
    </message>
    <message>
        <source>Drop the &amp;oldest turns and continue</source>
        <translation>舍弃最早的消息并继续(&amp;O)</translation>
    </message>
    <message>
        <source>M&amp;essage</source>
        <translation>消息(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Answer again</source>
        <translation>重新回答(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Edit the question</source>
        <translation>编辑问题(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Copy the answer</source>
        <translation>复制回答(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Delete from here on</source>
        <translation>删除此处及之后的内容(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Previous message</source>
        <translation>上一条消息(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next message</source>
        <translation>下一条消息(&amp;N)</translation>
    </message>
    <message>
        <source>Version &amp;before</source>
        <translation>上一个版本(&amp;B)</translation>
    </message>
    <message>
        <source>Version a&amp;fter</source>
        <translation>下一个版本(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation>写消息(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Shown</source>
        <translation>显示的视图(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Underline tokens by probability</source>
        <translation>按概率为词元加下划线(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Follow the newest token</source>
        <translation>跟随最新词元(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>默认文字大小(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Dark or light</source>
        <translation>深色或浅色(&amp;D)</translation>
    </message>
    <message>
        <source>Language: English / 中文</source>
        <translation>语言：English / 中文</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>The context size and threads apply when a model is opened.</source>
        <translation>上下文大小和线程数在打开模型时生效。</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Layers, heads, KV heads</source>
        <translation>层、头、KV 头</translation>
    </message>
    <message>
        <source>Width, head size, FFN width</source>
        <translation>宽度、头维度、前馈宽度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>%1 of %2 trained</source>
        <translation>%1（训练长度 %2）</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>%1, %2 a token, pages of %3 tokens</source>
        <translation>%1，每词元 %2，每页 %3 个词元</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>计算设备</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Opened in</source>
        <translation>打开用时</translation>
    </message>
    <message>
        <source>Model details</source>
        <translation>模型详细信息</translation>
    </message>
    <message>
        <source>About Vitrine</source>
        <translation>关于 Vitrine</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Vitrine %1&lt;/h3&gt;&lt;p&gt;A glass case for a language model at work: chat with it, and watch tokenize, prefill, decode and detokenize with figures measured on the run.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Vitrine %1&lt;/h3&gt;&lt;p&gt;语言模型工作时的玻璃展柜：与它对话，同时观看分词、预填充、解码与还原文本，所有数字都来自本次运行的实测。&lt;/p&gt;&lt;p&gt;自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>stop the answer, or leave editing</source>
        <translation>停止回答，或退出编辑</translation>
    </message>
    <message>
        <source>previous and next token, in the conversation</source>
        <translation>在对话中选择上一个或下一个词元</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>The context holds %1 tokens: %2.</source>
        <translation>上下文可容纳 %1 个词元：%2。</translation>
    </message>
    <message>
        <source>The library now looks through %1 too.</source>
        <translation>模型库现在也会查找 %1。</translation>
    </message>
    <message>
        <source>&amp;Library…</source>
        <translation>模型库(&amp;L)…</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors config.json);;All files (*)</source>
        <translation>模型 (*.gguf *.safetensors config.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Load with options…</source>
        <translation>带选项加载…</translation>
    </message>
    <message>
        <source>Load &amp;with options…</source>
        <translation>带选项加载(&amp;W)…</translation>
    </message>
    <message>
        <source>Load with options</source>
        <translation>带选项加载</translation>
    </message>
    <message>
        <source>KV &amp;planner…</source>
        <translation>KV 规划器(&amp;P)…</translation>
    </message>
    <message>
        <source>Load again with optio&amp;ns…</source>
        <translation>带选项重新加载(&amp;N)…</translation>
    </message>
    <message>
        <source>%1 predicted · %2 now</source>
        <translation>预测 %1 · 现在 %2</translation>
    </message>
    <message>
        <source>Memory of the weights</source>
        <translation>权重内存</translation>
    </message>
    <message>
        <source>Memory of the KV cache</source>
        <translation>KV 缓存内存</translation>
    </message>
    <message>
        <source>%1 predicted when full · %2 now</source>
        <translation>用满时预测 %1 · 现在 %2</translation>
    </message>
    <message>
        <source>Memory of activations</source>
        <translation>激活内存</translation>
    </message>
    <message>
        <source>&amp;Preview prompt…</source>
        <translation>预览提示词(&amp;P)…</translation>
    </message>
</context>
<context>
    <name>MemoryModel</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Scratch</source>
        <translation>暂存</translation>
    </message>
    <message>
        <source>Capture (log-sum-exp, Q)</source>
        <translation>采集 (log-sum-exp、Q)</translation>
    </message>
    <message>
        <source>Process (resident)</source>
        <translation>进程（常驻）</translation>
    </message>
    <message>
        <source>Engine total</source>
        <translation>引擎合计</translation>
    </message>
    <message>
        <source>Free on this system</source>
        <translation>系统可用</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>scratch</source>
        <translation>暂存</translation>
    </message>
    <message>
        <source>capture</source>
        <translation>采集</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Estimated before loading, for a context filled to its end. The other columns are what is held now.</source>
        <translation>加载前的估计，按上下文用满计算。其他列是现在实际占用。</translation>
    </message>
    <message>
        <source>Predicted, full</source>
        <translation>预测（用满）</translation>
    </message>
</context>
<context>
    <name>MemoryView</name>
    <message>
        <source>Memory by purpose</source>
        <translation>按用途划分的内存</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>内存随时间变化</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>未加载模型</translation>
    </message>
    <message>
        <source>Open a GGUF file from the menu, or drop one onto the window.</source>
        <translation>从菜单打开 GGUF 文件，或把文件拖到窗口中。</translation>
    </message>
    <message>
        <source>time since sent (s)</source>
        <translation>发送后的时间（秒）</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>at token %1</source>
        <translation>在词元 %1 处</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>resident · free on this system %1</source>
        <translation>常驻 · 系统可用 %1</translation>
    </message>
</context>
<context>
    <name>ModelInfoPane</name>
    <message>
        <source>Choose a model to see what is in it.</source>
        <translation>选择一个模型以查看其内容。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Search keys and values</source>
        <translation>搜索键和值</translation>
    </message>
    <message>
        <source>Search names, types and shapes</source>
        <translation>搜索名称、类型和形状</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>信息</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s), %1</source>
        <translation>
            <numerusform>%n 个张量，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>The model brings no chat template.</source>
        <translation>该模型没有自带对话模板。</translation>
    </message>
    <message>
        <source>Not a model by itself: %1.</source>
        <translation>它本身不是模型：%1。</translation>
    </message>
    <message>
        <source>Found in</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>%1, missing: %2</source>
        <translation>%1，缺少：%2</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>训练上下文</translation>
    </message>
    <message>
        <source>Layers, heads, KV heads</source>
        <translation>层数、头数、KV 头数</translation>
    </message>
    <message>
        <source>Width, head size, FFN width</source>
        <translation>宽度、头维度、FFN 宽度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Stored types</source>
        <translation>存储类型</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>正在读取文件…</translation>
    </message>
    <message>
        <source>Control tokens</source>
        <translation>控制词元</translation>
    </message>
    <message>
        <source>Begins with BOS</source>
        <translation>以 BOS 开头</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Ends an answer</source>
        <translation>结束回答</translation>
    </message>
</context>
<context>
    <name>NextTokenView</name>
    <message>
        <source>Candidates for the next token</source>
        <translation>下一个词元的候选</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>No token sampled yet</source>
        <translation>尚未采样词元</translation>
    </message>
    <message>
        <source>The candidates appear with the first token, after the prefill.</source>
        <translation>预填充之后，候选会随首个词元出现。</translation>
    </message>
    <message>
        <source>after “%1” · entropy %2 bits</source>
        <translation>在“%1”之后 · 熵 %2 比特</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>chosen: “%1” · rank %2 · raw p %3 · after sampling p %4</source>
        <translation>选中：“%1” · 排名 %2 · 原始 p %3 · 采样后 p %4</translation>
    </message>
    <message>
        <source>The other candidates of this token were not kept.</source>
        <translation>此词元的其他候选未保留。</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>PlannerResults</name>
    <message>
        <source>beyond 64 bits</source>
        <translation>超出 64 位</translation>
    </message>
    <message>
        <source>No figure</source>
        <translation>无数值</translation>
    </message>
    <message>
        <source>A token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>Without windows</source>
        <translation>不计窗口</translation>
    </message>
    <message>
        <source>A page</source>
        <translation>每页</translation>
    </message>
    <message>
        <source>%1, of them unused %2</source>
        <translation>%1，共闲置 %2</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Attention outweighs the rest from</source>
        <translation>注意力计算量超过其余部分的起点</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>KV outweighs the weights from</source>
        <translation>KV 超过权重的起点</translation>
    </message>
    <message numerus="yes">
        <source> (%n KV head(s))</source>
        <translation>
            <numerusform>（%n 个 KV 头）</numerusform>
        </translation>
    </message>
    <message>
        <source>this model</source>
        <translation>本模型</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>scratch</source>
        <translation>暂存</translation>
    </message>
    <message>
        <source>free memory: %1</source>
        <translation>空闲内存：%1</translation>
    </message>
    <message>
        <source>Does not fit: the weights alone take more than is free.</source>
        <translation>放不下：仅权重就超过空闲内存。</translation>
    </message>
    <message>
        <source>Fits. The largest context that fits has %1 tokens.</source>
        <translation>放得下。可容纳的最大上下文为 %1 个词元。</translation>
    </message>
    <message>
        <source>Does not fit. The largest context that fits has %1 tokens.</source>
        <translation>放不下。可容纳的最大上下文为 %1 个词元。</translation>
    </message>
    <message>
        <source>%1 of KV cache</source>
        <translation>KV 缓存 %1</translation>
    </message>
    <message>
        <source>%1 for %2 tokens · predicted</source>
        <translation>%1，对应 %2 个词元 · 预测值</translation>
    </message>
    <message>
        <source>Against free memory (%1)</source>
        <translation>与空闲内存 (%1) 对比</translation>
    </message>
    <message>
        <source>KV cache by layer: %1 of %2 keep a window only</source>
        <translation>各层 KV 缓存：%2 层中有 %1 层只保留窗口</translation>
    </message>
    <message>
        <source>KV cache by layer</source>
        <translation>各层 KV 缓存</translation>
    </message>
</context>
<context>
    <name>PlannerWindow</name>
    <message>
        <source>KV planner</source>
        <translation>KV 规划器</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Type of K</source>
        <translation>K 的类型</translation>
    </message>
    <message>
        <source>Type of V</source>
        <translation>V 的类型</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>分页</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>KV 头数</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>FFN width</source>
        <translation>前馈宽度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Count windows per layer</source>
        <translation>按层计入窗口</translation>
    </message>
    <message>
        <source>as the model has it</source>
        <translation>与模型一致</translation>
    </message>
    <message>
        <source>what if %1</source>
        <translation>假如是 %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>of %1 tokens</source>
        <translation>每页 %1 个词元</translation>
    </message>
    <message>
        <source>%1 (open)</source>
        <translation>%1（已打开）</translation>
    </message>
    <message>
        <source>A model file…</source>
        <translation>模型文件…</translation>
    </message>
    <message>
        <source>A config.json…</source>
        <translation>config.json 文件…</translation>
    </message>
    <message>
        <source>Free numbers</source>
        <translation>自定数值</translation>
    </message>
    <message>
        <source>Plan for a config.json</source>
        <translation>按 config.json 规划</translation>
    </message>
    <message>
        <source>Plan for a model</source>
        <translation>按模型规划</translation>
    </message>
    <message>
        <source>Configurations (*.json)</source>
        <translation>配置 (*.json)</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors config.json);;All files (*)</source>
        <translation>模型 (*.gguf *.safetensors config.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Planned only: %1</source>
        <translation>仅规划：%1</translation>
    </message>
</context>
<context>
    <name>PromptFlow</name>
    <message>
        <source>Tokens of the prompt</source>
        <translation>提示词的词元</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>提示词的文本</translation>
    </message>
    <message>
        <source>Copy selection</source>
        <translation>复制所选内容</translation>
    </message>
    <message>
        <source>Copy ids of the selection</source>
        <translation>复制所选词元的 id</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>复制全文</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>id %1</source>
        <translation>id %1</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>template text</source>
        <translation>模板文本</translation>
    </message>
    <message>
        <source>message content</source>
        <translation>消息内容</translation>
    </message>
    <message>
        <source>in the cache</source>
        <translation>在缓存中</translation>
    </message>
</context>
<context>
    <name>PromptWindow</name>
    <message>
        <source>Prompt preview</source>
        <translation>提示词预览</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>文本(&amp;X)</translation>
    </message>
    <message>
        <source>The text as the template writes it</source>
        <translation>模板写出的文本</translation>
    </message>
    <message>
        <source>To&amp;kens</source>
        <translation>词元(&amp;K)</translation>
    </message>
    <message>
        <source>The pieces that the model is given, with their ids</source>
        <translation>交给模型的各个词元及其 id</translation>
    </message>
    <message>
        <source>&amp;Spaces ↵</source>
        <translation>空白(&amp;S) ↵</translation>
    </message>
    <message>
        <source>Mark spaces, tabs and line ends</source>
        <translation>标出空格、制表符和换行</translation>
    </message>
    <message>
        <source>&amp;Copy text</source>
        <translation>复制文本(&amp;C)</translation>
    </message>
    <message>
        <source>Copy token &amp;ids</source>
        <translation>复制词元 id(&amp;I)</translation>
    </message>
    <message>
        <source>Totals</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>in the cache</source>
        <translation>在缓存中</translation>
    </message>
    <message>
        <source>Not available: no model is open</source>
        <translation>不可用：没有打开模型</translation>
    </message>
    <message>
        <source>The prompt is written by the model&apos;s own template, so a model has to be there first.</source>
        <translation>提示词由模型自带的模板写成，因此需要先打开一个模型。</translation>
    </message>
    <message>
        <source>Open a model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Not available yet</source>
        <translation>暂不可用</translation>
    </message>
    <message>
        <source>A model is being opened; its prompt appears when it is there.</source>
        <translation>正在打开模型；打开后即显示它的提示词。</translation>
    </message>
    <message>
        <source>Waiting for the engine…</source>
        <translation>正在等待引擎…</translation>
    </message>
    <message>
        <source>The model&apos;s template refuses this conversation</source>
        <translation>模型的模板拒绝了这个对话</translation>
    </message>
    <message>
        <source>Sent like this, the message would end with the same error. Take back or delete the turns that the template does not accept.</source>
        <translation>照此发送会以同样的错误结束。请撤回或删除模板不接受的那几轮对话。</translation>
    </message>
    <message>
        <source>Sent like this, the message would end with the same error. Many templates take no system prompt: clear it, or put it into the first message.</source>
        <translation>照此发送会以同样的错误结束。许多模板不接受系统提示词：请清空它，或把它写进第一条消息。</translation>
    </message>
    <message>
        <source>System prompt…</source>
        <translation>系统提示词…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in the cache, %2 left to evaluate</source>
        <translation>%1 个在缓存中，%2 个待计算</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>the context ends here</source>
        <translation>上下文到此为止</translation>
    </message>
    <message>
        <source>The prompt is %1 tokens longer than the context; it cannot be sent. Shorten the message, drop old turns, or open the model with a larger context.</source>
        <translation>提示词比上下文多出 %1 个词元，无法发送。请缩短消息、丢弃较早的对话轮次，或以更大的上下文打开模型。</translation>
    </message>
    <message>
        <source>Waiting for the engine: it is writing an answer…</source>
        <translation>正在等待引擎：它正在写回答…</translation>
    </message>
    <message>
        <source>An answer is being written; it is shown as far as it had come.</source>
        <translation>正在写回答；这里显示的是到目前为止的部分。</translation>
    </message>
    <message>
        <source>Nothing is typed yet: the place of your message is empty.</source>
        <translation>还没有输入内容：消息的位置是空的。</translation>
    </message>
    <message>
        <source>Template: plain form</source>
        <translation>模板：纯文本形式</translation>
    </message>
    <message>
        <source>Template: the model&apos;s own</source>
        <translation>模板：模型自带</translation>
    </message>
    <message>
        <source>The text was copied.</source>
        <translation>已复制文本。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln id(s) were copied.</source>
        <translation>
            <numerusform>已复制 %Ln 个 id。</numerusform>
        </translation>
    </message>
    <message>
        <source>of the %1 that the context holds</source>
        <translation>，上下文可容纳 %1 个</translation>
    </message>
    <message>
        <source>none of them in the cache</source>
        <translation>均不在缓存中</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Flattens (above 1) or sharpens (below 1) the distribution. 0 always takes the most probable token.</source>
        <translation>大于 1 使分布更平，小于 1 使分布更尖。0 表示总是取最可能的词元。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Keeps the k most probable tokens. 0 = off.</source>
        <translation>只保留最可能的 k 个词元。0 = 关闭。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Keeps the most probable tokens that together reach p. 1 = off.</source>
        <translation>保留概率合计达到 p 的最可能词元。1 = 关闭。</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Cuts tokens less probable than this share of the best one. 0 = off.</source>
        <translation>剔除概率低于最佳词元此比例的词元。0 = 关闭。</translation>
    </message>
    <message>
        <source>Typical-p</source>
        <translation>Typical-p</translation>
    </message>
    <message>
        <source>Keeps tokens of typical information. 1 = off.</source>
        <translation>保留信息量典型的词元。1 = 关闭。</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Makes tokens that were used lately less probable. 1 = off.</source>
        <translation>降低近期用过的词元的概率。1 = 关闭。</translation>
    </message>
    <message>
        <source>Repeat window</source>
        <translation>重复窗口</translation>
    </message>
    <message>
        <source>How many tokens back the penalties look. 0 = off, −1 = the whole context.</source>
        <translation>惩罚回看的词元数。0 = 关闭，−1 = 整个上下文。</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>Taken once from the score of tokens in the window. 0 = off.</source>
        <translation>窗口中出现过的词元扣一次分。0 = 关闭。</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Taken per use from the score of tokens in the window. 0 = off.</source>
        <translation>窗口中的词元按出现次数扣分。0 = 关闭。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The same seed gives the same answer. Empty = a new one each time; it is kept with the answer.</source>
        <translation>相同的种子给出相同的回答。留空则每次使用新种子，并随回答保存。</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>最大词元数</translation>
    </message>
    <message>
        <source>The answer ends after so many tokens. 0 = until the context is full.</source>
        <translation>生成这么多词元后结束。0 = 直到上下文用满。</translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation>停止文本</translation>
    </message>
    <message>
        <source>The answer ends before one of these; separated by spaces, \n is a line end, \s a space.</source>
        <translation>回答在出现其中之一时结束；用空格分隔，\n 表示换行，\s 表示空格。</translation>
    </message>
    <message>
        <source>First-token time-out</source>
        <translation>首词元超时</translation>
    </message>
    <message>
        <source>Ends the run when no token came within so many seconds. 0 = none.</source>
        <translation>这么多秒内没有词元则结束运行。0 = 不限。</translation>
    </message>
    <message>
        <source>Total time-out</source>
        <translation>总超时</translation>
    </message>
    <message>
        <source>Ends the run after so many seconds. 0 = none.</source>
        <translation>这么多秒后结束运行。0 = 不限。</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>until full</source>
        <translation>直到用满</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Engine defaults</source>
        <translation>恢复引擎默认值</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>自定</translation>
    </message>
    <message>
        <source>Your value. Click to take the model&apos;s.</source>
        <translation>你设的值。点击改用模型的值。</translation>
    </message>
    <message>
        <source>Your value. Click to take the program&apos;s.</source>
        <translation>你设的值。点击改用程序的值。</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Recommended by the model&apos;s makers.</source>
        <translation>模型作者推荐的值。</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>The program&apos;s own value: the model recommends none.</source>
        <translation>程序自带的值：模型没有推荐。</translation>
    </message>
    <message>
        <source>Reset to the model&apos;s values</source>
        <translation>恢复模型推荐值</translation>
    </message>
    <message>
        <source>Use the program&apos;s values</source>
        <translation>使用程序默认值</translation>
    </message>
    <message>
        <source>The model also recommends %1, which Vitrine does not do.</source>
        <translation>模型还推荐了 %1，Vitrine 不支持。</translation>
    </message>
</context>
<context>
    <name>SessionController</name>
    <message>
        <source>This answer was made by another model; open %1 to look at it.</source>
        <translation>此回答由另一个模型生成；请打开 %1 后查看。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>1 to 3 s is usual for long documents</source>
        <translation>长文档通常为 1 到 3 秒</translation>
    </message>
    <message>
        <source>Time to first token (TTFT)</source>
        <translation>首词元时间 (TTFT)</translation>
    </message>
    <message>
        <source>50 to 100 ms keeps up with reading</source>
        <translation>50 到 100 毫秒可跟上阅读速度</translation>
    </message>
    <message>
        <source>Time per output token (TPOT)</source>
        <translation>每输出词元时间 (TPOT)</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>模型自带</translation>
    </message>
    <message>
        <source>Context size (tokens)</source>
        <translation>上下文大小（词元）</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Open the last model at the start</source>
        <translation>启动时打开上次的模型</translation>
    </message>
    <message>
        <source>Model library</source>
        <translation>模型库</translation>
    </message>
</context>
<context>
    <name>TimelineStrip</name>
    <message>
        <source>Timeline scrubber</source>
        <translation>时间线滑块</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>one bar per token, height = latency</source>
        <translation>每个词元一条，高度 = 延迟</translation>
    </message>
    <message>
        <source>prefill, layer %1: %2</source>
        <translation>预填充，第 %1 层：%2</translation>
    </message>
    <message>
        <source>prompt token %1 “%2”</source>
        <translation>提示词元 %1 “%2”</translation>
    </message>
    <message>
        <source>token %1 “%2”</source>
        <translation>词元 %1 “%2”</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>%1 · %2 (derived)</source>
        <translation>%1 · %2（推算）</translation>
    </message>
    <message>
        <source>One token back</source>
        <translation>后退一个词元</translation>
    </message>
    <message>
        <source>One token forward</source>
        <translation>前进一个词元</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Follow the newest token</source>
        <translation>跟随最新词元</translation>
    </message>
    <message>
        <source>2 Prefill</source>
        <translation>2 预填充</translation>
    </message>
    <message>
        <source>layer %1 of %2 · tokens %3–%4 of %5</source>
        <translation>第 %1 / %2 层 · 词元 %3–%4 / %5</translation>
    </message>
    <message>
        <source>3 Decode</source>
        <translation>3 解码</translation>
    </message>
    <message>
        <source>1 Tokenize</source>
        <translation>1 分词</translation>
    </message>
    <message>
        <source>4 Detokenize</source>
        <translation>4 还原文本</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>%1 events dropped</source>
        <translation>丢弃了 %1 个事件</translation>
    </message>
    <message>
        <source>newest token</source>
        <translation>最新词元</translation>
    </message>
    <message>
        <source>token %1 “%2”</source>
        <translation>词元 %1 “%2”</translation>
    </message>
    <message>
        <source>Every view shows this moment</source>
        <translation>所有视图都显示这一时刻</translation>
    </message>
</context>
<context>
    <name>TokenFlow</name>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>id %1</source>
        <translation>编号 %1</translation>
    </message>
    <message>
        <source>special</source>
        <translation>特殊</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>reused from an earlier turn</source>
        <translation>复用自更早的一轮</translation>
    </message>
    <message>
        <source>p %1</source>
        <translation>p %1</translation>
    </message>
</context>
<context>
    <name>TokensView</name>
    <message>
        <source>ids</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Show the id of each piece</source>
        <translation>显示每个片段的编号</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>special</source>
        <translation>特殊</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>%1 prompt + %2 generated</source>
        <translation>提示 %1 + 生成 %2</translation>
    </message>
    <message>
        <source>%1 reused</source>
        <translation>%1 个复用</translation>
    </message>
    <message>
        <source>tokenized in %1</source>
        <translation>分词用时 %1</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>id %1</source>
        <translation>编号 %1</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>from the chat template</source>
        <translation>来自对话模板</translation>
    </message>
    <message>
        <source>K and V reused from an earlier turn</source>
        <translation>K 与 V 复用自更早的一轮</translation>
    </message>
    <message>
        <source>raw p %1</source>
        <translation>原始 p %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>排名 %1</translation>
    </message>
    <message>
        <source>%1 after the one before</source>
        <translation>距前一个 %1</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>open one</source>
        <translation>请打开</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>%1/%2 heads</source>
        <translation>%1/%2 头</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>KV %1 / %2</source>
        <translation>KV %1 / %2</translation>
    </message>
    <message>
        <source>TTFT · target ≤ %1</source>
        <translation>TTFT · 目标 ≤ %1</translation>
    </message>
    <message>
        <source>target ≤ %1</source>
        <translation>目标 ≤ %1</translation>
    </message>
    <message>
        <source>The model: open another, or look into the catalogue</source>
        <translation>模型：打开其他模型，或查看模型目录</translation>
    </message>
    <message>
        <source>The machine part that computes, its instruction set, and how many threads</source>
        <translation>负责计算的设备、指令集与线程数</translation>
    </message>
    <message>
        <source>Tokens in the context, and the memory of their keys and values. The pale part is your draft.</source>
        <translation>上下文中的词元，以及它们的键和值占用的内存。浅色部分是你的草稿。</translation>
    </message>
    <message>
        <source>Time to first token: from sending to the first token of the answer</source>
        <translation>首词元时间：从发送到回答的首个词元</translation>
    </message>
    <message>
        <source>Time per output token: mean gap between the tokens of the answer</source>
        <translation>每输出词元时间：回答中词元间隔的平均值</translation>
    </message>
    <message>
        <source>Language: English or Chinese</source>
        <translation>语言：英文或中文</translation>
    </message>
    <message>
        <source>Dark or light</source>
        <translation>深色或浅色</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>TranscriptButtons</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Edit and ask again</source>
        <translation>编辑并重新提问</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>删除此处及之后的内容</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation>对话内容</translation>
    </message>
    <message>
        <source>Go to the newest text</source>
        <translation>回到最新内容</translation>
    </message>
</context>
<context>
    <name>ViewBase</name>
    <message>
        <source>Tokenizing…</source>
        <translation>正在分词…</translation>
    </message>
    <message>
        <source>The prompt is being split into tokens.</source>
        <translation>正在把提示切分为词元。</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>未加载模型</translation>
    </message>
    <message>
        <source>Open a GGUF file from the menu, or drop one onto the window.</source>
        <translation>从菜单打开 GGUF 文件，或把文件拖到窗口中。</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>Send a message: this view fills while the model answers.</source>
        <translation>发送一条消息：模型回答时，此视图会随之填充。</translation>
    </message>
</context>
<context>
    <name>ViewSpec</name>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Ask, and watch it answer</source>
        <translation>提问，并观看它如何回答</translation>
    </message>
    <message>
        <source>Opening the model…</source>
        <translation>正在打开模型…</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>打开模型即可开始</translation>
    </message>
    <message>
        <source>Your words become tokens, prefill fills the cache layer by layer, then one token after the other is decoded. Every figure is measured on this run.</source>
        <translation>你的话先变成词元，预填充逐层填满缓存，随后词元一个接一个解码出来。每个数字都是本次运行的实测。</translation>
    </message>
    <message>
        <source>The weights are being read.</source>
        <translation>正在读取权重。</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Catalogue…</source>
        <translation>模型目录…</translation>
    </message>
    <message>
        <source>Drop a model here, look for those you have, or take one of the catalogue. Everything runs on this machine.</source>
        <translation>把模型拖到这里，查找已有的模型，或从模型目录中获取。一切都在本机运行。</translation>
    </message>
    <message>
        <source>Library…</source>
        <translation>模型库…</translation>
    </message>
    <message>
        <source>Models that are on this machine already</source>
        <translation>本机上已有的模型</translation>
    </message>
</context>
</TS>
