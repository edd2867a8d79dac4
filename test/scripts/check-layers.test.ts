import test from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

/** Files that keep every rule: each case adds what breaks one. */
const sound = {
  'sdk/index.ts': "export {inject, injectable} from 'tsyringe';\nexport const name = 1;\n",
  'sdk/client/client.ts': "import {Agent} from 'node:https';\nimport {name} from '../index.js';\nexport const client = [Agent, name];\n",
  'core/kernel/start.ts':
    "import {container} from 'tsyringe';\nimport {name} from '../../sdk/index.js';\nexport const start = () => [container, name];\n",
  'core/api/json.ts': "import type {name} from '../../sdk/index.js';\nexport type Json = typeof name;\n",
  'core/storage/cache.ts': "import type {Json} from '../api/json.js';\nexport type Cache = Json;\n",
  'core/registry/write.ts': "import type {Cache} from '../storage/cache.js';\nexport type Write = Cache;\n",
  'core/http/node/listener.ts': "import restify from 'restify';\nexport const listener = restify;\n",
  'core/http/server.ts':
    "import {listener} from './node/listener.js';\nimport type {Write} from '../registry/write.js';\nexport type Server = Write | typeof listener;\n",
  'core/server/index.ts':
    "import {start} from '../kernel/start.js';\nimport type {Server} from '../http/server.js';\nexport const create = (): Server => start() as never;\n",
  'core/cli/main.ts': "import {create} from '../server/index.js';\ncreate();\n",
  'testing/index.ts': "export {create} from '../core/server/index.js';\n",
  'plugins/stores/redis/store.ts':
    "import {Redis} from 'ioredis';\nimport {name} from '../../../sdk/index.js';\nexport const redis = [Redis, name];\n",
  'plugins/admission/limits/index.ts': "export {name} from '../../../sdk/index.js';\n",
  'sdk/labels/index.ts': "export {matches} from './matches.js';\n",
  'sdk/labels/matches.ts': 'export const matches = 1;\n',
  'sdk/types/apps/v1.ts': 'export interface Deployment {}\n',
  'plugins/families/pods/template.ts': "export {matches} from '../../../sdk/labels/index.js';\n",
  'plugins/families/workloads/rules.ts':
    "import type {Deployment} from '../../../sdk/types/apps/v1.js';\nimport {matches} from '../pods/template.js';\nexport const rules = (object: Deployment) => [object, matches];\n",
  'plugins/resources/apps/plugin.ts': "export {rules} from '../../families/workloads/rules.js';\n",
  'examples/widgets/index.ts': "export {name} from '@orch-api/orch/sdk';\n",
  'test/all.ts': "import '../core/cli/main.js';\nimport '../plugins/stores/redis/store.js';\n",
};

test('a tree that keeps the table of layers has no problem', async (t) => {
  const {code, output} = await runScript('check-layers.mjs', ['--root', fileTree(t, sound)]);
  t.is(output.trim(), `layers: ${Object.keys(sound).length} files, 0 problems`);
  t.is(code, 0);
});

