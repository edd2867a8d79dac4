import test from 'ava';
import type {Kernel, KernelOptions} from '../../../core/kernel/kernel.js';
import {loadFixture, offered, places, problemsOf} from './kernel-fixtures.js';

/** What the fixture plugins tell of themselves, and what they are to do. */
class Recorder {
  readonly events: string[] = [];
  constructor(
    readonly onStart?: (name: string, signal: AbortSignal) => Promise<void> | void,
    readonly onStop?: (name: string) => Promise<void> | void,
  ) {}

  add(event: string): void {
    this.events.push(event);
  }
}

function load(recorder: Recorder, options: Partial<KernelOptions> = {}): Promise<Kernel> {
  return loadFixture('lifecycle', {values: offered([Symbol.for('test.recorder'), () => recorder]), ...options});
}

const never = () => new Promise<void>(() => undefined);

test('contributions are constructed and started in dependency order, controllers last, and stopped in reverse order', async (t) => {
  const recorder = new Recorder();
  const kernel = await load(recorder);
  t.deepEqual(
    kernel.plugins.map((plugin) => plugin.name),
    ['bottom', 'middle', 'top'],
  );
  await kernel.construct();
  await kernel.start('services');
  await kernel.start('controllers');
  recorder.add('ready');
  await kernel.stop();
  const names = ['bottom', 'middle', 'top'];
  const [services, controllers] = ['authorizer', 'controller'].map((kind) => names.map((name) => `${name} ${kind}`)) as [
    string[],
    string[],
  ];
  t.deepEqual(recorder.events, [
    ...names.flatMap((name) => [`construct ${name} authorizer`, `construct ${name} controller`]),
    ...[...services, ...controllers].map((name) => `start ${name}`),
    'ready',
    ...[...services, ...controllers].reverse().flatMap((name) => [`signal ${name}`, `stop ${name}`]),
  ]);
});

test('everything is constructed once, however often it is asked for', async (t) => {
  const recorder = new Recorder();
  const kernel = await load(recorder);
  const [first, second] = await Promise.all([kernel.construct(), kernel.construct()]);
  t.is(first, second);
  await kernel.start('services');
  await kernel.start('services');
  t.deepEqual(
    recorder.events.filter((event) => event.includes('bottom authorizer')),
    ['construct bottom authorizer', 'start bottom authorizer'],
  );
  await kernel.stop();
});

test('a start that hangs ends at its time limit with the names of plugin and contribution, and what runs is stopped', async (t) => {
  const recorder = new Recorder((name) => (name === 'middle authorizer' ? never() : undefined));
  const kernel = await load(recorder, {timeouts: {startMillis: 30}});
  const problems = await problemsOf(t, () => kernel.start('services'));
  t.deepEqual(places(problems), ['START_TIMEOUT middle - -']);
  t.is(problems[0]!.message, 'starting the authorizer MiddleAuthorizer took longer than 0.03 s');
  t.deepEqual(recorder.events.slice(6), [
    'start bottom authorizer',
    'start middle authorizer',
    'signal middle authorizer',
    'signal bottom authorizer',
    'stop bottom authorizer',
  ]);
});

test('a start that fails stops what was started, in reverse order, and keeps the exception', async (t) => {
  const fault = new RangeError('no room');
  const recorder = new Recorder((name) => {
    if (name === 'bottom controller') throw fault;
  });
  const kernel = await load(recorder);
  await kernel.start('services');
  const problems = await problemsOf(t, () => kernel.start('controllers'));
  t.deepEqual(places(problems), ['START_FAILED bottom - -']);
  t.is(problems[0]!.message, 'starting the controller bottom failed: no room');
  t.is(problems[0]!.cause, fault);
  t.deepEqual(
    recorder.events.filter((event) => event.startsWith('stop')),
    ['stop top authorizer', 'stop middle authorizer', 'stop bottom authorizer'],
  );
});

test('stopping goes on after failures and hangs, and reports all of them', async (t) => {
  const recorder = new Recorder(undefined, (name) => {
    if (name === 'top authorizer') throw new Error('stuck');
    if (name === 'middle authorizer') return never();
    return undefined;
  });
  const kernel = await load(recorder, {timeouts: {stopMillis: 30}});
  await kernel.start('services');
  const problems = await problemsOf(t, () => kernel.stop());
  t.deepEqual(
    problems.map((fault) => fault.message),
    ['stopping the authorizer TopAuthorizer failed: stuck', 'stopping the authorizer MiddleAuthorizer took longer than 0.03 s'],
  );
  t.is(recorder.events.at(-1), 'stop bottom authorizer');
});

test('an aborted start ends at once and stops what was started', async (t) => {
  const controller = new AbortController();
  const recorder = new Recorder((name) => {
    if (name !== 'middle authorizer') return undefined;
    controller.abort(new Error('enough'));
    return never();
  });
  const kernel = await load(recorder);
  const problems = await problemsOf(t, () => kernel.start('services', controller.signal));
  t.deepEqual(places(problems), ['START_ABORTED middle - -']);
  t.regex(problems[0]!.message, /enough/);
  t.deepEqual(
    recorder.events.filter((event) => event.startsWith('stop')),
    ['stop bottom authorizer'],
  );
});

test('a stop gives up a start that is under way', async (t) => {
  const reached = Promise.withResolvers<void>();
  const recorder = new Recorder((name) => {
    if (name !== 'middle authorizer') return undefined;
    reached.resolve();
    return never();
  });
  const kernel = await load(recorder);
  const starting = problemsOf(t, () => kernel.start('services'));
  await reached.promise;
  await kernel.stop();
  t.deepEqual(places(await starting), ['START_ABORTED middle - -']);
  t.deepEqual(
    recorder.events.filter((event) => event.startsWith('stop')),
    ['stop bottom authorizer'],
  );
});

test('kernels in one process have nothing in common but the modules', async (t) => {
  const recorders = [new Recorder(), new Recorder()] as const;
  const kernels = await Promise.all(recorders.map((recorder) => load(recorder)));
  const [first, second] = await Promise.all(kernels.map((kernel) => kernel.construct()));
  t.not(first!.authorizers[0]!.instance, second!.authorizers[0]!.instance);
  await kernels[0]!.start('services');
  t.true(recorders[0].events.includes('start top authorizer'));
  t.false(recorders[1].events.includes('start top authorizer'));
  await kernels[0]!.stop();
  await kernels[1]!.start('services');
  t.true(recorders[1].events.includes('start top authorizer'));
  await kernels[1]!.stop();
});
