import {execFile} from 'node:child_process';
import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder, type Teardown} from '../helpers/temp-folder.js';

const run = promisify(execFile);
const root = projectRoot();
/** A resource with strategies, an authorizer, an authenticator, a controller, a store. */
const copied = ['resources/apps', 'authorizers/rbac', 'authenticators/oidc', 'controllers/namespace', 'stores/embedded'];
/** How a file of the repository is imported from outside of it. The first match counts. */
const publicNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:\.\.\/)+sdk\/index\.js$/, '@orch-api/orch/sdk'],
  [/^(?:\.\.\/)+sdk\/types\/(.+)\.js$/, '@orch-api/orch/types/$1'],
  [/^(?:\.\.\/)+sdk\/([a-z]+)\/index\.js$/, '@orch-api/orch/sdk/$1'],
  [/^(?:\.\.\/)+families\/(.+)\.js$/, '@orch-api/orch/families/$1'],
];
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.iterator', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  experimentalDecorators: true,
  skipLibCheck: false,
  types: ['node'],
  rootDir: '.',
  outDir: 'out',
};

/** An empty project that has installed the package, as `npm pack` makes it, and its dependencies. */
async function projectWithPackage(t: Teardown): Promise<string> {
  const folder = tempFolder(t, 'orch-package-');
  const {stdout} = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {cwd: root});
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@orch-api/orch'), {recursive: true});
  await run('tar', ['xzf', join(folder, stdout.trim().split('\n').at(-1)!), '--strip-components=1', '-C', join(modules, '@orch-api/orch')]);
  const {dependencies} = JSON.parse(readFileSync(join(modules, '@orch-api/orch/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), {recursive: true});
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({name: 'outside', type: 'module'}));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions, include: ['plugins']}));
  return folder;
}

/** The compiler's complaints about files of the project and declarations of the package; those of other packages are not ours. */
async function compile(folder: string): Promise<string> {
  try {
    await run(join(root, 'node_modules/.bin/tsc'), ['--pretty', 'false'], {cwd: folder});
    return '';
  } catch (error) {
    const {code, stdout} = error as {code: number; stdout: string};
    const lines = stdout.split('\n').filter((line) => line !== '');
    if (lines.length === 0) return `the compiler ended with ${code}`;
    return lines.filter((line) => !/(?:^|\/)node_modules\/(?!@orch-api\/orch\/)/.test(line)).join('\n');
  }
}

function publicName(specifier: string): string {
  const entry = publicNames.find(([pattern]) => pattern.test(specifier));
  return entry ? specifier.replace(...entry) : specifier;
}

test('five built-in plugins compile and load outside of the repository, with nothing but the package', async (t) => {
  const folder = await projectWithPackage(t);
  for (const plugin of copied) {
    const target = join(folder, 'plugins', plugin);
    cpSync(join(root, 'plugins', plugin), target, {recursive: true});
    for (const name of readdirSync(target, {recursive: true, encoding: 'utf8'}).filter((each) => each.endsWith('.ts'))) {
      const file = join(target, name);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(/(?<=(?:from |import\()')\.\.\/[^']+(?=')/g, publicName));
    }
  }
  t.is(await compile(folder), '');

  const loadAll = copied.map((plugin) => `await import('./out/plugins/${plugin}/plugin.js');`).join('\n');
  writeFileSync(join(folder, 'load.js'), `${loadAll}\nconsole.log('loaded');\n`);
  t.is((await run(process.execPath, ['load.js'], {cwd: folder})).stdout, 'loaded\n');

  const wrong = {
    'core.ts': "export * from 'orch/core/server/index.js';\n",
    'inner.ts': "export * from '@orch-api/orch/sdk/errors/status-error.js';\n",
    'stranger.ts': "export {noSuchThing} from '@orch-api/orch/sdk/labels';\n",
    'misused.ts': "import {followObjects} from '@orch-api/orch/sdk/controllers';\nvoid followObjects(1);\n",
  };
  mkdirSync(join(folder, 'wrong'));
  for (const [name, text] of Object.entries(wrong)) writeFileSync(join(folder, 'wrong', name), text);
  writeFileSync(join(folder, 'wrong/tsconfig.json'), JSON.stringify({compilerOptions: {...compilerOptions, noEmit: true}}));
  const complaints = await compile(join(folder, 'wrong'));
  t.deepEqual(
    complaints.match(/^\w+\.ts\(\d+,\d+\): error TS\d+/gm)?.sort(),
    ['core.ts(1,15): error TS2307', 'inner.ts(1,15): error TS2307', 'misused.ts(2,6): error TS2554', 'stranger.ts(1,9): error TS2305'],
    complaints,
  );
});
