import test from 'ava';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {kubernetesAdmissionPlugins} from '../../../core/cli/kube-apiserver/admission-plugins.js';
import {run as newPlugin} from '../../../core/cli/plugins-new.js';
import {KERNEL_VERSION} from '../../../core/kernel/kernel-version.js';
import {pluginKinds} from '../../../core/cli/scaffold/plugin-kinds.js';
import {fixture} from '../kernel/kernel-fixtures.js';
import {projectRoot} from '../../helpers/project-root.js';
import {emptyFolder, orch} from './cli-process.js';

interface Row {
  readonly name: string;
  readonly enabled: boolean;
  readonly source: string;
  readonly contributes: readonly string[];
}

test('plugins list shows every plugin, what it contributes and whether it takes part', async (t) => {
  const {code, out, err} = await orch(t, ['plugins', 'list', '--plugin', fixture('policies/policies'), '--disable-plugins', 'policies']);
  t.deepEqual([code, err], [0, '']);
  t.regex(out, /^NAME +VERSION +STATE +WHY +ORIGIN +PERMISSIONS +CONTRIBUTES\n/);
  t.regex(out, /^core +\d+\.\d+\.\d+ +on +default +built in +everything +resource namespaces, resource configmaps/m);
  t.regex(
    out,
    /^policies +1\.0\.0 +off +--disable-plugins +folder \S+policies +own types +admission Late, admission Zebra, .*, controller common, controller seldom, controller swift, route \/page\/\*, route \/pages$/m,
  );
});

interface AdmissionRow {
  readonly order?: number;
  readonly name: string;
  readonly state: string;
  readonly why: string;
}

test('[B-ADM-30] [B-ADM-31] plugins list --kind admission shows the order of admission, what runs, and why', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'orch.yaml'), 'admission: {enable: [AlwaysDeny], disable: [Priority]}\n');
  const {code, out, err} = await orch(
    t,
    [
      ...['plugins', 'list', '--kind', 'admission', '--json', '--config', 'orch.yaml', '--disable-plugins', 'runtime-class'],
      ...['--enable-admission-plugins', 'NodeRestriction', '--disable-admission-plugins', 'PodSecurity'],
    ],
    folder,
  );
  t.deepEqual([code, err], [0, '']);
  const rows = JSON.parse(out) as AdmissionRow[];
  const row = (name: string) => rows.find((entry) => entry.name === name);
  t.like(row('NamespaceLifecycle'), {order: 100, state: 'on', why: 'default'});
  t.like(row('NamespaceExists'), {order: 110, state: 'off', why: 'default'});
  t.like(row('NodeRestriction'), {order: 150, state: 'on', why: '--enable-admission-plugins'});
  t.like(row('PodSecurity'), {order: 190, state: 'off', why: '--disable-admission-plugins'});
  t.like(row('AlwaysDeny'), {state: 'on', why: 'configuration file'});
  t.like(row('Priority'), {state: 'off', why: 'configuration file'});
  t.like(row('RuntimeClass'), {state: 'off', why: 'plugin runtime-class is disabled (--disable-plugins)'});
  const names = rows.map(({name}) => name);
  t.is(names.at(-1), 'RuntimeClass', 'what has no place comes last');
  t.is(names.at(-2), 'AlwaysDeny');
  const places = ['NamespaceLifecycle', 'ServiceAccount', 'NodeRestriction', 'PodSecurity', 'Priority', 'StorageObjectInUseProtection'];
  t.deepEqual(
    names.filter((name) => places.includes(name)),
    places,
  );

  const shown = await orch(t, ['plugins', 'list', '--kind', 'admission']);
  t.regex(shown.out, /^ORDER +NAME +STATE +WHY +PLUGIN\n/);
  t.regex(shown.out, /^140 +ServiceAccount +on +default +service-account-admission$/m);
  const recommended = ['NamespaceLifecycle', 'LimitRanger', 'ServiceAccount', 'ResourceQuota', 'Priority', 'PodSecurity', 'RuntimeClass'];
  recommended.push('StorageObjectInUseProtection', 'TaintNodesByCondition', 'PersistentVolumeClaimResize');
  for (const name of recommended) t.regex(shown.out, new RegExp(`^\\d+ +${name} +on +default `, 'm'));
  t.not((await orch(t, ['plugins', 'list', '--kind', 'other'])).code, 0);
});

