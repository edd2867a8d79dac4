import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree, runScript} from '../helpers/run-script.js';

interface Script {
  unreleasedChanges(text: string): string;
  releaseChanges(text: string, version: string, date: string): string;
  nextVersion(version: string, kind: string): string;
  writeVersion(root: string, version: string, fields?: object): string[];
  neededVersion(kind: string, version: string): string;
  publishedFields(): {private?: boolean; keywords: string[]};
}
const load = async (name: string) => (await import(join(projectRoot(), 'scripts/release', `${name}.mjs`))) as Script;

const changelog = `# Changelog

## [Unreleased]

### Added

- A thing

## [0.1.0] - 2026-01-01

- The first
`;

test('unreleased changes move below the heading of the version', async (t) => {
  const {unreleasedChanges, releaseChanges} = await load('changelog');
  t.is(unreleasedChanges(changelog), '### Added\n\n- A thing');
  const released = releaseChanges(changelog, '0.2.0', '2026-02-03');
  t.true(released.includes('## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- A thing\n\n## [0.1.0] - 2026-01-01\n'));
  t.throws(() => releaseChanges(released, '0.3.0', '2026-02-04'), {message: /says of nothing that it is unreleased/});
  t.throws(() => unreleasedChanges('# Changelog\n'), {message: /no heading/});
});

test('a version is set in the package, its lock file and the plugins that come with it', async (t) => {
  const {nextVersion, writeVersion} = await load('versions');
  t.deepEqual(
    ['major', 'minor', 'patch'].map((kind) => nextVersion('1.4.2', kind)),
    ['2.0.0', '1.5.0', '1.4.3'],
  );
  const manifest = '{\n  "name": "a",\n  "version": "0.1.0",\n  "kernel": "^0.1.0",\n  "resources": {"version": "v1"}\n}\n';
  const root = fileTree(t, {
    'package.json': '{"name": "@orch-api/orch", "version": "0.1.0", "private": true, "bin": {"orch": "x"}}\n',
    'package-lock.json': '{"version": "0.1.0", "packages": {"": {"version": "0.1.0"}, "node_modules/x": {"version": "0.1.0"}}}\n',
    'plugins/admission/a/plugin.json': manifest,
    'examples/b/plugin.json': manifest,
  });
  t.deepEqual(writeVersion(root, '0.2.0', {keywords: ['k']}), [
    'package.json',
    'package-lock.json',
    'plugins/admission/a/plugin.json',
    'examples/b/plugin.json',
  ]);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  t.deepEqual(JSON.parse(read('package.json')), {name: '@orch-api/orch', version: '0.2.0', keywords: ['k'], bin: {orch: 'x'}});
  t.deepEqual(JSON.parse(read('package-lock.json')), {
    version: '0.2.0',
    packages: {'': {version: '0.2.0'}, 'node_modules/x': {version: '0.1.0'}},
  });
  t.is(read('plugins/admission/a/plugin.json'), manifest.replaceAll('0.1.0', '0.2.0'));
  t.is(read('examples/b/plugin.json'), manifest.replace('^0.1.0', '^0.2.0'));
});

test('before 1.0.0 a minor version may break what was', async (t) => {
  const {neededVersion} = await load('change-kind');
  t.is(neededVersion('major', '0.9.0'), 'minor');
  t.is(neededVersion('major', '1.0.0'), 'major');
  t.is(neededVersion('patch', '0.9.0'), 'patch');
});

const report = `Head

# p/sdk

interface Options {
  readonly size?: number;
}

class Queue {
  add(entry: string): void;
}

function parse(text: string): number;

type Key = string;

## not exported by p/sdk

interface Entry {
  key: Key;
}
`;

/** A repository whose last release had the report; answers what the script says of the present one. */
async function kindOf(t: ExecutionContext, change: (text: string) => string, flags = 'flag a\n'): Promise<string[]> {
  const root = fileTree(t, {'docs/api/sdk.txt': report, 'docs/api/command-line.txt': 'flag a\n'});
  const git = (...argv: string[]) => {
    const {status, stderr} = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], {
      cwd: root,
      encoding: 'utf8',
    });
    t.is(status, 0, stderr);
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Release');
  git('tag', 'v0.1.0');
  for (const [path, text] of [
    ['docs/api/sdk.txt', change(report)],
    ['docs/api/command-line.txt', flags],
  ] as const) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    writeFileSync(join(root, path), text);
  }
  const {code, output} = await runScript('release/change-kind.mjs', ['--root', root]);
  t.is(code, 0, output);
  return output.trim().split('\n');
}

