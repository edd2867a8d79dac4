import test, {type ExecutionContext} from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree, runScript} from '../helpers/run-script.js';
import {tempFolder} from '../helpers/temp-folder.js';

/** What only the repository's own scripts run on; no package gets it. */
const repositoryOnly = /^(?:scripts\/|node_modules\/(?:@orch-api\/|node-linux-))/;

const policy = {
  licences: {MIT: 'notice kept', 'BSD-3-Clause': 'notice kept'},
  licencesOfPackages: {silent: {licence: 'MIT', reason: 'its Readme says so'}},
  installScripts: {builder: {run: false, reason: 'not needed'}},
};
const entry = (more: object = {}) => ({version: '1.0.0', integrity: 'sha512-x', license: 'MIT', ...more});
const good = {
  'node_modules/silent': entry({license: undefined}),
  'node_modules/builder': entry({hasInstallScript: true}),
};

async function check(
  t: ExecutionContext,
  packages: object,
  changes: {policy?: object; allowScripts?: object; installed?: Record<string, string>} = {},
) {
  const root = fileTree(t, {
    'package.json': JSON.stringify({allowScripts: {builder: false, ...changes.allowScripts}}),
    'package-lock.json': JSON.stringify({packages: {'': {}, ...good, ...packages}}),
    'scripts/packages.json': JSON.stringify({...policy, ...changes.policy}),
    ...changes.installed,
  });
  const {code, output} = await runScript('check-packages.mjs', ['--root', root]);
  const lines = output.trim().split('\n');
  return {code, problems: lines.slice(0, -1), note: lines.at(-1)};
}

test('the packages of production are counted and measured, with their licences', async (t) => {
  const {code, problems, note} = await check(
    t,
    {
      'node_modules/a': entry(),
      'node_modules/a/node_modules/@scope/b': entry({license: '(GPL-3.0 OR BSD-3-Clause)'}),
      'node_modules/tool': entry({dev: true, license: 'GPL-3.0'}),
    },
    {installed: {'node_modules/a/index.js': 'x'.repeat(100_000), 'node_modules/a/node_modules/@scope/b/index.js': 'x'.repeat(100_000)}},
  );
  t.deepEqual(problems, []);
  t.is(note, 'packages: 4 packages in production, 0.2 MB: MIT 3, (GPL-3.0 OR BSD-3-Clause) 1; 0 problems');
  t.is(code, 0);
});

test('what only a workspace of the repository asks for is checked, and is no package of production', async (t) => {
  const {code, problems, note} = await check(t, {
    'node_modules/@orch-api/tools': {resolved: 'scripts/tools', link: true},
    'scripts/tools': {version: '0.0.0', optionalDependencies: {big: '1.0.0', absent: '1.0.0'}},
    'node_modules/big': entry({license: 'GPL-3.0', integrity: undefined}),
  });
  t.deepEqual(problems, ['big@1.0.0: the lock file has no checksum of it']);
  t.regex(note!, /^packages: 2 packages in production/);
  t.is(code, 1);
});

test('an unknown licence, a script that nobody allowed, and a package without checksum are refused', async (t) => {
  const {code, problems} = await check(
    t,
    {
      'node_modules/strange': entry({license: 'GPL-3.0'}),
      'node_modules/both': entry({license: '(MIT AND GPL-3.0)'}),
      'node_modules/nothing': entry({license: undefined}),
      'node_modules/runs': entry({hasInstallScript: true}),
      'node_modules/tool': entry({dev: true, hasInstallScript: true}),
      'node_modules/unchecked': entry({integrity: undefined}),
      'node_modules/other': entry(),
    },
    {installed: {'node_modules/other/package.json': '{"license": "ISC"}'}},
  );
  t.is(code, 1);
  const list = 'is not among the licences of scripts/packages.json';
  const script = 'runs a script when it is installed, and scripts/packages.json does not name it under installScripts';
  t.deepEqual(problems, [
    `strange@1.0.0: the licence GPL-3.0 ${list}`,
    `both@1.0.0: the licence (MIT AND GPL-3.0) ${list}`,
    `nothing@1.0.0: the licence unknown ${list}`,
    `runs@1.0.0: ${script}`,
    `tool@1.0.0: ${script}`,
    'unchecked@1.0.0: the lock file has no checksum of it',
    'other@1.0.0: the lock file says the licence MIT, the package ISC',
  ]);
});

test('what is allowed and not needed any more is refused, and so is what npm is told otherwise', async (t) => {
  const unneeded = {...policy.installScripts, gone: {run: false, reason: 'x'}};
  t.deepEqual((await check(t, {}, {policy: {installScripts: unneeded}, allowScripts: {builder: true, secret: true}})).problems, [
    'builder@1.0.0: allowScripts of package.json must say false, as scripts/packages.json does',
    'scripts/packages.json names gone, for which there is no need any more',
    'package.json has secret under allowScripts, and scripts/packages.json does not say why',
  ]);
});

test('the bill of materials has exactly the packages of production and those in the pages of the console, each with its licence, in both forms', async (t) => {
  const out = tempFolder(t);
  const {code, output} = await runScript('sbom.mjs', ['--out', out]);
  t.is(code, 0, output);
  const lock = JSON.parse(readFileSync(join(projectRoot(), 'package-lock.json'), 'utf8')) as {
    packages: Record<string, {version: string; dev?: boolean}>;
  };
  const expected = Object.entries(lock.packages)
    .filter(([path, {dev}]) => path !== '' && !dev && !repositoryOnly.test(path))
    .map(([path, {version}]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  const cycloneDx = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8')) as {
    metadata: {component: {name: string; 'bom-ref': string}};
    dependencies: {ref: string; dependsOn: string[]}[];
    components: {name: string; version: string; licenses?: unknown[]}[];
  };
  const spdx = JSON.parse(readFileSync(join(out, 'sbom.spdx.json'), 'utf8')) as {
    packages: {name: string; versionInfo: string; licenseDeclared: string}[];
  };
  const licences = readFileSync(join(projectRoot(), 'dist/plugins/console/server/files/NOTICES.txt'), 'utf8');
  const bundled = [...licences.matchAll(/^(\S+) (\d+\.\S+) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`);
  t.true(['preact@', 'uplot@', '@codemirror/view@', 'yaml@'].every((start) => bundled.some((id) => id.startsWith(start))));
  const names = [...new Set([...expected, ...bundled])].sort();
  t.is(cycloneDx.metadata.component.name, '@orch-api/orch');
  t.deepEqual(cycloneDx.components.map(({name, version}) => `${name}@${version}`).sort(), names);
  t.deepEqual(
    spdx.packages
      .slice(1)
      .map(({name, versionInfo}) => `${name}@${versionInfo}`)
      .sort(),
    names,
  );
  // Everything is reached from the project by what packages need of each other.
  const graph = new Map(cycloneDx.dependencies.map(({ref, dependsOn}) => [ref, dependsOn]));
  const reached = new Set<string>();
  const visit = (id: string): void => {
    if (reached.has(id)) return;
    reached.add(id);
    graph.get(id)!.forEach(visit);
  };
  visit(cycloneDx.metadata.component['bom-ref']);
  t.is(reached.size, names.length + 1);
  t.true(cycloneDx.components.every(({licenses}) => licenses!.length > 0));
  t.false(spdx.packages.some(({licenseDeclared}) => licenseDeclared === 'NOASSERTION'));
});