test('plugins list --kind authorizer shows who is asked, in the order of --authorization-mode, and why', async (t) => {
  const list = async (...flags: string[]) => {
    const {code, out, err} = await orch(t, ['plugins', 'list', '--kind', 'authorizer', '--json', ...flags]);
    t.deepEqual([code, err], [0, '']);
    return (JSON.parse(out) as AdmissionRow[]).map(({order, name, state, why}) => `${order ?? '-'} ${name} ${state} ${why}`);
  };
  const off = (name: string, plugin: string) => `- ${name} off plugin ${plugin} is disabled (default)`;
  t.deepEqual(await list(), [
    '0 Masters on default',
    '500 RBAC on default',
    off('ABAC', 'abac'),
    off('AlwaysAllow', 'authorization-always-allow'),
    off('AlwaysDeny', 'authorization-always-deny'),
    off('Node', 'authorization-node'),
    off('Webhook', 'authorization-webhook'),
  ]);
  const rows = await list('--authorization-mode', 'Webhook,Node', '--enable-plugins', 'abac');
  t.deepEqual(rows.slice(0, 5), [
    '0 Masters on default',
    '500 Webhook on --authorization-mode',
    '500 Node on --authorization-mode',
    '500 ABAC off --authorization-mode',
    '500 RBAC off --authorization-mode',
  ]);
});

test('--enable-admission-plugins takes the admission controllers of 1.26, as stock manifests name them', async (t) => {
  const ofOtherReleases = ['ClusterTrustBundleAttest', 'MutatingAdmissionPolicy', 'PodSecurityPolicy', 'PodTopologyLabels'];
  // One labels the disks of cloud providers, the other was deprecated without ever being on.
  const absent = ['PersistentVolumeLabel', 'SecurityContextDeny'];
  const names = [...kubernetesAdmissionPlugins].filter((name) => ![...ofOtherReleases, ...absent].includes(name));
  const flags = ['--enable-admission-plugins', names.join(), '--feature-gates', 'ValidatingAdmissionPolicy=true'];
  const {code, out, err} = await orch(t, ['plugins', 'list', '--kind', 'admission', '--json', ...flags]);
  t.deepEqual([code, err], [0, '']);
  // Others may be on too: those of this project.
  const on = (JSON.parse(out) as AdmissionRow[])
    .filter(({name, state}) => state === 'on' && kubernetesAdmissionPlugins.has(name))
    .map(({name}) => name);
  t.deepEqual(on.sort(), names.sort());
});

test('the table of admission controllers in docs/operations/admission.md has their order and their state', async (t) => {
  const {out} = await orch(t, ['plugins', 'list', '--kind', 'admission', '--json']);
  const rows = (JSON.parse(out) as AdmissionRow[]).map(({name, state}) => `${name} ${state}`);
  const text = readFileSync(join(projectRoot(), 'docs/operations/admission.md'), 'utf8');
  const [, table = ''] = /^\| controller \| on \| what it does \|\n.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const documented = table
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, names]) => names !== 'third-party plugins')
    .flatMap(([, names, on]) => names!.split(', ').map((name) => `${name} ${on === 'yes' ? 'on' : 'off'}`));
  t.deepEqual(documented, rows);
});

test('plugins list loads no code and takes the configuration file', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'orch.yaml'), `plugins:\n  explosive:\n    from: ${fixture('import-throws/explosive')}\n`);
  const {code, out} = await orch(t, ['plugins', 'list', '--json', '--config', 'orch.yaml'], folder);
  t.is(code, 0);
  const row = (JSON.parse(out) as Row[]).find((entry) => entry.name === 'explosive');
  t.like(row, {enabled: true, source: 'configuration', contributes: ['authorizer Everyone']});
});

