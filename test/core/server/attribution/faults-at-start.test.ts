import test, {type ExecutionContext} from 'ava';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {
  defineAdmission,
  defineAuthorizer,
  definePlugin,
  defineStore,
  type PluginDefinition,
  type Status,
  type Store,
  type StoreProvider,
} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {KernelError, type KernelProblem} from '../../../../core/kernel/kernel-error.js';
import {MemoryStoreProvider} from '../../../../plugins/stores/embedded/plugin.js';
import {recordingLogger, type LoggedLine} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';

const bang = (): never => {
  throw new RangeError('bang');
};

/** The problems with which a server does not start, and what it logs meanwhile. */
async function failure(
  t: ExecutionContext,
  plugin: PluginDefinition | string,
): Promise<{problems: readonly KernelProblem[]; lines: readonly LoggedLine[]}> {
  const {logger, lines} = recordingLogger(true);
  const error = await t.throwsAsync(async () => (await startTestServer({plugins: [plugin], logger})).stop());
  if (!KernelError.is(error)) throw error!;
  return {problems: error.problems, lines};
}

const guard = (methods: object) => ({authorize: () => ({decision: 'no-opinion' as const}), ...methods});
const cases = [
  {
    title: 'a constructor',
    code: 'CONSTRUCTION_FAILED',
    message: /^constructing \S+ failed: bang$/,
    contribution: defineAuthorizer({name: 'Guard', create: () => bang()}),
  },
  {
    title: 'start',
    code: 'START_FAILED',
    message: /^starting the authorizer Guard failed: bang$/,
    contribution: defineAuthorizer({name: 'Guard', create: () => guard({start: () => bang()})}),
  },
  {
    title: 'a policy that fails on what another plugin writes when it starts',
    code: 'START_BROKEN',
    message: /^the \S+ \S+ of the plugin \S+ could not start, because admission Policy.validate failed: bang$/,
    contribution: defineAdmission({name: 'Policy', operations: ['CREATE'], create: () => ({validate: () => bang()})}),
  },
];
for (const {title, code, message, contribution} of cases) {
  test(`what fails at the start is named with its plugin, and its stack is in the log: ${title}`, async (t) => {
    const {problems, lines} = await failure(t, definePlugin({name: 'clumsy'}, [contribution as never]));
    t.deepEqual(
      problems.map((fault) => [fault.code, fault.plugin]),
      [[code, 'clumsy']],
    );
    t.regex(problems[0]!.message, message);
    const line = lines.find(({level, fields}) => level === 'error' && fields['plugin'] === 'clumsy');
    t.is(line?.message, problems[0]!.message);
    let error = line!.fields['err'] as Error;
    while (error.cause instanceof Error) error = error.cause;
    t.regex(error.stack!, /RangeError: bang\n\s+at bang .*faults-at-start\.test/);
  });
}

test('the stack of a plugin that was compiled names its source', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'dist'));
  const code = [
    "import {authorizer} from '@orch-api/orch/sdk';",
    'export class Guard {',
    '  constructor() {',
    "    throw new RangeError('bang');",
    '  }',
    '}',
    'authorizer()(Guard);',
  ];
  const contributes = {authorizers: ['Guard']};
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name: 'clumsy', version: '1.0.0', kernel: '*', entry: './dist/plugin.js', contributes}),
  );
  writeFileSync(join(folder, 'dist/plugin.js'), `${code.join('\n')}\n//# sourceMappingURL=plugin.js.map\n`);
  // Each line is ten lines further down in the source.
  const mappings = ['AAUA', ...code.slice(1).map(() => 'AACA')].join(';');
  writeFileSync(join(folder, 'dist/plugin.js.map'), JSON.stringify({version: 3, sources: ['../src/plugin.ts'], names: [], mappings}));
  const {lines} = await failure(t, folder);
  const error = lines.find(({fields}) => fields['plugin'] === 'clumsy' && fields['err'] instanceof Error)?.fields['err'] as Error;
  t.regex(error.stack!, /RangeError: bang\n\s+at .*src\/plugin\.ts:14:/);
});

/** The store in memory, but for what a test wants to fail. */
const broken = {isOn: false};
const store = definePlugin({name: 'cellar'}, [
  defineStore({
    schemes: ['cellar'],
    create: ({logger}): StoreProvider => {
      const provider = new MemoryStoreProvider(logger);
      return {
        open: async (options, signal): Promise<Store> => {
          const opened = await provider.open({...options, url: 'memory'}, signal);
          return new Proxy(opened, {
            get: (target, name) => {
              const member = (target as unknown as Record<string | symbol, unknown>)[name];
              if (typeof member !== 'function') return member;
              const method = member.bind(target) as (...given: unknown[]) => unknown;
              return (...given: unknown[]) => (name === 'commit' && broken.isOn ? bang() : method(...given));
            },
          });
        },
      };
    },
  }),
]);

test('what fails in a store is logged with the name of its plugin', async (t) => {
  const {logger, lines} = recordingLogger(true);
  const server = await startTestServer({plugins: [store], store: 'cellar', logger});
  t.teardown(() => server.stop());
  const path = '/api/v1/namespaces/default/configmaps';
  t.is((await server.client.post(path, {metadata: {name: 'a'}})).status, 201);
  broken.isOn = true;
  const answer = await server.client.post(path, {metadata: {name: 'b'}});
  broken.isOn = false;
  t.is(answer.status, 500);
  t.notRegex(answer.json<Status>().message!, /bang/);
  t.like(lines.find(({message}) => message === 'request failed')?.fields, {plugin: 'cellar', hook: 'store cellar.commit'});
});

test('an error that nothing catches ends the server with the name of the plugin whose code it was made in, and the line of its TypeScript', async (t) => {
  const folder = tempFolder(t);
  const lines = [
    "import {defineAuthorizer, definePlugin} from '@orch-api/orch/sdk';",
    '',
    "export default definePlugin({name: 'clumsy'}, [",
    '  defineAuthorizer({',
    "    name: 'Guard',",
    '    create: () => ({',
    "      authorize: (): {decision: 'no-opinion'} => ({decision: 'no-opinion'}),",
    '      async start(): Promise<void> {',
    '        const text: string = "bang";',
    '        setTimeout(() => { throw new RangeError(text); }, 10);',
    '      },',
    '    }),',
    '  }),',
    ']);',
  ];
  writeFileSync(join(folder, 'plugin.ts'), lines.join('\n'));
  const main = fileURLToPath(new URL('../../../../core/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [
    main,
    'serve',
    '--store',
    'memory',
    '--secure-port',
    '0',
    '--data-dir',
    join(folder, 'data'),
    '--plugin',
    join(folder, 'plugin.ts'),
  ]);
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [exit] = (await once(child, 'exit')) as [number];
  t.is(exit, 1, printed);
  t.regex(printed, /^orch: plugin clumsy: bang$/m);
  const line = printed
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as {plugin?: string; msg: string; err?: {stack: string}})
    .find(({err}) => err);
  t.like(line, {plugin: 'clumsy', msg: 'the server ends because of an error that nothing caught'});
  t.regex(line!.err!.stack, /RangeError: bang\n\s+at .*plugin\.ts:10:/);
});
