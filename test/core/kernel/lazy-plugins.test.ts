import test from 'ava';
import {Tokens} from '../../../sdk/index.js';
import {deepCheck} from '../../../core/kernel/deep-check.js';
import type {Contribution} from '../../../core/kernel/contributions.js';
import {KernelError} from '../../../core/kernel/kernel-error.js';
import {fixture, loadFixture, offered, places, problemsOf} from './kernel-fixtures.js';

const marks = globalThis as unknown as Record<symbol, unknown>;
const imported = () => marks[Symbol.for('orch.test.patient')];

/** The problems with which an instance that is asked for cannot be had. */
function problemsOfUse(contribution: Contribution): KernelError['problems'] {
  try {
    void contribution.instance;
  } catch (error) {
    if (KernelError.is(error)) return error.problems;
    throw error;
  }
  return [];
}

test('a lazy plugin is imported when the first of its classes is asked for, and each class is constructed once', async (t) => {
  const made: string[] = [];
  const kernel = await loadFixture('lazy', {values: offered([Tokens.Naming, (plugin) => ({plugin, count: made.push(plugin)})])});
  const {strategies, virtualResources} = await kernel.construct();
  await kernel.start('services');
  t.deepEqual(
    [strategies, virtualResources].flat().map(({plugin, kind, class: name}) => [plugin, kind, name]),
    [
      ['patient', 'strategy', 'PatientStrategy'],
      ['patient', 'virtualResource', 'Visits'],
    ],
  );
  t.is(imported(), undefined);
  const handler = virtualResources[0]!.instance;
  t.is(imported(), 'imported');
  t.deepEqual(made, []);
  const strategy = strategies[0]!.instance;
  t.like(strategy, {naming: {plugin: 'patient', count: 1}});
  t.is(strategies[0]!.instance, strategy);
  t.is(virtualResources[0]!.instance, handler);
  t.deepEqual(made, ['patient']);
  await kernel.stop();
});

// Before the others: Node.js refuses to `require` a module that is being imported at that moment (ERR_REQUIRE_ESM_RACE_CONDITION), as the thorough check below does. No server imports what it loads lazily.
test.serial('what is wrong with a lazy plugin is reported at its first use, each time', async (t) => {
  const {strategies} = await (await loadFixture('lazy-broken')).construct();
  const [cracker, engine] = strategies;
  for (let use = 0; use < 2; use++) {
    t.deepEqual(places(problemsOfUse(cracker!)), ['IMPORT_FAILED explosive-later - index.js']);
    t.deepEqual(places(problemsOfUse(engine!)), ['LAZY_INVALID starting contributes.resources[0].strategy plugin.json']);
  }
  t.true(problemsOfUse(cracker!)[0]!.cause instanceof RangeError);
  t.is(problemsOfUse(engine!)[0]!.message, 'it is lazy, but the strategy EngineStrategy is needed at the start');
});

test('a thorough check imports lazy plugins', async (t) => {
  const kernel = await loadFixture('lazy-broken');
  const problems = await Promise.all(kernel.plugins.map((plugin) => deepCheck(plugin, true)));
  t.deepEqual(places(problems.flat()), [
    'IMPORT_FAILED explosive-later - index.js',
    'LAZY_INVALID starting contributes.resources[0].strategy plugin.json',
  ]);
});

test('a lazy plugin from outside is imported at the start', async (t) => {
  const kernel = await loadFixture('data-only', {plugins: [fixture('lazy-broken/explosive-later')]});
  t.deepEqual(places(await problemsOf(t, () => kernel.construct())), ['IMPORT_FAILED explosive-later - index.js']);
});

test('a plugin with a policy cannot be lazy', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('lazy-policy'));
  t.deepEqual(places(problems), [
    'LAZY_INVALID hasty contributes.authorizers[0] plugin.json',
    'LAZY_INVALID hasty contributes.admission[0].class plugin.json',
  ]);
});
