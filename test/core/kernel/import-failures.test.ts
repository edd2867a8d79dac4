import test from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PluginCatalogue} from '../../../core/kernel/selection/plugin-catalogue.js';
import {orch} from '../cli/cli-process.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const good = ["import {definePlugin} from '@orch-api/orch/sdk';", "export default definePlugin({name: 'books'}, []);"];

/** What is wrong, the files of the plugin, and what the message says behind the reason. */
const cases: readonly (readonly [what: string, files: Readonly<Record<string, readonly string[]>>, place: RegExp])[] = [
  ['a slip in JavaScript', {'plugin.js': [...good, 'const a = {;']}, /Unexpected token ';' at \S+\/plugin\.js:3: const a = \{;$/],
  ['a slip in TypeScript', {'plugin.ts': [...good, 'const a: string = ;']}, / at \S+\/plugin\.ts:3: const a: string = ;$/],
  [
    'an enum, which only compilers know',
    {'plugin.ts': [...good, 'enum Colour {Red}']},
    /enum is not supported .* at \S+\/plugin\.ts:3: enum Colour \{Red\}$/,
  ],
  [
    'a decorator, which only compilers know',
    {'plugin.ts': [...good, '@admission({})', 'export class A {}']},
    / at \S+\/plugin\.ts:3: @admission\(\{\}\)$/,
  ],
  [
    'a file that ends too early',
    {'plugin.js': [...good, 'function f() {']},
    /Unexpected end of input at \S+\/plugin\.js:3: function f\(\) \{$/,
  ],
  [
    'a slip in another module',
    {'plugin.js': ["import './more.js';", ...good], 'more.js': ['', 'let x = [1 2];']},
    / at \S+\/more\.js:2: let x = \[1 2\];$/,
  ],
  [
    'a name that is declared twice',
    {'plugin.js': [...good, 'const a = 1;', 'const a = 2;']},
    /'a' has already been declared at \S+\/plugin\.js:4: const a = 2;$/,
  ],
  [
    'an export that there is not',
    {'plugin.js': ["import {definePlugn} from '@orch-api/orch/sdk';", ...good]},
    /named 'definePlugn' at \S+\/plugin\.js:1: import \{definePlugn\}/,
  ],
  ['an exception', {'plugin.js': [...good, '', "throw new RangeError('no shelf');"]}, /no shelf at \S+\/plugin\.js:4:7$/],
  [
    'an option that there is not',
    {'plugin.js': ["import {defineRoute} from '@orch-api/orch/sdk';", 'defineRoute({paht: 1});']},
    /paht is not a known member.* at \S+\/plugin\.js:2:1$/,
  ],
];

const moduleOf = (files: object) => Object.keys(files).find((name) => name.startsWith('plugin'))!;
for (const [what, files, place] of cases) {
  test(`a module that cannot be imported because of ${what} is told with file and line`, async (t) => {
    const folder = tempFolder(t);
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    const {problems} = await PluginCatalogue.read({plugins: [join(folder, moduleOf(files))]});
    t.is(problems.length, 1);
    t.regex(problems[0]!.message, place);
  });
}

test('check and serve print the line of a syntax error, and the stack of an exception', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'slip.js'), `${good.join('\n')}\nconst a = {;\n`);
  writeFileSync(join(folder, 'thrower.js'), "function inner() { throw new RangeError('no shelf'); }\ninner();\n");
  const serve = (plugin: string) =>
    orch(t, ['serve', '--store', 'memory', '--secure-port', '0', '--data-dir', join(folder, 'data'), '--plugin', plugin], folder);
  for (const run of [orch(t, ['plugins', 'check', './slip.js'], folder), serve('./slip.js')]) {
    const {code, err} = await run;
    t.is(code, 1);
    t.regex(err, /slip\.js:3: const a = \{;/);
  }
  for (const run of [orch(t, ['plugins', 'check', './thrower.js'], folder), serve('./thrower.js')]) {
    const {code, err} = await run;
    t.is(code, 1);
    t.regex(err, /at inner .*thrower\.js:1:/);
  }
});
