#!/usr/bin/python3
"""Plants each kind of violation in a made-up tree and expects check_layering to find it, and to be silent on a clean tree."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_layering import violations  # noqa: E402

CLEAN = {
    'CMakeLists.txt': '', 'README.md': '', 'LICENSE': '', '.clang-format': '', 'build/x.cpp': '#include <QWidget>\n',
    'resources/icons/vitrine.svg': '', 'packaging/run.sh': '',
    'kernels/api/dtype.h': '#pragma once\n#include <cstdint>\n',
    'kernels/cpu/gemm.cpp': '#include "kernels/api/dtype.h"\n#include <immintrin.h>\n',
    'kernels/cuda/gemm.cu': '#include <cuda_runtime.h>\n#include "kernels/cuda/common.cuh"\n',
    'kernels/cuda/common.cuh': '#pragma once\n',
    'engine/base/error.h': '#pragma once\n#include <string>\n',
    'engine/io/gguf.cpp': '#include "kernels/api/dtype.h"\n#include <nlohmann/json.hpp>\n',
    'engine/observe/hub.h': '#pragma once\n#include "engine/base/error.h"\n',
    'engine/runtime/messages.h': '#pragma once\n', 'engine/runtime/session.h': '#pragma once\n',
    'gui/session/snapshot.h': '#pragma once\n#include "engine/runtime/messages.h"\n',
    'gui/views/kv_view.cpp': '#include <QWidget>\n#include <qcustomplot.h>\n#include "gui/session/snapshot.h"\n#include "kv_view.moc"\n',
    'gui/session/controller.cpp': '#include "engine/runtime/session.h"\n',
    'tests/gui/tst_kv.cpp': '#include <QtTest>\n', 'tests/engine/tst_gguf.cpp': '#include "kernels/cpu/gemm.h"\n',
    'engine/text/unicode_table.cpp': '0,\n' * 900,
}
PLANTED = {
    'Qt in the engine': ('engine/io/gguf.cpp', '#include <QString>'),
    'Qt in kernels': ('kernels/cpu/gemm.cpp', '#include <QtCore/QString>'),
    'Qt in a Qt-free test': ('tests/engine/tst_gguf.cpp', '#include <QTest>'),
    'QCustomPlot outside gui': ('engine/io/gguf.cpp', '  #  include "qcustomplot.h"'),
    'CUDA in the CPU back end': ('kernels/cpu/gemm.cpp', '#include <cuda_fp16.h>'),
    'CUDA in the engine': ('engine/io/gguf.cpp', '#include <cublas_v2.h>'),
    'a kernel that knows the engine': ('kernels/cpu/gemm.cpp', '#include "engine/base/error.h"'),
    'a kernel that knows the window': ('kernels/api/dtype.h', '#include "gui/session/snapshot.h"'),
    'an engine that knows the window': ('engine/io/gguf.cpp', '#include "gui/session/snapshot.h"'),
    'an engine that includes its tests': ('engine/io/gguf.cpp', '#include "tests/support/mini_test.h"'),
    'an engine below kernels/api': ('engine/io/gguf.cpp', '#include "kernels/cpu/gemm.h"'),
    'a window that reaches the kernels': ('gui/session/controller.cpp', '#include "kernels/api/dtype.h"'),
    'CPU includes CUDA': ('kernels/cpu/gemm.cpp', '#include "kernels/cuda/stream.h"'),
    'CUDA includes CPU': ('kernels/cuda/gemm.cu', '#include "kernels/cpu/thread_pool.h"'),
    'observation that knows runtime': ('engine/observe/hub.h', '#include "engine/runtime/session.h"'),
    'observation that knows kernels': ('engine/observe/hub.h', '#include "kernels/api/dtype.h"'),
    'a view that knows runtime': ('gui/views/kv_view.cpp', '#include "engine/runtime/session.h"'),
    'json in a header': ('engine/base/error.h', '#include <nlohmann/json_fwd.hpp>'),
    'json in a kernel': ('kernels/cpu/gemm.cpp', '#include <nlohmann/json.hpp>'),
    'a path that climbs': ('engine/io/gguf.cpp', '#include "../base/error.h"'),
    'a path from its own folder': ('engine/runtime/session.h', '#include "messages.h"'),
    'a file that is too long': ('gui/session/controller.cpp', '\n' * 600),
}


class Layering(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in CLEAN.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def test_clean_tree(self):
        self.assertEqual(violations(self.root), [])

    def test_each_planted_violation(self):
        for what, (name, line) in PLANTED.items():
            with self.subTest(what):
                (self.root / name).write_text(CLEAN[name] + line + '\n')
                found = violations(self.root)
                (self.root / name).write_text(CLEAN[name])
                self.assertTrue(found and all(f.startswith(name + ':') for f in found), found)

    def test_top_level(self):
        (self.root / 'src').mkdir()
        found = violations(self.root)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith('src:'))


if __name__ == '__main__':
    unittest.main()
