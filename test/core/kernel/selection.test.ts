import test from 'ava';
import {Tokens} from '../../../sdk/index.js';
import {fixture, loadFixture, offered, problemsOf, type FixtureOptions} from './kernel-fixtures.js';

async function selected(options: FixtureOptions = {}): Promise<{admission: string[]; controllers: string[]}> {
  const kernel = await loadFixture('policies', {values: offered([Tokens.Naming, () => ({name: 'test'})]), ...options});
  const {admission, controllers} = await kernel.construct();
  return {admission: admission.map((entry) => entry.name), controllers: controllers.map((entry) => entry.name)};
}

test('admission controllers that are on by default run, by order and then by name', async (t) => {
  t.deepEqual((await selected()).admission, ['Aardvark', 'Zebra', 'Late']);
});

test('admission controllers are turned on and off by flags, whatever the order of the names', async (t) => {
  t.deepEqual((await selected({enableAdmissionPlugins: ['Rare', 'Late'], disableAdmissionPlugins: ['Zebra']})).admission, [
    'Rare',
    'Aardvark',
    'Late',
  ]);
  t.deepEqual((await selected({enableAdmissionPlugins: ['Late', 'Rare'], disableAdmissionPlugins: ['Zebra']})).admission, [
    'Rare',
    'Aardvark',
    'Late',
  ]);
});

test('flags about admission win over the configuration', async (t) => {
  const configuration = {admission: {enable: ['Rare'], disable: ['Zebra', 'Late']}};
  t.deepEqual((await selected({configuration})).admission, ['Rare', 'Aardvark']);
  t.deepEqual((await selected({configuration, enableAdmissionPlugins: ['Late'], disableAdmissionPlugins: ['Rare']})).admission, [
    'Aardvark',
    'Late',
  ]);
});

test('names of admission controllers that do not exist are errors which list those that do', async (t) => {
  const problems = await problemsOf(t, () =>
    selected({enableAdmissionPlugins: ['Rarely', 'Hidden'], disableAdmissionPlugins: ['Nope', 'Hidden']}),
  );
  t.deepEqual(
    problems.map((fault) => fault.message),
    [
      'Hidden is both enabled and disabled by --enable-admission-plugins and --disable-admission-plugins',
      'there is no admission plugin Rarely; did you mean Rare?',
      'the admission plugin Hidden belongs to the plugin off, which is disabled: enable that plugin too',
      'there is no admission plugin Nope; known are Aardvark, Hidden, Late, Rare, Zebra',
    ],
  );
});

for (const [list, expected] of [
  [undefined, ['common']],
  [['*'], ['common']],
  [
    ['*', 'seldom'],
    ['common', 'seldom'],
  ],
  [['*', '-common'], []],
  [['-*'], []],
  [['seldom'], ['seldom']],
  [['-common', 'common', '*'], []],
  [[], []],
] as const) {
  test(`--controllers ${list?.join(',') ?? 'left out'} runs ${expected.join(', ') || 'none'}`, async (t) => {
    t.deepEqual((await selected({controllers: list})).controllers, [...expected]);
  });
}

test('a controller whose feature gate is off does not run, however it is named', async (t) => {
  for (const controllers of [['*'], ['swift']]) t.false((await selected({controllers})).controllers.includes('swift'));
  for (const controllers of [['*'], ['swift']])
    t.true((await selected({controllers, featureGates: {Swift: true}})).controllers.includes('swift'));
  t.deepEqual((await selected({controllers: ['*', '-swift'], featureGates: {Swift: true}})).controllers, ['common']);
});

test('the flag --controllers replaces what the configuration says', async (t) => {
  const configuration = {controllers: ['seldom']};
  t.deepEqual((await selected({configuration})).controllers, ['seldom']);
  t.deepEqual((await selected({configuration, controllers: ['common']})).controllers, ['common']);
});

test('names of controllers that do not exist are errors', async (t) => {
  const problems = await problemsOf(t, () => selected({controllers: ['*', 'rare', '-none', 'idle', '-idle']}));
  t.deepEqual(
    problems.map((fault) => fault.message),
    [
      'there is no controller rare; known are common, idle, seldom, swift',
      'there is no controller none; known are common, idle, seldom, swift',
      'the controller idle belongs to the plugin off, which is disabled: enable that plugin too',
    ],
  );
});

test('plugins are turned on and off by flags, then configuration, then manifest', async (t) => {
  const enabled = async (options: FixtureOptions) =>
    (await loadFixture('policies', options)).plugins.filter((plugin) => plugin.enabled).map((plugin) => plugin.name);
  t.deepEqual(await enabled({}), ['policies']);
  t.deepEqual(await enabled({configuration: {plugins: {off: {enabled: true}, policies: {enabled: false}}}}), ['off']);
  t.deepEqual(await enabled({configuration: {plugins: {off: {enabled: true}}}, disablePlugins: ['off'], enablePlugins: ['policies']}), [
    'policies',
  ]);
  t.deepEqual(await enabled({plugins: [`${fixture('policies')}/off`]}), ['off', 'policies']);
});

