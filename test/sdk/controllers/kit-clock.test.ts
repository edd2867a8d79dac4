import test, {type ExecutionContext} from 'ava';
import {MovableClock} from '../../../core/testing/movable-clock.js';
import {defineController, definePlugin, Tokens} from '@orch-api/orch/sdk';
import {Reconciler, WorkQueue, type WorkResult} from '@orch-api/orch/sdk/controllers';
import {startTestServer} from '@orch-api/orch/testing';
import {systemClock} from '../../../sdk/values/system-clock.js';
import {eventually, until} from '../../helpers/eventually.js';

const hourMillis = 3_600_000;
const configMaps = {group: '', version: 'v1', resource: 'configmaps'};

/** A server with a controller that writes down which object it looks at, and the number of times. */
async function watched(t: ExecutionContext, result: (count: number) => WorkResult, options: {resyncMillis?: number} = {}) {
  const looks: number[] = [];
  const plugin = definePlugin({name: 'reminders'}, [
    defineController({
      name: 'reminder',
      permissions: [{verbs: ['list', 'watch'], apiGroups: [''], resources: ['configmaps']}],
      create: ({inject, logger}) =>
        new Reconciler({
          ...options,
          resources: inject(Tokens.Resources),
          naming: inject(Tokens.Naming),
          logger,
          concurrency: 1,
          types: [{ref: configMaps}],
          reconcile: async (key) => {
            if (key !== 'default/due') return {done: true};
            looks.push(inject(Tokens.Clock).now());
            return result(looks.length);
          },
        }),
    }),
  ]);
  const server = await startTestServer({plugins: [plugin]});
  t.teardown(() => server.stop());
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'due'}});
  await until('a first look', () => looks.length > 0);
  return {server, looks};
}

test('a reconciler comes back to a key when the clock of its server has been put forward', async (t) => {
  const {server, looks} = await watched(t, () => ({again: hourMillis}));
  // What it waits for is set behind the work, which may end a moment later.
  await eventually(
    async () => {
      await server.advance(hourMillis);
      return looks.length;
    },
    (count) => count > 1,
  );
  t.true(looks[1]! - looks[0]! >= hourMillis);
});

test('pauses after failures and looks at all objects again go by the clock of the server', async (t) => {
  const {server, looks} = await watched(
    t,
    (count) => {
      if (count < 9) throw new Error('not now');
      return {done: true};
    },
    {resyncMillis: 24 * hourMillis},
  );
  await eventually(
    async () => {
      await server.advance(20_000);
      return looks.length;
    },
    (count) => count >= 9,
  );
  const before = looks.length;
  await server.advance(27 * hourMillis);
  await until('a resync', () => looks.length > before);
  t.true(looks.length > before);
});

test('the rate of a queue goes by its clock', async (t) => {
  const clock = new MovableClock();
  let count = 0;
  const work = async (): Promise<WorkResult> => {
    count += 1;
    return {done: true};
  };
  const queue = new WorkQueue(work, {concurrency: 1, clock, rate: {perSecond: 1 / 3600, burst: 1}, onError: () => t.fail()});
  t.teardown(() => queue.close());
  queue.add('a');
  queue.add('b');
  await until('the first', () => count === 1);
  clock.advance(hourMillis + 1000);
  await until('the second', () => count === 2);
  t.is(count, 2);
});

const wrong: readonly (readonly [what: string, result: unknown, message: RegExp])[] = [
  ['a negative time', {again: -5}, /\{again: -5\}, which is no number of milliseconds from 0/],
  ['a time that is no number', {again: Number.NaN}, /\{again: NaN\}/],
  ['a time that never comes', {again: Infinity}, /\{again: Infinity\}/],
  ['nothing', undefined, /must end with \{done: true\} or \{again: MILLISECONDS\}/],
];
for (const [what, result, message] of wrong) {
  test(`work that ends with ${what} has failed, and is tried again later`, async (t) => {
    const errors: unknown[] = [];
    const queue = new WorkQueue(async () => result as WorkResult, {concurrency: 1, onError: (_name, error) => void errors.push(error)});
    t.teardown(() => queue.close());
    queue.add('a');
    await until('an error', () => errors.length > 0);
    t.regex((errors[0] as Error).message, message);
  });
}

test('a time beyond the longest timer of Node.js is waited for', async (t) => {
  let called = false;
  const callOff = systemClock.after(60 * 24 * hourMillis, () => (called = true));
  t.teardown(callOff);
  // A timer that is too long fires after a millisecond: this one is behind it.
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.false(called);
});
