import test from 'ava';
import {loadFixture, places, problemsOf, type FixtureOptions} from './kernel-fixtures.js';

/** The settings with which the fixture's class is constructed. */
async function settings(options: FixtureOptions = {}): Promise<unknown> {
  const kernel = await loadFixture('settings', options);
  const {authorizers} = await kernel.construct();
  return (authorizers[0]!.instance as unknown as {config: unknown}).config;
}

test('without settings a plugin gets the defaults of its manifest', async (t) => {
  t.deepEqual(await settings(), {limit: 10, mode: 'safe', strict: false});
});

test('settings come from the configuration, with defaults filled in at every depth', async (t) => {
  t.deepEqual(await settings({configuration: {plugins: {tunable: {config: {limit: 3, retry: {}}}}}}), {
    limit: 3,
    mode: 'safe',
    strict: false,
    retry: {times: 3},
  });
});

test('flags win over the configuration, and the configuration stays as it was', async (t) => {
  const configuration = {plugins: {tunable: {config: {limit: 3, hosts: ['a']}}}};
  const expected = structuredClone(configuration);
  t.deepEqual(await settings({configuration, flags: {'tunable-limit': 7, 'tunable-hosts': ['b', 'c'], 'tunable-strict': true}}), {
    limit: 7,
    mode: 'safe',
    strict: true,
    hosts: ['b', 'c'],
  });
  t.deepEqual(configuration, expected);
});

test('a setting that is the same as that of another plugin has its value, however that one was set', async (t) => {
  const follower = async (options: FixtureOptions) =>
    (await loadFixture('settings', options)).plugins.find(({name}) => name === 'follower')!.config;
  const own = {secret: 'none'};
  t.deepEqual(await follower({}), {...own, limit: 10});
  t.deepEqual(await follower({flags: {'tunable-limit': 7}}), {...own, limit: 7});
  t.deepEqual(await follower({configuration: {plugins: {tunable: {config: {limit: 3}}}}}), {...own, limit: 3});
  t.deepEqual(await follower({disablePlugins: ['tunable']}), {...own, limit: 5});
  t.deepEqual(await follower({enablePlugins: ['optional'], flags: {'optional-secret': 'x'}}), {...own, limit: 10, secret: 'x'});
});

test('a setting that is the same as another one cannot be set by itself, and the other one exists', async (t) => {
  const configuration = {plugins: {follower: {config: {limit: 3}}}};
  const problems = await problemsOf(t, () => loadFixture('settings', {configuration, enablePlugins: ['mistaken']}));
  t.deepEqual(places(problems).sort(), [
    'CONFIG_INVALID follower plugins.follower.config.limit -',
    'CONFIG_SCHEMA_INVALID mistaken config.properties.bound.sameAs plugin.json',
    'CONFIG_SCHEMA_INVALID mistaken config.properties.lost.sameAs plugin.json',
  ]);
  t.deepEqual(problems.map(({message}) => message).sort(), [
    'limit is not set here but as plugins.tunable.config.limit',
    'the schema of its settings cannot be used: bound is to be the same as tunable.limits, which is no setting',
    'the schema of its settings cannot be used: lost is to be the same as nowhere.name, and there is no plugin nowhere',
  ]);
});

test('all faults of settings are reported, each with the flag or the path that brought it', async (t) => {
  const configuration = {plugins: {tunable: {config: {mode: 'odd', limits: 3, retry: {often: true}, hosts: ['']}}}};
  const problems = await problemsOf(t, () => loadFixture('settings', {configuration, flags: {'tunable-limit': 0}}));
  t.deepEqual(places(problems).sort(), [
    'CONFIG_INVALID tunable --tunable-limit -',
    'CONFIG_INVALID tunable plugins.tunable.config.hosts[0] -',
    'CONFIG_INVALID tunable plugins.tunable.config.limits -',
    'CONFIG_INVALID tunable plugins.tunable.config.mode -',
    'CONFIG_INVALID tunable plugins.tunable.config.retry.often -',
  ]);
  const text = problems.map((fault) => fault.message);
  t.true(text.includes('limits is not a known member; did you mean limit?'));
  t.true(text.includes('--tunable-limit must be >= 1'));
});

test('paths in settings reach the plugin absolute: those of flags and defaults are relative to the working directory', async (t) => {
  const config = {output: 'from/file', retry: {log: './log'}, keys: ['/etc/a', '../b'], folders: {a: 'x', b: true}};
  const configured = {configuration: {plugins: {tunable: {config}}}, cwd: '/srv'};
  t.like(await settings(configured), {
    output: '/srv/from/file',
    retry: {log: '/srv/log'},
    keys: ['/etc/a', '/b'],
    folders: {a: '/srv/x', b: true},
  });
  t.like(await settings({...configured, flags: {'tunable-output': 'y', 'tunable-keys': ['a', './b']}}), {
    output: '/srv/y',
    keys: ['/srv/a', '/srv/b'],
  });
  // Neither names a file.
  for (const none of ['', '-']) t.like(await settings({flags: {'tunable-output': none}, cwd: '/srv'}), {output: none});
});

test('members called like parts of the prototype are data and refused as unknown', async (t) => {
  const config = JSON.parse('{"__proto__": {"limit": 1}, "constructor": 1}') as Record<string, unknown>;
  const problems = await problemsOf(t, () => loadFixture('settings', {configuration: {plugins: {tunable: {config}}}}));
  t.deepEqual(places(problems).sort(), [
    'CONFIG_INVALID tunable plugins.tunable.config.__proto__ -',
    'CONFIG_INVALID tunable plugins.tunable.config.constructor -',
  ]);
});

test('a required setting is demanded only when the plugin takes part', async (t) => {
  await t.notThrowsAsync(() => loadFixture('settings'));
  const problems = await problemsOf(t, () => loadFixture('settings', {enablePlugins: ['optional']}));
  t.deepEqual(places(problems), ['CONFIG_INVALID optional plugins.optional.config.secret -']);
  const kernel = await loadFixture('settings', {enablePlugins: ['optional'], flags: {'optional-secret': 'x'}});
  t.deepEqual(kernel.plugins.find((plugin) => plugin.name === 'optional')?.config, {secret: 'x'});
});

test('a flag that nobody declares, or whose plugin takes no part, is an error', async (t) => {
  const problems = await problemsOf(t, () =>
    loadFixture('settings', {flags: {'no-such-flag': 1, 'optional-secret': 'x', unset: undefined}}),
  );
  t.deepEqual(
    problems.map((fault) => fault.message),
    [
      'there is no flag --no-such-flag',
      'the flag --optional-secret belongs to the plugin optional, which is disabled: enable that plugin too',
    ],
  );
});

test('a configuration that is not valid is reported with all faults', async (t) => {
  const configuration = JSON.parse(
    '{"securePort": 70000, "plugin": {}, "admission": {"enable": "all"}, "log": {"level": "loud"}}',
  ) as object;
  const problems = await problemsOf(t, () => loadFixture('settings', {configuration}));
  t.deepEqual(places(problems).sort(), [
    'CONFIGURATION_INVALID - admission.enable -',
    'CONFIGURATION_INVALID - log.level -',
    'CONFIGURATION_INVALID - plugin -',
    'CONFIGURATION_INVALID - securePort -',
  ]);
});