test('plugins check accepts the built-in plugins', async (t) => {
  const {code, out, err} = await orch(t, ['plugins', 'check']);
  t.is(err, '');
  t.is(code, 0);
  t.regex(out, /^\d+ plugins checked: (?:[a-z-]+, )*core, /);
});

test('plugins check prints every problem of what it is given', async (t) => {
  const {code, out, err} = await orch(t, [
    'plugins',
    'check',
    fixture('missing-files/lost-entry'),
    fixture('kernel-range/future'),
    fixture('unresolved-schema/pointless'),
  ]);
  t.is(code, 1);
  t.is(out, '');
  const lines = err.trimEnd().split('\n');
  t.is(lines[0], 'orch: 4 problems:');
  t.true(lines.some((line) => line.startsWith('  - plugin lost-entry: the entry module ./lost.js does not exist (entry in /')));
  t.true(lines.some((line) => line.startsWith('  - plugin future: it works with kernel ^99.0.0')));
  t.true(
    lines.some((line) =>
      /^ {2}- plugin pointless: the schema gizmos\.json#\/definitions\/Gizmo cannot be used: .* has no definition "Gizmo"/.test(line),
    ),
  );
  t.true(lines.some((line) => line.startsWith('  - plugin pointless: the schema of its settings cannot be used: ')));
});

test('plugins check refuses lifetimes of a plugin that are too short for those who rely on it', async (t) => {
  const folder = emptyFolder(t);
  const lifetimes = {
    v1: {introduced: '1.24', deprecated: '1.25', replacedBy: 'planets.example.com/v1beta1'},
    v1beta1: {introduced: '1.23', deprecated: '1.24', removed: '1.26'},
    v2: {introduced: '1.26'},
  };
  const versions = Object.entries(lifetimes).map(([name, lifetime]) => ({
    name,
    lifetime,
    storage: name === 'v2',
    schema: {type: 'object'},
  }));
  const deprecated = {since: '1.25', removal: '1.26', message: 'use --moons', audience: 'user', stage: 'stable'};
  const manifest = {
    name: 'planets',
    version: '1.0.0',
    kernel: '^0.1.0',
    contributes: {resources: [{group: 'planets.example.com', names: {plural: 'planets', kind: 'Planet'}, scope: 'Cluster', versions}]},
    config: {type: 'object', properties: {satellites: {type: 'integer', flag: 'satellites', deprecated}}},
    featureGates: {Rings: {default: true, stage: 'stable', lifetime: {introduced: '1.20', beta: '1.22', stable: '1.26', removed: '1.27'}}},
  };
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
  const {code, err} = await orch(t, ['plugins', 'check', folder]);
  t.is(code, 1);
  const file = join(folder, 'plugin.json');
  t.deepEqual(
    err.trimEnd().split('\n').slice(1),
    [
      'planets.example.com/v1 Planet: it is deprecated in favour of planets.example.com/v1beta1, which is less stable',
      'planets.example.com/v1beta1 Planet: a beta version that is deprecated in 1.24 is served until 1.27, and it would be removed in 1.26',
      'planets.example.com/v2: it comes with release 1.26 and is preferred already; the release before served planets.example.com/v1 only',
      'planets.example.com/v2 Planet: it comes with release 1.26 and is the storage version already; servers of the release before cannot read what it writes',
      '--satellites: what is stable and for users and deprecated in 1.25 works until 1.28, and it would be removed in 1.26',
      '--satellites: it was to be removed in 1.26',
      'the feature gate Rings: the gate of a feature that is stable in 1.26 stays until 1.28, and it would be removed in 1.27',
    ].map((text) => `  - plugin planets: ${text} (${file})`),
  );
});

