import test, {type ExecutionContext} from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {run} from '#bundle/core/cli/run.js';
import {textLine} from '../../../core/logs/text-line.js';
import {emptyFolder} from './cli-process.js';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly asked: string;
}

async function orch(cwd: string, args: readonly string[]): Promise<Said> {
  const said = {out: '', err: '', asked: ''};
  const code = await run(args, {
    out: {write: (text) => (said.out += text)},
    err: {write: (text) => (said.err += text)},
    cwd,
    ask: (question) => {
      said.asked += question;
      return Promise.resolve('no');
    },
  });
  return {code, ...said};
}

/** Texts that would overwrite or imitate lines of a terminal that obeys them. */
const hostile: Readonly<Record<string, string>> = {
  'an escape sequence': 'a\u001b[1A\u001b[2Kb',
  'a sequence of the upper control characters': 'a\u009b1A\u009b2Kb',
  'the title of a window': 'a\u001b]0;b\u0007',
  'a carriage return': 'a\rPermissions: none',
  'a line break': 'a\n\nPermissions:\n  none but reading its own types\n',
  'a separator of lines': 'a\u2028Permissions:\u2029none',
  'writing from right to left': 'a\u202egnihtyreve\u202c\u2066b\u2069',
  'characters without a width': 'a\u200b\u2060\ufeff\u00ad\u{e0041}b',
  'other spaces': 'a\u00a0\u3000\u2800\u3164b',
  'half a pair': 'a\ud800b',
};

const obeyed =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\u2800\u3000\u3164\ufeff\ud800]|\u{e0041}/u;

function assertPlain(t: ExecutionContext, {out, err, asked}: Said, what: string): void {
  for (const text of [out, err, asked]) t.notRegex(text, obeyed, what);
}

function writeManifest(folder: string, manifest: object): void {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({name: 'rooms', version: '1.2.0', kernel: '*', ...manifest}));
}

const everything = {verbs: ['*'], apiGroups: ['*'], resources: ['*']};

test('plugins add shows permissions by themselves, whatever the manifest says of itself', async (t) => {
  const folder = emptyFolder(t);
  for (const [what, description] of Object.entries(hostile)) {
    writeManifest(join(folder, 'rooms'), {description, permissions: [everything]});
    const said = await orch(folder, ['plugins', 'add', './rooms']);
    assertPlain(t, said, what);
    const [, permissions = ''] = said.out.split('\n\n');
    t.is(permissions, 'Permissions:\n  everything, as a part of the server', what);
    t.is(said.out.trimEnd().split('\n').length, 10, what);
    t.regex(said.out, /^ {2}says {8}"a.*"$/m, what);
    t.is(said.asked, 'Add rooms? [no]: ', what);
  }
});

test('plugins add shows the words of a permission so that none looks like another permission', async (t) => {
  const folder = emptyFolder(t);
  const shown = async (permission: object) => {
    writeManifest(join(folder, 'rooms'), {permissions: [{verbs: ['get'], apiGroups: [''], resources: ['pods'], ...permission}]});
    const said = await orch(folder, ['plugins', 'add', './rooms']);
    assertPlain(t, said, JSON.stringify(permission));
    // What can be no verb, group or resource is refused before anybody is asked.
    return said.out.includes('Permissions:') ? said.out.split('\n\n')[1]!.split('\n').slice(1) : undefined;
  };
  t.deepEqual(await shown({}), ['  get pods']);
  for (const [what, text] of Object.entries(hostile)) {
    for (const member of ['verbs', 'apiGroups', 'resources', 'resourceNames']) {
      const lines = await shown({[member]: [text, 'x']});
      if (lines === undefined) {
        t.not(member, 'resourceNames', what);
        continue;
      }
      t.is(lines.length, 1, `${what} in ${member}`);
      t.regex(lines[0]!, /"[^"]*\\[nru][^"]*"/, `${what} in ${member}`);
    }
  }
  t.deepEqual(await shown({resources: ['pods named a']}), ['  get "pods named a"']);
  t.deepEqual(await shown({resourceNames: ['a", b']}), ['  get pods named "a\\", b"']);
});