const changes: {title: string; change: (text: string) => string; said: RegExp; kind: string}[] = [
  {title: 'nothing', change: (text) => text, said: /^patch/, kind: 'patch'},
  {title: 'a comment at the head', change: (text) => text.replace('Head', 'Other'), said: /^patch/, kind: 'patch'},
  {
    title: 'a new export',
    change: (text) => text.replace('type Key', 'type More = 1;\n\ntype Key'),
    said: /type More is new/,
    kind: 'minor',
  },
  {
    title: 'a new module',
    change: (text) => `${text}\n# p/sdk/net\n\nfunction f(): void;\n`,
    said: /p\/sdk\/net: function f is new/,
    kind: 'minor',
  },
  {
    title: 'a new optional member',
    change: (text) => text.replace('  readonly size', '  more?: 1;\n  readonly size'),
    said: /more\?: 1; is new/,
    kind: 'minor',
  },
  {
    title: 'a new method of a class',
    change: (text) => text.replace('  add', '  has(): boolean;\n  add'),
    said: /has\(\): boolean; is new/,
    kind: 'minor',
  },
  {
    title: 'a new overload',
    change: (text) =>
      text.replace('type Key', 'X').replace(': number;\n\nX', ': number;\nfunction parse(bytes: Buffer): number;\n\ntype Key'),
    said: /function parse has another form/,
    kind: 'minor',
  },
  {
    title: 'a member that others must have',
    change: (text) => text.replace('  readonly size', '  more: 1;\n  readonly size'),
    said: /breaks: .*more: 1; is new/,
    kind: 'major',
  },
  {
    title: 'an export that is gone',
    change: (text) => text.replace('type Key = string;\n\n', ''),
    said: /breaks: .*type Key is gone/,
    kind: 'major',
  },
  {
    title: 'a member that is gone',
    change: (text) => text.replace('  add(entry: string): void;\n', ''),
    said: /breaks: .*add\(entry: string\)/,
    kind: 'major',
  },
  {
    title: 'another parameter',
    change: (text) => text.replace('parse(text: string)', 'parse(text: Buffer)'),
    said: /breaks: .*function parse is another/,
    kind: 'major',
  },
  {
    title: 'what is not exported, but referred to',
    change: (text) => text.replace('key: Key', 'key: symbol'),
    said: /breaks: .*key: Key; is gone/,
    kind: 'major',
  },
];

for (const {title, change, said, kind} of changes) {
  test(`${title} makes a ${kind} version`, async (t) => {
    const lines = await kindOf(t, change);
    t.is(lines.at(-1), `${kind} since v0.1.0`, lines.join('\n'));
    t.regex(lines.join('\n'), said);
  });
}

test('a flag that is new makes a minor version, and one that is gone a major one', async (t) => {
  t.is((await kindOf(t, (text) => text, 'flag a\nflag b\n')).at(-1), 'minor since v0.1.0');
  t.is((await kindOf(t, (text) => text, 'flag b\n')).at(-1), 'major since v0.1.0');
});

test('without history there is nothing to compare with, which is no fault', async (t) => {
  const root = fileTree(t, {'docs/api/sdk.txt': report});
  const {code, output} = await runScript('release/change-kind.mjs', ['--root', root], {env: {GIT_CEILING_DIRECTORIES: dirname(root)}});
  t.is(code, 0);
  t.is(output, 'there is no release to compare with\n');
});

test('a release of no kind, or of one that is too small for the settings, is refused before anything is made', async (t) => {
  const none = await runScript('release.mjs', []);
  t.is(none.code, 1);
  t.regex(none.output, /^usage: npm run release/);
  const {publishedFields} = await load('settings');
  if (publishedFields().private) {
    const refused = await runScript('release.mjs', ['minor']);
    t.is(refused.code, 1);
    t.regex(refused.output, /settings\.mjs says that the package is private/);
  }
});
