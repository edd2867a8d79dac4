import test from 'ava';
import {runSteps, waited, type Steps} from '../../../sdk/values/interruptible.js';

test('steps that wait for nothing answer at once', (t) => {
  t.is(
    runSteps(
      (function* (): Steps<number> {
        return yield* waited(2);
      })(),
    ),
    2,
  );
});

test('steps are given what they have waited for, and go on behind it', async (t) => {
  const done: string[] = [];
  const steps = (function* (): Steps<number> {
    done.push('first');
    const one = yield* waited(Promise.resolve(1));
    done.push('second');
    return one + (yield* waited(Promise.resolve(2)));
  })();
  const running = runSteps(steps);
  t.deepEqual(done, ['first']);
  t.is(await running, 3);
  t.deepEqual(done, ['first', 'second']);
});

test('a promise that rejects is an error at the step that waits for it', async (t) => {
  const steps = (function* (): Steps<string> {
    try {
      return yield* waited(Promise.reject<string>(new Error('refused')));
    } catch (error) {
      return `caught: ${(error as Error).message}`;
    }
  })();
  t.is(await runSteps(steps), 'caught: refused');
});

test('what steps throw is thrown, before and behind a wait', async (t) => {
  const failing = function* (waits: boolean): Steps<void> {
    if (waits) yield Promise.resolve();
    throw new Error('broken');
  };
  t.throws(() => runSteps(failing(false)), {message: 'broken'});
  await t.throwsAsync(async () => runSteps(failing(true)), {message: 'broken'});
});
