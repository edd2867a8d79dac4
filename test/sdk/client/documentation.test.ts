import {spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../../helpers/project-root.js';
import {fileTree} from '../../helpers/run-script.js';

const text = readFileSync(join(projectRoot(), 'docs/client.md'), 'utf8');
const examples = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);
const library = fileURLToPath(new URL('../../../sdk/client/index.js', import.meta.url));

function run(
  command: string,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{code: number | null; stdout: string; stderr: string}> {
  return new Promise((resolve) => {
    const child = spawn(command, argv, {cwd: projectRoot(), env: {...process.env, ...environment}, stdio: ['ignore', 'pipe', 'pipe']});
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('close', (code) => resolve({code, stdout, stderr}));
  });
}

/** The examples, compiled in a folder of their own. */
let folder: string;
let compiled: {code: number | null; stdout: string};
const cleanup: (() => void | Promise<void>)[] = [];
test.before(async () => {
  folder = fileTree(
    {teardown: (work) => void cleanup.push(work)},
    Object.fromEntries(examples.map((code, index) => [`src/example-${index}.mts`, code])),
  );
  const root = projectRoot();
  const configuration = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      outDir: 'out',
      rootDir: '/',
      composite: false,
      declaration: false,
      sourceMap: false,
      inlineSources: false,
      noEmitOnError: false,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        '@orch-api/orch/client': [join(root, 'sdk/client/index.ts')],
        '*': [join(root, 'node_modules/*'), join(root, 'node_modules/@types/*')],
      },
    },
    include: ['src/*.mts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  compiled = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
});
test.after.always(async () => {
  for (const work of cleanup) await work();
});

test('the examples of the documentation are correct TypeScript', (t) => {
  t.true(examples.length >= 5);
  t.is(compiled.stdout, '');
  t.is(compiled.code, 0);
});

for (const [index, code] of examples.entries()) {
  test(`example ${index + 1} of the client's documentation runs and prints what its comments say`, async (t) => {
    const server = await startTestServer();
    t.teardown(() => server.stop());
    const output = readFileSync(join(folder, 'out', folder, `src/example-${index}.mjs`), 'utf8');
    const file = join(folder, `example-${index}.mjs`);
    writeFileSync(file, output.replace("'@orch-api/orch/client'", JSON.stringify(library)));
    const {code: exitCode, stdout, stderr} = await run(process.execPath, [file], {KUBECONFIG: server.kubeconfig});
    t.is(stderr, '');
    t.is(exitCode, 0);
    // What handlers print comes when it comes.
    const expected = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, line]) => line!);
    t.deepEqual(stdout.trim().split('\n').sort(), expected.sort());
  });
}