test('names of plugins that do not exist are errors', async (t) => {
  const problems = await problemsOf(t, () =>
    loadFixture('policies', {enablePlugins: ['x'], disablePlugins: ['y', 'off'], configuration: {plugins: {z: {}}}}),
  );
  t.deepEqual(
    problems.map(({path, message}) => `${path}: ${message}`),
    [
      '--enable-plugins: there is no plugin x; known are off, policies',
      '--disable-plugins: there is no plugin y; known are off, policies',
      'plugins.z: there is no plugin z; known are off, policies',
    ],
  );
});

test('feature gates come from manifests, then the platform, then the configuration, then flags', async (t) => {
  const gates = async (options: FixtureOptions) => {
    const {featureGates} = await loadFixture('policies', options);
    return ['Swift', 'Sound'].map((name) => featureGates.enabled(name));
  };
  const platform = new Map([
    ['Swift', {enabled: true, setting: 'free'}],
    ['Ancient', {enabled: true, setting: 'free'}],
  ] as const);
  t.deepEqual(await gates({}), [false, true]);
  t.deepEqual(await gates({platformGates: platform}), [true, true]);
  t.deepEqual(await gates({platformGates: platform, configuration: {featureGates: {Swift: false, Sound: false}}}), [false, false]);
  t.deepEqual(
    await gates({platformGates: platform, configuration: {featureGates: {Swift: false}}, featureGates: ['Swift=true,Sound=false']}),
    [true, false],
  );
  t.deepEqual(await gates({featureGates: {Swift: true}}), [true, true]);
});

test('a gate that the release has no more is as it was last, whatever a manifest declares, and cannot be set', async (t) => {
  const platformGates = new Map([['Swift', {enabled: true, setting: 'unknown', stage: 'gone'}]] as const);
  const {featureGates} = await loadFixture('policies', {platformGates});
  t.true(featureGates.enabled('Swift'));
  const problems = await problemsOf(t, () => loadFixture('policies', {platformGates, featureGates: ['Swift=false']}));
  t.deepEqual(
    problems.map(({message}) => message),
    ['there is no feature gate Swift; known are Sound'],
  );
});

test('AllAlpha and AllBeta set the gates of their stage that are not set themselves, wherever those are set', async (t) => {
  const platform = new Map([
    ['New', {enabled: false, setting: 'free', stage: 'alpha'}],
    ['Swift', {enabled: true, setting: 'free', stage: 'beta'}],
    ['Fixed', {enabled: true, setting: 'locked', stage: 'beta'}],
  ] as const);
  const gates = async (options: FixtureOptions) => {
    const {featureGates} = await loadFixture('policies', options);
    return ['New', 'Swift', 'Fixed'].map((name) => featureGates.enabled(name));
  };
  t.deepEqual(await gates({platformGates: platform, featureGates: ['AllAlpha=true']}), [true, true, true]);
  t.deepEqual(await gates({platformGates: platform, featureGates: ['AllAlpha=true', 'AllBeta=false']}), [true, false, true]);
  t.deepEqual(await gates({platformGates: platform, featureGates: ['AllAlpha=true,New=false']}), [false, true, true]);
  t.deepEqual(
    await gates({
      platformGates: platform,
      configuration: {featureGates: {Swift: true, AllAlpha: false}},
      featureGates: ['AllBeta=false', 'AllAlpha=true'],
    }),
    [true, true, true],
  );
});

test('a gate that the platform has locked can only be set to what it is, and one that it does not have cannot be set', async (t) => {
  const platformGates = new Map([
    ['Fixed', {enabled: true, setting: 'locked'}],
    ['Gone', {enabled: true, setting: 'unknown'}],
    ['Sound', {enabled: false, setting: 'unknown'}],
  ] as const);
  const kernel = await loadFixture('policies', {platformGates, featureGates: {Fixed: true}});
  t.true(kernel.featureGates.enabled('Fixed'));
  t.true(kernel.featureGates.enabled('Gone'));
  t.true(kernel.featureGates.enabled('Sound'), 'the manifest counts');
  const problems = await problemsOf(t, () =>
    loadFixture('policies', {platformGates, featureGates: ['Fixed=false,Gone=false,Sound=false']}),
  );
  t.deepEqual(problems.map(({code, message}) => `${code} ${message}`).sort(), [
    'FEATURE_GATE_LOCKED cannot set feature gate Fixed to false, feature is locked to true',
    'UNKNOWN_FEATURE_GATE there is no feature gate Gone; known are Fixed, Sound, Swift',
  ]);
});

test('feature gates that nobody declares are errors, and so are settings that cannot be read', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('policies', {featureGates: ['Slow=true', 'Swift', 'Sound=maybe']}));
  t.deepEqual(problems.map((fault) => fault.message).sort(), [
    'Sound=maybe is no feature gate setting; write NAME=true or NAME=false',
    'Swift is no feature gate setting; write NAME=true or NAME=false',
    'there is no feature gate Slow; known are Sound, Swift',
  ]);
  const kernel = await loadFixture('policies');
  t.throws(() => kernel.featureGates.enabled('Slow'), {message: /declared by no manifest/});
});
