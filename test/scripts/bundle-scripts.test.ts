import test from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';

interface Transformation {
  scriptOf(name: string, code: string, runner: string): Map<string, string>;
}

const {scriptOf} = (await import(pathToFileURL(join(projectRoot(), 'scripts/bundle-scripts.mjs')).href)) as Transformation;
const runner = 'core/run.js';

test('a module that has become a script imports and exports what it did, in ASCII and on the same lines', async (t) => {
  const folder = tempFolder(t);
  const code = `import def, {in as inner} from './other.js';
import path, {basename} from 'node:path';
import * as os from 'node:os';
const {process} = {process: 'own'};
let Decorated = class Decorated {};
Decorated = Object.assign(Decorated, {inner});
function where() { return new Error('é').stack; }
const one = () => [def, process, path.sep, basename(import.meta.url), typeof os.hostname(), 'ä→😀'];
const load = () => import('./other.js');
export {Decorated as $, where as in, one, load};
`;
  const texts = scriptOf('chunks/one.js', code, runner);
  t.deepEqual([...texts.keys()], ['chunks/one.js', 'chunks/one.script.js']);
  t.regex(texts.get('chunks/one.script.js')!, /^[\x00-\x7f]*$/);
  texts.set('chunks/other.js', 'export default 1; const two = 2; export {two as in};');
  texts.set('package.json', '{"type": "module"}');
  const compiled = new URL('../../core/caches/compiled-code.js', import.meta.url).href;
  texts.set(runner, `export {runScript} from ${JSON.stringify(compiled)};`);
  for (const [name, text] of texts) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), text);
  }
  const module = await import(pathToFileURL(join(folder, 'chunks/one.js')).href);
  t.deepEqual(Object.keys(module), ['$', 'in', 'load', 'one']);
  t.is(module.$.inner, 2);
  t.deepEqual(module.one(), [1, 'own', '/', 'one.js', 'string', 'ä→😀']);
  t.regex(module.in(), /^Error: é\n {4}at Module\.where \(file:\/\/.*\/chunks\/one\.script\.js:7:/);
  t.is((await module.load()).default, 1);
});

test('a module with exports that change later, or with await of its own, cannot become a script', (t) => {
  const transformed = (code: string) => () => scriptOf('a.js', code, runner);
  t.throws(transformed('let a; const f = () => { a = 1; };\nexport {a, f};'), {
    message: 'a.js: exports that change after the module has run: a',
  });
  t.throws(transformed('let a = 0; function f() { const b = () => a++; return b; }\nexport {a, f};'), {message: /later|after the module/});
  t.notThrows(transformed('let a = 1; a = 2; const f = (a) => { a = 1; }; const g = () => { let a; a = 2; };\nexport {a, f, g};'));
  t.throws(transformed('const a = await 1;\nexport {a};'), {instanceOf: SyntaxError});
  t.throws(transformed("const a = '\\é';\nexport {a};"), {message: /would be another text/});
});
