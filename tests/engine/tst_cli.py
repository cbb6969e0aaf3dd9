#!/usr/bin/python3
"""The terminal program from outside, on made-up models: tst_cli.py CLI MAKE_TINY_MODELS [unittest options]."""
import base64
import json
import math
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

CLI, MAKER = sys.argv[1], sys.argv[2]
COMMANDS = 'run chat logits nll attention tokenize detokenize render info bench'.split()
FOLDER = tempfile.TemporaryDirectory()
IDS = [5, 70, 99, 120, 7, 33, 210, 64, 5, 17]
CSV = ','.join(map(str, IDS))


def path(name):
    return os.path.join(FOLDER.name, name)


def cli(*args, text='', timeout=500):  # a guard against a hang, not a limit: sanitizers on a busy machine need minutes
    done = subprocess.run([CLI, *map(str, args)], input=text.encode(), capture_output=True, timeout=timeout)
    return done.returncode, done.stdout.decode('utf8'), done.stderr.decode('utf8')


def lines(*args, rows):
    code, out, err = cli(*args, '--jsonl', text=''.join((r if isinstance(r, str) else json.dumps(r)) + '\n' for r in rows))
    return code, [json.loads(l) for l in out.splitlines()], err


def npy(name):
    with open(path(name), 'rb') as f:
        data = f.read()
    assert data[:8] == b'\x93NUMPY\x01\x00', data[:8]
    size = struct.unpack('<H', data[8:10])[0]
    header = eval(data[10:10 + size])
    assert header['descr'] == '<f4' and not header['fortran_order']
    values = struct.unpack('<%df' % ((len(data) - 10 - size) // 4), data[10 + size:])
    assert len(values) == math.prod(header['shape']), (len(values), header['shape'])
    return header['shape'], values


LLAMA, QWEN, PATIENT, FOREIGN = (path(n) for n in ('llama.gguf', 'qwen2.gguf', 'patient.gguf', 'foreign.gguf'))
GEMMA2, EXPERTS, LONGROPE = (path(n) for n in ('gemma2.gguf', 'experts.gguf', 'longrope.gguf'))


class Case(unittest.TestCase):
    def good(self, *args, text=''):
        code, out, err = cli(*args, text=text)
        self.assertEqual(code, 0, err)
        return out

    def bad(self, code, *args, text=''):
        got, out, err = cli(*args, text=text)
        self.assertEqual(got, code, (args, out, err))
        self.assertEqual(out, '', args)
        sentences = [l for l in err.splitlines() if l.startswith('vitrine-cli')]
        self.assertEqual(len(sentences), 1, err)
        return sentences[0]


class Usage(Case):
    def test_help_and_version(self):
        text = self.good('--help')
        for command in COMMANDS:
            self.assertIn('\n  ' + command + ' ', text)
            self.assertIn('-m, --model FILE', self.good(command, '--help'))
        self.assertRegex(self.good('--version'), r'^vitrine-cli \d+\.\d+\.\d+\n$')

    def test_wrong_usage_is_2_with_one_sentence(self):
        for args in ([], ['fly'], ['run', '--fly'], ['run', '-m', LLAMA], ['run', '-p', 'x'], ['run', '-m', LLAMA, '-p', 'x', '-n', 'x'],
                     ['run', '-m', LLAMA, '-p', 'x', '--ids', '1'], ['run', '-m', LLAMA, '-p', 'x', '--temp', 'nan'], ['run', '-m', LLAMA, 'x'],
                     ['logits', '-m', LLAMA], ['logits', '-m', LLAMA, '--ids', ''], ['logits', '-m', LLAMA, '--ids', '1', '--all'],
                     ['attention', '-m', LLAMA, '--ids', '1', '--layer', '0'], ['attention', '-m', LLAMA, '--ids', '1,2', '--layer', '0', '--rows', '2:1', '--out', 'x'],
                     ['tokenize', '-p', 'x'], ['tokenize', '-m', LLAMA, '--tokenizer', 'x', '-p', 'x'], ['render', '-m', LLAMA], ['info'],
                     ['run', '-m', LLAMA, '-p', 'x', '--kv', 'f64'], ['run', '-m', LLAMA, '-p', 'x', '--observe', 'all'], ['bench', '-m', LLAMA, '-p', '0', '-n', '0']):
            if args:
                self.bad(2, *args)
            else:
                self.assertEqual(cli()[0], 2)

    def test_what_is_not_there_yet_says_so(self):
        for args in (['run', '-p', 'x', '--record', 'f'], ['run', '-p', 'x', '--backend', 'cuda'], ['bench', '--ceilings']):
            self.assertIn('not yet', self.bad(2, args[0], '-m', LLAMA, *args[1:]))

    def test_types_of_the_cache(self):
        for options, name in (([], 'f16'), (['--kv', 'bf16'], 'bf16'), (['--kv', 'f16', '--kv-v', 'f32'], 'f16/f32')):
            run = json.loads(self.good('run', '-m', LLAMA, '-p', 'x', '-n', '2', '--json', *options))
            self.assertEqual(run['kv']['type'], name)
        # Its heads have 16 values, which blocks of 32 cannot hold.
        self.assertIn('blocks of 32', self.bad(1, 'run', '-m', LLAMA, '-p', 'x', '--kv', 'q8_0'))


class BadInput(Case):
    def test_files_that_are_no_models(self):
        with open(LLAMA, 'rb') as f:
            whole = f.read()
        with open(path('cut.gguf'), 'wb') as f:
            f.write(whole[:len(whole) // 2])
        with open(path('text.gguf'), 'w') as f:
            f.write('hello\n')
        open(path('empty.gguf'), 'w').close()
        for file in ('missing.gguf', '.', 'cut.gguf', 'text.gguf', 'empty.gguf'):
            for args in (['run', '-p', 'x'], ['logits', '--ids', '1'], ['info'], ['tokenize', '-p', 'x']):
                if file == 'cut.gguf' and args[0] == 'tokenize':
                    continue
                self.assertGreater(len(self.bad(1, args[0], '-m', path(file), *args[1:])), 30)

    def test_ids_outside_the_vocabulary(self):
        for args in (['run'], ['logits'], ['nll'], ['attention', '--layer', 0, '--out', path('x.npy')], ['detokenize']):
            self.assertIn('99999', self.bad(1, args[0], '-m', LLAMA, '--ids', '1,99999', *args[1:]))
        self.assertFalse(os.path.exists(path('x.npy')))

    def test_prompt_longer_than_the_context(self):
        for args in (['run'], ['logits'], ['nll'], ['attention', '--layer', 0, '--out', path('x.npy')]):
            self.assertIn('context', self.bad(1, args[0], '-m', LLAMA, '-c', 16, '--ids', ','.join(['9'] * 40), *args[1:]))

    def test_places_that_cannot_be_written(self):
        for place in (path('no/folder/x.npy'), FOLDER.name):
            self.assertIn('--out', self.bad(1, 'logits', '-m', LLAMA, '--ids', CSV, '--out', place))
        if os.path.exists('/dev/full'):
            self.bad(1, 'logits', '-m', LLAMA, '--ids', CSV, '--out', '/dev/full')
            with open('/dev/full', 'w') as full:
                done = subprocess.run([CLI, 'tokenize', '-m', LLAMA, '-p', 'x'], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'could not be written', done.stderr)

    def test_missing_text_file(self):
        self.bad(1, 'nll', '-m', LLAMA, '-f', path('missing.txt'))
        self.bad(1, 'run', '-m', LLAMA, '-f', FOLDER.name)

    def test_layer_and_head_that_are_not_there(self):
        for args in (['--layer', 2], ['--layer', 0, '--head', 4]):
            self.assertIn('layers 0 to 1', self.bad(1, 'attention', '-m', LLAMA, '--ids', CSV, '--out', path('x.npy'), *args))


class Run(Case):
    def object(self, *args, model=LLAMA):
        return json.loads(self.good('run', '-m', model, '--json', '--temp', 0, *args))

    def check_times(self, r):
        self.assertEqual(r['ttft_ns'], r['queue_ns'] + r['template_ns'] + r['tokenize_ns'] + r['prefill_ns'] + r['first_sample_ns'])
        self.assertEqual(len(r['itl_ns']), len(r['ids']) - 1)
        self.assertEqual(r['e2e_ns'], r['ttft_ns'] + sum(r['itl_ns']))
        if len(r['ids']) < 2:
            self.assertIsNone(r['tpot_ns'])
        else:
            self.assertAlmostEqual(r['tpot_ns'], sum(r['itl_ns']) / len(r['itl_ns']), delta=1)

    def test_run_object(self):
        for mode in ([], ['--exact']):
            r = self.object('--ids', CSV, '-n', 12, '--ignore-eos', '--top', 3, *mode)
            self.check_times(r)
            self.assertEqual(r['prompt_ids'], IDS)
            self.assertEqual((len(r['ids']), r['outcome'], r['cached_tokens'], r['dropped_events']), (12, 'length', 0, 0))
            self.assertEqual([len(c) for c in r['candidates']], [3] * 12)
            for best, chosen in zip(r['candidates'], r['ids']):
                self.assertEqual(best[0][0], chosen)
                self.assertGreaterEqual(best[0][1], best[1][1])
                self.assertTrue(0 < best[0][2] <= 1)
            self.assertEqual(r['kv']['type'], 'f32' if mode else 'f16')
            self.assertGreaterEqual(r['kv']['pages'] * r['kv']['page_tokens'], len(IDS) + 11)
            self.assertGreaterEqual(r['kv']['bytes_allocated'], r['kv']['bytes_used'])
            for part in ('weights', 'kv', 'activations', 'scratch', 'capture', 'rss'):
                self.assertGreaterEqual(r['memory'][part], 0)
            self.assertGreater(r['memory']['rss'], r['memory']['weights'])

    def test_one_token_has_no_gap(self):
        r = self.object('--ids', CSV, '-n', 1)
        self.assertEqual(r['itl_ns'], [])
        self.check_times(r)

    def test_text_equals_the_object_and_times_go_to_stderr(self):
        args = ['-p', 'what is this', '-n', 20, '--ignore-eos', '--temp', 0]
        r = self.object(*args[:-2])
        code, out, err = cli('run', '-m', LLAMA, *args)
        self.assertEqual(code, 0)
        self.assertEqual(out.rstrip('\n'), r['text'].rstrip('\n'))
        self.assertIn('20 tokens at', err)
        self.assertGreater(r['template_ns'] + r['tokenize_ns'], 0)

    def test_prompt_kinds(self):
        chat = self.object('-p', 'hello', '-s', 'be brief', '-n', 2)['prompt_ids']
        same = lines('run', '-m', LLAMA, '--temp', 0, rows=[{'messages': [{'role': 'system', 'content': 'be brief'}, {'role': 'user', 'content': 'hello'}], 'n': 2}])[1][0]
        self.assertEqual(chat, same['prompt_ids'])
        text = json.loads(self.good('render', '-m', LLAMA, '-p', 'hello', '-s', 'be brief'))['text']
        self.assertEqual(json.loads(self.good('tokenize', '-m', LLAMA, '-p', text, '--special'))['ids'], chat)
        raw = self.object('-p', 'hello', '--raw', '-n', 2)['prompt_ids']
        self.assertEqual(raw, json.loads(self.good('tokenize', '-m', LLAMA, '-p', 'hello', '--add-special'))['ids'])
        with open(path('prompt.txt'), 'w') as f:
            f.write('hello')
        self.assertEqual(self.object('-f', path('prompt.txt'), '--raw', '-n', 2)['prompt_ids'], raw)

    def test_seed_decides(self):
        runs = [json.loads(self.good('run', '-m', LLAMA, '--json', '--ids', CSV, '-n', 24, '--ignore-eos', '--temp', 1.5, '--top-k', 0, '--top-p', 1, '--min-p', 0, '--seed', s))['ids']
                for s in (1, 1, 2)]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_lines_share_the_cache_and_failures_go_on(self):
        rows = [{'ids': IDS, 'n': 6, 'ignore_eos': True}, 'no json', {'ids': [1, 99999]}, {'n': 3}, {'ids': IDS, 'n': 'x'},
                {'ids': IDS + [1, 2], 'n': 4, 'ignore_eos': True}, {'ids': [9] * 3000}, {'ids': IDS, 'n': 6, 'ignore_eos': True}]
        code, got, _ = lines('run', '-m', LLAMA, '--temp', 0, '--exact', rows=rows)
        self.assertEqual(code, 1)
        self.assertEqual(len(got), len(rows))
        for k in (1, 2, 3, 4, 6):
            self.assertTrue(got[k]['error']['code'] and got[k]['error']['message'], got[k])
        self.assertEqual(got[0]['cached_tokens'], 0)
        self.assertGreaterEqual(got[5]['cached_tokens'], len(IDS) - 1)
        self.assertEqual(got[7]['ids'], got[0]['ids'])
        for k in (0, 5, 7):
            self.check_times(got[k])

    def test_stop_text(self):
        whole = self.object('--ids', CSV, '-n', 30, '--ignore-eos')
        middle = whole['text'][len(whole['text']) // 2:][:2]
        self.assertTrue(middle.strip('\ufffd'), 'the model must say something to stop at')
        r = self.object('--ids', CSV, '-n', 30, '--ignore-eos', '--stop', middle)
        self.assertEqual(r['outcome'], 'stop')
        self.assertNotIn(middle, r['text'])
        self.assertTrue(whole['text'].startswith(r['text']))

    def test_time_limit(self):
        r = self.object('--ids', CSV, '--ignore-eos', '--timeout', 0.3, '-n', 1000000, model=PATIENT)
        self.assertEqual(r['outcome'], 'timeout')
        self.assertLess(r['e2e_ns'], 2e9)

    def test_context_full(self):
        r = self.object('--ids', CSV, '--ignore-eos', '-c', 32)
        self.assertEqual(r['outcome'], 'context_full')
        self.assertGreaterEqual(len(IDS) + len(r['ids']), 32)

    def test_observation_changes_no_token(self):
        runs = [self.object('--ids', CSV, '-n', 16, '--ignore-eos', '--observe', o)['ids'] for o in ('off', 'default', 'rows')]
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])

    def test_interrupt_prints_what_is_there(self):
        command = [CLI, 'run', '-m', PATIENT, '--ids', CSV, '--temp', '1', '--ignore-eos']
        p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first = p.stdout.read(1)
        p.send_signal(signal.SIGINT)
        out, err = p.communicate(timeout=20)
        self.assertEqual(p.returncode, 130, err)
        self.assertTrue(first)
        self.assertIn('user', err.decode())
        for delay in (1, 4, 16):  # the object says nothing before its end: on a busy machine the first may hit the load
            p = subprocess.Popen(command + ['--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(delay)
            p.send_signal(signal.SIGINT)
            out, err = p.communicate(timeout=20)
            self.assertEqual(p.returncode, 130, err)
            if out and json.loads(out)['ids']:
                break
        r = json.loads(out)
        self.assertEqual(r['outcome'], 'user')
        self.check_times(r)


class Chat(Case):
    def test_lines_without_a_terminal(self):
        code, out, err = cli('chat', '-m', LLAMA, '-n', 8, '--temp', 0, '--ignore-eos', text='hello\n\nand now?\n')
        self.assertEqual(code, 0, err)
        stats = [l for l in err.splitlines() if 'prompt tokens in' in l]
        self.assertEqual(len(stats), 2, err)
        self.assertIn('reused', stats[1])
        self.assertNotIn('> ', out.replace('\n', ' ')[:2])

    def test_interrupt_leaves(self):
        p = subprocess.Popen([CLI, 'chat', '-m', PATIENT, '--ignore-eos'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdin.write(b'hello\n')
        p.stdin.flush()
        p.stdout.read(1)
        p.send_signal(signal.SIGINT)
        _, err = p.communicate(timeout=20)
        self.assertEqual(p.returncode, 130, err)
        self.assertIn('user', err.decode())


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *args):
        self.seen = ''
        try:
            self.pid, self.fd = pty.fork()
        except OSError as error:  # a chroot without /dev/pts
            raise unittest.SkipTest('the system gives no terminal: %s' % error)
        if self.pid == 0:
            os.execv(CLI, [CLI, *map(str, args)])

    def wait(self, text, timeout=30):
        end = time.monotonic() + timeout
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.fd, 65536).decode('utf8', 'replace')
                except OSError:  # the other side is closed
                    break
        if text not in self.seen:
            raise AssertionError('%r did not appear: %r' % (text, self.seen[-500:]))
        self.seen = self.seen.split(text, 1)[1]

    def type(self, text):
        os.write(self.fd, text.encode())

    def exit_code(self, timeout=20):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError('still running')


class TerminalChat(Case):
    def test_interrupt_stops_the_answer_and_the_chat_goes_on(self):
        t = Terminal('chat', '-m', PATIENT, '--ignore-eos')
        t.wait('> ')
        for text in ('hello', 'and you?'):
            t.type(text + '\n')
            time.sleep(1)
            t.type('\x03')
            t.wait('user')
            t.wait('> ')
        t.type('/exit\n')
        self.assertEqual(t.exit_code(), 0)

    def test_two_interrupts_leave(self):
        t = Terminal('chat', '-m', LLAMA)
        t.wait('> ')
        t.type('\x03')
        t.wait('once more')
        t.type('\x03')
        self.assertEqual(t.exit_code(), 130)

    def test_end_of_input_leaves(self):
        t = Terminal('chat', '-m', LLAMA)
        t.wait('> ')
        t.type('\x04')
        self.assertEqual(t.exit_code(), 0)


class Numbers(Case):
    def test_logits_and_top_agree(self):
        self.good('logits', '-m', LLAMA, '--ids', CSV, '--exact', '--out', path('last.npy'))
        self.good('logits', '-m', LLAMA, '--ids', CSV, '--exact', '--all', '--out', path('all.npy'))
        shape, last = npy('last.npy')
        n = shape[0]
        all_shape, everything = npy('all.npy')
        self.assertEqual(all_shape, (len(IDS), n))
        self.assertEqual(everything[-n:], last)
        total = math.log(sum(math.exp(x - max(last)) for x in last)) + max(last)
        code, got, _ = lines('logits', '-m', LLAMA, '--exact', rows=[{'ids': IDS, 'top': 5}, {'ids': [n]}, {'ids': IDS, 'top': n}])
        self.assertEqual((code, len(got)), (1, 3))
        self.assertIn('error', got[1])
        self.assertAlmostEqual(got[0]['logsumexp'], total, places=9)
        self.assertEqual(got[0]['top'], got[2]['top'][:5])
        for i, p in got[2]['top']:
            self.assertAlmostEqual(p, last[i] - total, places=9)
        self.assertEqual([p for _, p in got[2]['top']], sorted((p for _, p in got[2]['top']), reverse=True))
        one = json.loads(self.good('logits', '-m', LLAMA, '--exact', '--ids', CSV, '--top', 5))
        self.assertEqual(one, got[0])

    def test_nll_is_the_mean_over_the_logits(self):
        self.good('logits', '-m', LLAMA, '--ids', CSV, '--exact', '--all', '--out', path('all.npy'))
        (rows, n), x = npy('all.npy')
        want = 0
        for i in range(rows - 1):
            row = x[i * n:(i + 1) * n]
            want += math.log(sum(math.exp(v - max(row)) for v in row)) + max(row) - row[IDS[i + 1]]
        want /= rows - 1
        got = json.loads(self.good('nll', '-m', LLAMA, '--ids', CSV, '--exact'))
        self.assertEqual(got['tokens'], len(IDS))
        self.assertAlmostEqual(got['nll_mean'], want, places=9)
        self.assertAlmostEqual(got['ppl'], math.exp(want), places=6)
        with open(path('text.txt'), 'w') as f:
            f.write('the cat and the dog')
        ids = json.loads(self.good('tokenize', '-m', LLAMA, '-p', 'the cat and the dog', '--add-special'))['ids']
        self.assertEqual(json.loads(self.good('nll', '-m', LLAMA, '-f', path('text.txt'), '--exact')), lines('nll', '-m', LLAMA, '--exact', rows=[{'ids': ids}])[1][0])
        self.bad(1, 'nll', '-m', LLAMA, '--ids', '5')

    def test_attention_rows_sum_to_1_and_parts_equal_the_whole(self):
        for model in (LLAMA, QWEN):
            for mode in ([], ['--exact']):
                common = ['attention', '-m', model, '--ids', CSV, '--layer', 1, *mode]
                self.good(*common, '--out', path('a.npy'), '--lse', path('l.npy'))
                (heads, rows, keys), a = npy('a.npy')
                self.assertEqual((heads, rows, keys), (4, len(IDS), len(IDS)))
                self.assertEqual(npy('l.npy')[0], (heads, rows))
                for h in range(heads):
                    for i in range(rows):
                        row = a[(h * rows + i) * keys:][:keys]
                        self.assertAlmostEqual(sum(row), 1, delta=2e-3)
                        self.assertTrue(all(v == 0 for v in row[i + 1:]))
                self.good(*common, '--out', path('b.npy'), '--lse', path('m.npy'), '--head', 2, '--rows', '3:7', '--keys', '1:5')
                shape, b = npy('b.npy')
                self.assertEqual(shape, (1, 4, 4))
                self.assertEqual(list(b), [a[(2 * rows + i) * keys + j] for i in range(3, 7) for j in range(1, 5)])
                self.assertEqual(npy('m.npy')[1], npy('l.npy')[1][2 * rows + 3:2 * rows + 7])


class Texts(Case):
    def test_there_and_back(self):
        texts = ['the cat', '', 'Grüße 你好 😀', 'a\x00b\r\n\t', '<|im_end|>']
        code, got, _ = lines('tokenize', '-m', LLAMA, rows=[{'text': t} for t in texts] + [{}, {'text': 5}])
        self.assertEqual(code, 1)
        self.assertEqual([('error' in g) for g in got], [False] * 5 + [True] * 2)
        back = lines('detokenize', '-m', LLAMA, rows=[{'ids': g['ids']} for g in got[:5]])[1]
        self.assertEqual([base64.b64decode(b['bytes']).decode() for b in back], texts)

    def test_special_tokens_only_where_they_are_asked_for(self):
        rows = [{'text': '<|im_end|>'}, {'text': '<|im_end|>', 'special': True}]
        plain, special = lines('tokenize', '-m', LLAMA, rows=rows)[1]
        self.assertGreater(len(plain['ids']), 1)
        self.assertEqual(len(special['ids']), 1)
        self.assertEqual(lines('tokenize', '-m', LLAMA, '--special', rows=rows[:1])[1][0], special)

    def test_stream_holds_back_half_characters(self):
        ids = json.loads(self.good('tokenize', '-m', LLAMA, '-p', 'a😀'))['ids']
        self.assertEqual(len(ids), 5)
        got = json.loads(self.good('detokenize', '-m', LLAMA, '--stream', '--ids', ','.join(map(str, ids))))
        self.assertEqual(got, {'steps': ['a', 'a', 'a', 'a', 'a😀'], 'final': 'a😀'})
        cut = lines('detokenize', '-m', LLAMA, '--stream', rows=[{'ids': ids[:3]}])[1][0]
        self.assertEqual(cut, {'steps': ['a', 'a', 'a'], 'final': 'a\ufffd'})

    def test_render(self):
        rows = [{'messages': [{'role': 'user', 'content': 'hi'}], 'add_generation_prompt': True}, {'messages': [{'role': 'user', 'content': 'hi'}]},
                {'messages': [], 'template': '{{ raise_exception("no") }}'}, {'messages': 'hi'},
                {'template': '{% for k in d %}{{ k }}={{ d[k] }} {% endfor %}', 'd': {'b': 1, 'a': None}}, {'template': '{{ strftime_now("%d %B") }}'}, {'template': '\n{% x %}'}]
        code, got, _ = lines('render', '-m', LLAMA, '--now', '2026-11-30T12:34:56', rows=rows)
        self.assertEqual(code, 1)
        self.assertTrue(got[0]['text'].startswith(got[1]['text']) and got[0]['text'].endswith('assistant\n'))
        self.assertIn('<|im_start|>user\nhi<|im_end|>', got[1]['text'])
        self.assertTrue('error' in got[2] and 'error' in got[3])
        self.assertEqual([got[4], got[5]], [{'text': 'b=1 a=None '}, {'text': '30 November'}])
        self.assertIn('line 2', got[6]['error']['message'])
        with open(path('t.jinja'), 'w') as f:
            f.write('<{{ messages[0].content }}>')
        self.assertEqual(json.loads(self.good('render', '--template', path('t.jinja'), '-p', 'hi')), {'text': '<hi>'})
        self.bad(1, 'render', '--template', path('none.jinja'), '-p', 'hi')
        self.bad(2, 'render', '-m', LLAMA, '-p', 'x', '--now', 'today')


class Info(Case):
    def test_runnable(self):
        for model, name in ((LLAMA, 'llama'), (QWEN, 'qwen2')):
            got = json.loads(self.good('info', '-m', model, '--json', '--tensors'))
            self.assertEqual((got['architecture'], got['layers'], got['heads'], got['kv_heads']), (name, 2, 4, 2))
            self.assertEqual(got['kv_bytes_per_token'], {'f16': 2 * 2 * 2 * 16 * 2, 'f32': 2 * 2 * 2 * 16 * 4})
            self.assertTrue(got['runnable'] and got['fit']['fits'] and not got['missing'])
            self.assertEqual(sum(t['bytes'] for t in got['tensors']), got['weight_bytes'])
        self.assertIn('kv_bytes_per_token', self.good('info', '-m', LLAMA, '--tensors'))

    def test_what_sets_architectures_apart(self):
        got = json.loads(self.good('info', '-m', GEMMA2, '--json'))
        self.assertEqual((got['window'], got['attention_softcap'], got['logit_softcap']), ({'tokens': 24, 'layers': 1}, 4, 9))
        got = json.loads(self.good('info', '-m', EXPERTS, '--json'))
        self.assertEqual(got['experts'], {'count': 4, 'used': 2, 'ff_dim': 32})
        got = json.loads(self.good('info', '-m', LONGROPE, '--json'))
        self.assertEqual((got['rope']['scaling'], got['rope']['original_context']), ('longrope', 40))
        self.assertNotIn('window', json.loads(self.good('info', '-m', LLAMA, '--json')))

    def test_a_recompute_is_told_and_counted(self):
        code, out, err = cli('run', '-m', LONGROPE, '--ids', ','.join(map(str, range(5, 43))), '-n', 6, '--temp', 0, '--ignore-eos', '--json')
        self.assertEqual(code, 0)
        got = json.loads(out)
        self.assertEqual(got['recompute']['tokens'], 40)
        self.assertTrue(0 < got['recompute']['ns'] <= got['itl_ns'][2])
        self.assertIn('evaluated again', err)

    def test_what_is_missing(self):
        got = json.loads(self.good('info', '-m', FOREIGN, '--json'))
        self.assertFalse(got['runnable'])
        self.assertIn('mamba', got['missing'][0])
        self.assertIn('cannot run', self.good('info', '-m', FOREIGN))
        self.bad(1, 'run', '-m', FOREIGN, '-p', 'x')


class Bench(Case):
    def test_rows(self):
        rows = json.loads(self.good('bench', '-m', LLAMA, '-p', 32, '-n', 8, '-d', '0,40', '-r', 2, '--json'))
        self.assertEqual([r['test'] for r in rows], ['pp32', 'tg8', 'pp32 @ d40', 'tg8 @ d40'])
        for r in rows:
            self.assertEqual(len(r['samples_ts']), 2)
            self.assertTrue(r['avg_ts'] > 0 and r['bytes'] > 0 and r['flops'] > 0 and r['share'] is None)
        # metrics.md: 2·S·P_blk + 4·L·n_q·d_h·S(S+1)/2 + 2·P_head, of the made-up model's sizes.
        info = json.loads(self.good('info', '-m', LLAMA, '--json'))
        block = 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96)
        self.assertEqual(rows[0]['flops'], 2 * 32 * block + 4 * 2 * 64 * 32 * 33 // 2 + 2 * 64 * info['vocab'])
        self.assertEqual(rows[3]['flops'], 8 * 2 * (block + 64 * info['vocab']) + 4 * 2 * 64 * sum(range(41, 49)))
        # A window of 24 in one of two layers; two of four experts of width 32 and the router.
        rows = json.loads(self.good('bench', '-m', GEMMA2, '-p', 32, '-n', 8, '-d', 40, '-r', 1, '--json'))
        self.assertEqual(rows[0]['flops'], 2 * 32 * block + 4 * 64 * (sum(range(41, 73)) + 24 * 32) + 2 * 64 * info['vocab'])
        rows = json.loads(self.good('bench', '-m', EXPERTS, '-p', 32, '-n', 8, '-r', 1, '--json'))
        sparse = 2 * (2 * 64 * 64 + 2 * 64 * 32 + 2 * 3 * 64 * 32 + 4 * 64)
        self.assertEqual(rows[0]['flops'], 2 * 32 * sparse + 4 * 2 * 64 * 32 * 33 // 2 + 2 * 64 * info['vocab'])
        self.assertIn('tg8', self.good('bench', '-m', LLAMA, '-p', 32, '-n', 8, '-r', 1))

    def test_observe(self):
        rows = json.loads(self.good('bench', '-m', LLAMA, '-p', 32, '-n', 8, '-r', 2, '--observe', 'off,default,rows', '--json'))
        self.assertEqual([r['observe'] for r in rows], ['off', 'default', 'rows'])
        for r in rows:
            self.assertTrue(r['identical'] and r['prefill_ts'] > 0 and r['decode_ts'] > 0)
            # A reused prefix would show as a prefill that costs nothing.
            self.assertGreater(r['prefill_cost_percent'], -80)

    def test_stop(self):
        row = json.loads(self.good('bench', '-m', PATIENT, '--exact', '--stop', 3, '--stop-prompt', 4000, '--json'))[0]
        self.assertEqual(len(row['samples_ms']), 3)
        self.assertTrue(row['next_answer_bit_equal'])
        self.assertTrue(0 < row['kept_tokens'] < 4000, row)
        self.assertLessEqual(row['median_ms'], row['worst_ms'])

    def test_peer(self):
        with open(path('peer'), 'w') as f:
            f.write('#!/bin/sh\necho "$@" >> "$0.args"\necho \'[{"flash_attn":0,"avg_ts":10.0},{"flash_attn":1,"avg_ts":20.0}]\'\n')
        os.chmod(path('peer'), 0o755)
        rows = json.loads(self.good('bench', '-m', LLAMA, '-p', 32, '-n', 8, '-r', 2, '-t', 1, '--peer', path('peer'), '--json'))
        for r in rows:
            self.assertEqual(r['peer']['median_ts'], 20)
            self.assertAlmostEqual(r['ratio'], sorted(r['samples_ts'])[0] / 40 + sorted(r['samples_ts'])[1] / 40, places=9)
        with open(path('peer.args')) as f:
            calls = f.read().splitlines()
        self.assertEqual([('-p 32 -n 0' in c, '-t 1' in c) for c in calls], [(True, True), (False, True)] * 2)
        self.assertIn('peer', self.bad(1, 'bench', '-m', LLAMA, '-p', 8, '-n', 0, '-r', 1, '--peer', path('nobody')))


class Plan(Case):
    SHAPE = '80,8192,64,8,128,29568,152064'

    def test_free_numbers_are_exact(self):
        got = json.loads(self.good('plan', '--shape', self.SHAPE, '--context', '131072', '--json'))
        self.assertEqual(got['kv_bytes'], 42_949_672_960)
        self.assertEqual(got['kv_bytes_per_token'], 327_680)
        self.assertEqual(got['what_if']['mha']['bytes'], 8 * 42_949_672_960)
        self.assertAlmostEqual(got['saving_over_mha'], 0.875)
        self.assertIn('42,949,672,960 B = 40.0 GiB', self.good('plan', '--shape', self.SHAPE, '-c', '131072'))

    def test_a_file_and_its_run_agree(self):
        got = json.loads(self.good('plan', '-m', LLAMA, '--json'))
        info = json.loads(self.good('info', '-m', LLAMA, '--json'))
        self.assertTrue(got['can_run'])
        self.assertEqual(got['kv_bytes_per_token'], info['kv_bytes_per_token']['f16'])
        self.assertEqual(got['parameters'], info['parameters'])

    def test_what_cannot_be_planned_says_why(self):
        self.bad(2, 'plan')
        self.bad(2, 'plan', '--shape', self.SHAPE, '-c', '1', '--kv', 'f8')
        self.assertIn('64 bits', self.bad(1, 'plan', '--shape', self.SHAPE, '-c', str(2**63 - 1)))
        self.bad(1, 'plan', '--shape', '0,1,1,1,1,1,1', '-c', '1')
        self.bad(1, 'plan', '--config', path('nowhere.json'))


if __name__ == '__main__':
    subprocess.run([MAKER, FOLDER.name], check=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
