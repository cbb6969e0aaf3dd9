<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ChatPane</name>
    <message numerus="yes">
        <source>%n turn(s) above are no longer sent to the model</source>
        <translation>
            <numerusform>%n turn above is no longer sent to the model</numerusform>
            <numerusform>%n turns above are no longer sent to the model</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Drop the %n oldest turn(s) and continue</source>
        <translation>
            <numerusform>Drop the oldest turn and continue</numerusform>
            <numerusform>Drop the %n oldest turns and continue</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KvPageMap</name>
    <message numerus="yes">
        <source>page id %1 · %n reference(s)</source>
        <translation>
            <numerusform>page id %1 · %n reference</numerusform>
            <numerusform>page id %1 · %n references</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryModel</name>
    <message numerus="yes">
        <source>in %n file(s)</source>
        <translation>
            <numerusform>in %n file</numerusform>
            <numerusform>in %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryWindow</name>
    <message numerus="yes">
        <source>Show %n hidden</source>
        <translation>
            <numerusform>Show %n hidden</numerusform>
            <numerusform>Show %n hidden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shown</source>
        <translation>
            <numerusform>%n shown</numerusform>
            <numerusform>%n shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n folder(s)</source>
        <translation>
            <numerusform>%n folder</numerusform>
            <numerusform>%n folders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be looked through</source>
        <translation>
            <numerusform>%n could not be looked through</numerusform>
            <numerusform>%n could not be looked through</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n chat file(s) could not be read and are kept in %1: %2</source>
        <translation>
            <numerusform>%n chat file could not be read and is kept in %1: %2</numerusform>
            <numerusform>%n chat files could not be read and are kept in %1: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelInfoPane</name>
    <message numerus="yes">
        <source>%n tensor(s), %1</source>
        <translation>
            <numerusform>%n tensor, %1</numerusform>
            <numerusform>%n tensors, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlannerResults</name>
    <message numerus="yes">
        <source> (%n KV head(s))</source>
        <translation>
            <numerusform> (%n KV head)</numerusform>
            <numerusform> (%n KV heads)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptWindow</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln id(s) were copied.</source>
        <translation>
            <numerusform>%Ln id was copied.</numerusform>
            <numerusform>%Ln ids were copied.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
</TS>