const violations: {title: string; files: Record<string, string>; found: RegExp}[] = [
  {
    title: 'a kernel that knows of servers',
    files: {'core/kernel/start-all.ts': 'export const start = 1;\nexport const serverOptions = 1;\n'},
    found: /core\/kernel\/start-all\.ts:2: "server": the kernel knows nothing of servers/,
  },
  {
    title: 'a kernel that reads YAML',
    files: {'core/kernel/read.ts': "import {load} from 'js-yaml';\nexport const read = load;\n"},
    found: /core\/kernel\/read\.ts:1: may not import js-yaml: the kernel brings plugins to life/,
  },
  {
    title: 'sdk that imports core',
    files: {'sdk/server.ts': "import '../core/api/json.js';\n"},
    found: /sdk\/server\.ts:1: sdk may not import core\/api \(core\/api\/json\.ts\)/,
  },
  {
    title: 'sdk that loads the client',
    files: {'sdk/all.ts': "export {client} from './client/client.js';\n"},
    found: /sdk\/all\.ts:1: sdk may not import sdk\/client/,
  },
  {
    title: 'a client that imports core',
    files: {'sdk/client/json.ts': "import '../../core/api/json.js';\n"},
    found: /sdk\/client\/json\.ts:1: sdk\/client may not import core\/api/,
  },
  {
    title: 'the network in sdk outside of the client',
    files: {'sdk/values/fetch.ts': "import {request} from 'node:https';\nexport {request};\n"},
    found: /sdk\/values\/fetch\.ts:1: may not import node:https: in sdk only sdk\/client and sdk\/https talk/,
  },
  {
    title: 'a lower core folder that imports a higher one',
    files: {'core/storage/up.ts': "\nexport {type Write} from '../registry/write.js';\n"},
    found: /core\/storage\/up\.ts:2: core\/storage may not import core\/registry/,
  },
  {
    title: 'a type import across layers',
    files: {'core/kernel/types.ts': "import type {Json} from '../api/json.js';\nexport type T = Json;\n"},
    found: /core\/kernel\/types\.ts:1: core\/kernel may not import core\/api/,
  },
  {
    title: 'an import type expression across layers',
    files: {'core/api/late.ts': "export type Late = import('../http/server.js').Server;\n"},
    found: /core\/api\/late\.ts:1: core\/api may not import core\/http/,
  },
  {
    title: 'a dynamic import across layers',
    files: {'core/api/lazy.ts': "export const lazy = () => import('../kernel/start.js');\n"},
    found: /core\/api\/lazy\.ts:1: core\/api may not import core\/kernel/,
  },
  {
    title: 'a plugin that imports core',
    files: {'plugins/admission/deep/index.ts': "import '../../../core/api/json.js';\n"},
    found: /plugins\/admission\/deep may not import core\/api/,
  },
  {
    title: 'a plugin that imports another plugin',
    files: {'plugins/admission/other/index.ts': "import '../limits/index.js';\n"},
    found: /plugins\/admission\/other may not import plugins\/admission\/limits/,
  },
  {
    title: 'a plugin that comes into the sdk by the back door',
    files: {'plugins/admission/back/index.ts': "import '../../../sdk/labels/matches.js';\n"},
    found: /plugins\/admission\/back\/index\.ts:1: plugins import sdk\/index\.ts.*: sdk\/labels\/matches\.ts is none/,
  },
  {
    title: 'a family that comes into the sdk by the back door',
    files: {'plugins/families/pods/back.ts': "import '../../../sdk/labels/matches.js';\n"},
    found: /plugins\/families\/pods\/back\.ts:1: plugins import sdk\/index\.ts/,
  },
  {
    title: 'a family that imports a plugin',
    files: {'plugins/families/pods/up.ts': "import '../../admission/limits/index.js';\n"},
    found: /plugins\/families\/pods may not import plugins\/admission\/limits/,
  },
  {
    title: 'a store that imports a family',
    files: {'plugins/stores/tape/store.ts': "import '../../families/pods/template.js';\n"},
    found: /plugins\/stores\/tape may not import plugins\/families\/pods/,
  },
  {
    title: 'an example that imports a plugin',
    files: {'examples/policy/index.ts': "import '../../plugins/admission/limits/index.js';\n"},
    found: /examples\/policy may not import plugins\/admission\/limits/,
  },
  {
    title: 'the command line reaching past the server',
    files: {'core/cli/deep.ts': "import '../http/server.js';\n"},
    found: /core\/cli may not import core\/http/,
  },
  {
    title: 'restify in a second file',
    files: {'core/http/router.ts': "import restify from 'restify';\nexport {restify};\n"},
    found: /core\/http\/router\.ts:1: may not import restify/,
  },
  {
    title: "tsyringe's container outside the kernel",
    files: {'core/http/resolve.ts': "import {container} from 'tsyringe';\nexport {container};\n"},
    found: /core\/http\/resolve\.ts:1: may not import tsyringe/,
  },
  {
    title: "tsyringe's container in sdk",
    files: {'sdk/container.ts': "export {container} from 'tsyringe';\n"},
    found: /sdk\/container\.ts:1: may not import tsyringe/,
  },
  {
    title: 'a database client outside the stores',
    files: {'core/registry/redis.ts': "import {Redis} from 'ioredis';\nexport {Redis};\n"},
    found: /core\/registry\/redis\.ts:1: may not import ioredis/,
  },
  {
    title: 'the network in the kernel',
    files: {'core/kernel/listen.ts': "import {Agent} from 'node:https';\nexport {Agent};\n"},
    found: /core\/kernel\/listen\.ts:1: may not import node:https/,
  },
  {
    title: 'a folder that the table does not know',
    files: {'core/extra/thing.ts': 'export const thing = 1;\n'},
    found: /core\/extra: this folder is not in the table/,
  },
  {
    title: 'a file beside the folders of plugins',
    files: {'plugins/admission/stray.ts': 'export const stray = 1;\n'},
    found: /plugins\/admission: this folder is not in the table/,
  },
  {
    title: 'a cycle of values',
    files: {'core/api/a.ts': "import './b.js';\n", 'core/api/b.ts': "import './c.js';\n", 'core/api/c.ts': "import './a.js';\n"},
    found: /import cycle core\/api\/a\.ts → core\/api\/b\.ts → core\/api\/c\.ts → core\/api\/a\.ts/,
  },
  {
    title: 'a cycle of types alone',
    files: {
      'core/api/x.ts': "import type {Y} from './y.js';\nexport type X = Y[];\n",
      'core/api/y.ts': "import type {X} from './x.js';\nexport type Y = X | 1;\n",
    },
    found: /import cycle core\/api\/x\.ts → core\/api\/y\.ts → core\/api\/x\.ts/,
  },
  {
    title: 'a circle of plugins, through families that may import each other,',
    files: {
      'plugins/families/quota/counts.ts': "export {rules} from '../workloads/rules.js';\n",
      'plugins/families/pods/counted.ts': "import '../quota/counts.js';\n",
    },
    found: /plugins\/families: its folders import each other in a circle, /,
  },
  ...['core/http', 'core/storage/write', 'sdk', 'plugins/stores/redis', 'testing'].map((room) => ({
    title: `a circle of folders inside ${room}, none of whose files is in one,`,
    files: {
      [`${room}/high/a.ts`]: "import '../low/b.js';\n",
      [`${room}/high/c.ts`]: 'export const c = 1;\n',
      [`${room}/low/b.ts`]: "import '../beside.js';\n",
      [`${room}/beside.ts`]: "import type {c} from './high/c.js';\nexport type C = typeof c;\n",
    },
    found: new RegExp(
      `${room}: its folders import each other in a circle, beside\\.ts → high → low → beside\\.ts: ` +
        `${room}/beside\\.ts imports ${room}/high/c\\.ts; ${room}/high/a\\.ts imports ${room}/low/b\\.ts; ${room}/low/b\\.ts imports ${room}/beside\\.ts`,
    ),
  })),
  {
    title: 'an import of a file that is not there',
    files: {'core/api/gone.ts': "import './missing.js';\n"},
    found: /core\/api\/gone\.ts:1: imports \.\/missing\.js, which does not exist/,
  },
  {
    title: 'a file that cannot be parsed',
    files: {'core/api/broken.ts': 'export const = ;\n'},
    found: /core\/api\/broken\.ts: cannot be parsed/,
  },
];

for (const {title, files, found} of violations) {
  test(`${title} is found, and nothing else is`, async (t) => {
    const {code, output} = await runScript('check-layers.mjs', ['--root', fileTree(t, {...sound, ...files})]);
    t.regex(output, found);
    t.regex(output, /, 1 problem\n$/);
    t.is(code, 1);
  });
}