test('plugins check says once of each class of a lazy plugin that it cannot wait', async (t) => {
  const folder = emptyFolder(t);
  const contributes = {
    authorizers: ['Bouncer'],
    resources: [
      {
        group: 'inns.example.com',
        names: {plural: 'inns', kind: 'Inn'},
        scope: 'Cluster',
        strategy: 'InnStrategy',
        versions: [{name: 'v1', schema: {type: 'object'}}],
      },
    ],
  };
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name: 'inns', version: '1.0.0', kernel: '^0.1.0', entry: './index.mjs', lazy: true, contributes}),
  );
  writeFileSync(
    join(folder, 'index.mjs'),
    `import {authorizer, strategy} from '@orch-api/orch/sdk';
export class Bouncer { authorize() { return {decision: 'no-opinion'}; } async start() {} }
export class InnStrategy { async start() {} }
authorizer()(Bouncer);
strategy()(InnStrategy);
`,
  );
  const {code, err} = await orch(t, ['plugins', 'check', folder]);
  t.is(code, 1);
  t.deepEqual(err.match(/(?<=it is lazy, but the )[\w ]+(?= is needed at the start)/g)?.sort(), [
    'authorizer Bouncer',
    'strategy InnStrategy',
  ]);
});

test('plugins check imports entry modules unless it is told not to', async (t) => {
  const checked = await orch(t, ['plugins', 'check', fixture('not-delivered/promising')]);
  t.is(checked.code, 1);
  t.is(checked.err.match(/^ {2}- plugin promising: /gm)?.length, 4);
  const unimported = await orch(t, ['plugins', 'check', fixture('not-delivered/promising'), '--no-import']);
  t.deepEqual(unimported, {code: 0, out: '1 plugin checked: promising\n', err: ''});
});

test('plugins new writes a plugin of each kind in both languages, and the JavaScript passes the check as it is', async (t) => {
  const folder = emptyFolder(t);
  const silent = {write: () => true};
  const kinds = Object.keys(pluginKinds);
  for (const kind of kinds) {
    for (const language of ['javascript', 'typescript']) {
      const extension = language === 'javascript' ? 'js' : 'ts';
      const place = `${kind}s-${extension}`;
      t.is(await newPlugin([place, '--kind', kind, `--${language}`], {out: silent, err: silent, cwd: folder}), 0);
      const files = readdirSync(join(folder, place), {recursive: true, encoding: 'utf8'});
      for (const file of ['plugin.json', 'package.json', 'README.md', '.gitignore']) t.true(files.includes(file), file);
      t.is(files.includes('tsconfig.json'), language === 'typescript');
      t.true(files.some((file) => file.startsWith('src/') && file.endsWith(`.test.${extension}`)));
      for (const file of files.filter((name) => /\.\w+$/.test(name)))
        t.notRegex(readFileSync(join(folder, place, file), 'utf8'), /\{\{\w+\}\}|[«»]|^(?:ts|js)\|/m, `${place}/${file}`);
    }
  }
  const places = kinds.map((kind) => `./${kind}s-js`);
  const {code, err} = await orch(t, ['plugins', 'check', ...places], folder);
  t.deepEqual([code, err], [0, '']);
});

test('plugins new asks at a terminal for what no flag says', async (t) => {
  const folder = emptyFolder(t);
  const answers = ['gadgets', '5', 'no', 'gadgets.example.org'];
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift()!;
  };
  const silent = {write: () => true};
  t.is(await newPlugin([], {out: silent, err: silent, cwd: folder, ask}), 0);
  t.is(asked.length, 4);
  const manifest = JSON.parse(readFileSync(join(folder, 'gadgets/plugin.json'), 'utf8')) as {
    entry: string;
    contributes: {resources: {group: string}[]; controllers: object[]};
  };
  t.is(manifest.entry, './src/plugin.js');
  t.is(manifest.contributes.resources[0]!.group, 'gadgets.example.org');
  t.is(manifest.contributes.controllers.length, 1);
});

test('plugins new names a resource type after its plugin', async (t) => {
  const folder = emptyFolder(t);
  await orch(t, ['plugins', 'new', 'policies', '--dir', 'here'], folder);
  const {contributes} = JSON.parse(readFileSync(join(folder, 'here', 'plugin.json'), 'utf8')) as {
    contributes: {resources: {names: object}[]};
  };
  t.deepEqual(contributes.resources[0]!.names, {plural: 'policies', singular: 'policy', kind: 'Policy'});
});

