import test from 'ava';
import {execFile} from 'node:child_process';
import {cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {packageRoot} from '../../../core/kernel/package-root.js';
import {fileTree} from '../../helpers/run-script.js';

/** Where the compiler wrote. */
const compiled = fileURLToPath(new URL('../../..', import.meta.url));

const manifest = (name: string, more: object) => JSON.stringify({name, version: '1.0.0', kernel: '*', entry: './plugin.js', ...more});

test('the kernel and the sdk alone bring plugins to life', async (t) => {
  const folder = fileTree(t, {
    'plugins/gate/plugin.json': manifest('gate', {
      contributes: {authorizers: ['Gate']},
      config: {type: 'object', properties: {name: {type: 'string', default: 'nobody'}}},
    }),
    'plugins/gate/plugin.js': `
import {authorizer, inject, Tokens} from '@orch-api/orch/sdk';
export class Gate {
  constructor(config) { this.config = config; }
  async start() { console.log('gate of', this.config.name); }
  async stop() { console.log('gate stopped'); }
  async authorize() { return {decision: 'allow'}; }
}
// As a compiler applies decorators: parameters first.
inject(Tokens.Config)(Gate, undefined, 0);
authorizer()(Gate);
`,
    'plugins/clock/plugin.json': manifest('clock', {requires: ['gate'], contributes: {controllers: [{name: 'clock', class: 'Clock'}]}}),
    'plugins/clock/plugin.js': `
import {controller} from '@orch-api/orch/sdk';
export class Clock {
  async start() { console.log('clock'); }
  async stop() { console.log('clock stopped'); }
}
controller()(Clock);
`,
    'main.js': `
import {Kernel} from './dist/core/kernel/kernel.js';
const quiet = {trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => quiet};
const kernel = await Kernel.load({
  logger: quiet,
  plugins: ['./plugins/clock', './plugins/gate'],
  cwd: new URL('.', import.meta.url).pathname,
  settings: ({name}) => (name === 'gate' ? [{property: 'name', value: 'somebody', source: 'main.js'}] : []),
});
const {authorizers} = await kernel.construct();
console.log((await authorizers[0].instance.authorize()).decision);
await kernel.start('services');
await kernel.start('controllers');
await kernel.stop();
`,
  });
  for (const part of ['core/kernel', 'sdk']) {
    mkdirSync(join(folder, 'dist', part), {recursive: true});
    cpSync(join(compiled, part), join(folder, 'dist', part), {recursive: true});
  }
  const {version} = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {version: string};
  writeFileSync(join(folder, 'package.json'), JSON.stringify({name: 'kernel', version, type: 'module'}));
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
  const {stdout} = await promisify(execFile)(process.execPath, [join(folder, 'main.js')]);
  t.deepEqual(stdout.trim().split('\n'), ['allow', 'gate of somebody', 'clock', 'clock stopped', 'gate stopped']);
});