test('what a plugin says of itself is cut, and runs of spaces cannot fill the lines of a terminal', async (t) => {
  const folder = emptyFolder(t);
  writeManifest(join(folder, 'rooms'), {description: `Rooms.${' '.repeat(400)}Permissions: none${'x'.repeat(100_000)}`});
  const {out} = await orch(folder, ['plugins', 'add', './rooms']);
  t.regex(out, /^ {2}says {8}"Rooms\. Permissions: nonex{100,300}…"$/m);
});

test('problems name plugins, files and members without obeying them', async (t) => {
  const folder = emptyFolder(t);
  for (const [what, text] of Object.entries(hostile)) {
    const faults: Readonly<Record<string, object>> = {
      name: {name: text},
      version: {version: text},
      member: {[text]: 1},
      requires: {requires: [`ghost-${text}`]},
      schema: {config: {type: 'object', properties: {a: {type: 'string', pattern: `(${text}`}}}},
      kernel: {kernel: text},
    };
    for (const [member, manifest] of Object.entries(faults)) {
      const place = join(folder, `${member}-${Object.keys(hostile).indexOf(what)}`);
      writeManifest(place, manifest);
      // Adding checks in processes of its own, which takes time.
      for (const command of what === 'a line break' || what === 'an escape sequence' ? ['add', 'check'] : ['check']) {
        const said = await orch(folder, ['plugins', command, place]);
        assertPlain(t, said, `${what} in ${member}: ${command}`);
        t.is(said.code, 1, `${what} in ${member}: ${command}`);
        t.false(/^(?! {2}- |orch: )/m.test(said.err.trimEnd()), `${what} in ${member}: ${command}: ${said.err}`);
      }
    }
  }
});

test('plugins list and the help of serve show what manifests say without obeying it', async (t) => {
  const folder = emptyFolder(t);
  for (const [what, text] of Object.entries(hostile)) {
    const config = {type: 'object', properties: {where: {type: 'string', flag: 'where', description: text, default: text}}};
    const contributes = {routes: [{class: 'A', path: `/${text}`, methods: ['GET']}]};
    writeManifest(join(folder, 'rooms'), {description: text, config, contributes, entry: './a.mjs'});
    writeFileSync(join(folder, 'rooms/a.mjs'), '');
    for (const args of [
      ['plugins', 'list'],
      ['plugins', 'list', '--json'],
      ['serve', '--help'],
    ]) {
      const said = await orch(folder, [...args, '--plugin', './rooms']);
      t.is(said.code, 0, said.err);
      assertPlain(t, said, `${what}: ${args.join(' ')}`);
    }
    const lines = (await orch(folder, ['plugins', 'list', '--plugin', './rooms'])).out.split('\n');
    t.is(lines.filter((line) => /^rooms +1\.2\.0/.test(line)).length, 1);
    t.false(lines.some((line) => line.startsWith('Permissions:') || line.startsWith('  none')));
  }
});

test('errors with the words of a server are one line', async (t) => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/yaml');
    response.end('kind: "\u001b[2K\n: [}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/definitions.yaml`;
  const said = await orch(emptyFolder(t), ['types', '--from', url]);
  assertPlain(t, said, 'types');
  t.regex(said.err, /^orch: .*\n$/);
});

test('a line of the log for reading obeys nothing of what clients send', (t) => {
  for (const [what, text] of Object.entries(hostile)) {
    const line = textLine(JSON.stringify({level: 'info', time: '2026-01-01T00:00:00.000Z', msg: text, path: text, err: {message: text}}));
    t.notRegex(line, obeyed, what);
    t.is(line.split('\n').filter((each) => /^\S/.test(each)).length, 1, what);
  }
});