test('plugins new writes a package that can be published, and a server that cannot', async (t) => {
  const folder = emptyFolder(t);
  const silent = {write: () => true};
  for (const kind of Object.keys(pluginKinds)) {
    t.is(await newPlugin([`my-${kind}`, '--kind', kind, '--javascript'], {out: silent, err: silent, cwd: folder}), 0);
    const read = (file: string) => readFileSync(join(folder, `my-${kind}`, file), 'utf8');
    const written = JSON.parse(read('package.json')) as Record<string, unknown>;
    if (kind === 'server') {
      t.like(written, {private: true, peerDependencies: undefined});
      continue;
    }
    const peerDependencies = {'@orch-api/orch': `^${KERNEL_VERSION}`};
    t.like(
      written,
      {private: undefined, license: 'Apache-2.0', keywords: ['orch', 'orch-plugin'], peerDependencies, version: '0.1.0'},
      kind,
    );
    t.regex(String(written['description']), /^A plugin of Orch: an? \w+/);
    t.regex(read('README.md'), /\n## Publishing\n/);
  }
});

test('plugins new says the word for the kind once in a name', async (t) => {
  const folder = emptyFolder(t);
  const silent = {write: () => true};
  await newPlugin(['site-controller', '--kind', 'controller'], {out: silent, err: silent, cwd: folder});
  const {contributes} = JSON.parse(readFileSync(join(folder, 'site-controller/plugin.json'), 'utf8')) as {
    contributes: {resources: {names: object}[]; controllers: {class: string; name: string}[]};
  };
  t.like(contributes.controllers[0], {class: 'SiteController', name: 'site-controller'});
  t.deepEqual(contributes.resources[0]!.names, {plural: 'sites', singular: 'site', kind: 'Site'});
});

test('plugins new names a tarball or folder of --orch from the new folder', async (t) => {
  const folder = emptyFolder(t);
  const silent = {write: () => true};
  writeFileSync(join(folder, 'orch.tgz'), '');
  const specs = [
    ['./orch.tgz', 'file:../orch.tgz'],
    ['orch.tgz', 'file:../orch.tgz'],
    ['file:orch.tgz', 'file:../orch.tgz'],
    [join(folder, 'orch.tgz'), 'file:../orch.tgz'],
    ['^0.1.0', '^0.1.0'],
    ['https://example.com/orch.tgz', 'https://example.com/orch.tgz'],
  ] as const;
  for (const [index, [given, written]] of specs.entries()) {
    t.is(await newPlugin([`sites${index}`, '--orch', given], {out: silent, err: silent, cwd: folder}), 0);
    const {devDependencies} = JSON.parse(readFileSync(join(folder, `sites${index}/package.json`), 'utf8')) as {devDependencies: object};
    t.like(devDependencies, {'@orch-api/orch': written}, given);
  }
  await t.throwsAsync(newPlugin(['halls', '--orch', './ghost.tgz'], {out: silent, err: silent, cwd: folder}), {
    message: /ghost\.tgz does not exist/,
  });
  t.false(existsSync(join(folder, 'halls')));
});

test('plugins new overwrites nothing and refuses names that no plugin may have', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'precious'), 'data');
  const full = await orch(t, ['plugins', 'new', 'widgets', '--dir', '.'], folder);
  t.deepEqual([full.code, full.err], [1, `orch: ${folder} is not empty\n`]);
  const sibling = `${basename(folder)}-up`;
  for (const args of [
    ['Widgets'],
    [],
    ['a', 'b'],
    ['widgets', '--kind', 'widget'],
    ['widgets', '--group', 'plain'],
    ['widgets', '--typescript', '--javascript'],
    [`../${sibling}`],
  ]) {
    const {code, err} = await orch(t, ['plugins', 'new', ...args], folder);
    t.is(code, 1);
    t.regex(err, /^orch: .*\n$/);
  }
  t.deepEqual(readdirSync(folder), ['precious']);
  t.false(existsSync(join(folder, '..', sibling)));
});
