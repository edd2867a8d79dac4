import {AsyncLocalStorage} from 'node:async_hooks';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {every} from '../../../sdk/index.js';
import {until} from '../../helpers/eventually.js';

test('what asks for the same period is called in the same turn, in its own context, until it is ended', async (t) => {
  const context = new AsyncLocalStorage<string>();
  const calls: string[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const begin = (name: string) =>
    context.run(name, () =>
      every(23, () => {
        calls.push(context.getStore()!);
        if (!turns.has(turn)) setImmediate(() => (turn += 1));
        turns.add(turn);
      }),
    );
  const endFirst = begin('first');
  await sleep(7);
  const endSecond = begin('second');
  // The first may have been called already.
  calls.length = 0;
  turns.clear();
  await until('three beats', async () => calls.length >= 6);
  endFirst();
  t.deepEqual(calls.slice(0, 6), ['first', 'second', 'first', 'second', 'first', 'second']);
  t.is(turns.size, calls.length / 2);
  calls.length = 0;
  await until('another beat', async () => calls.length > 0);
  endSecond();
  t.deepEqual([...new Set(calls)], ['second']);
});

test('periods of which one is a multiple of the other beat in one turn', async (t) => {
  const turns = {short: new Set<number>(), long: new Set<number>()};
  let turn = 0;
  const note = (name: keyof typeof turns) => () => {
    turns[name].add(turn);
    setImmediate(() => (turn += 1));
  };
  const ends = [every(30, note('short')), every(60, note('long'))];
  await until('three beats of the longer one', async () => turns.long.size >= 3);
  for (const end of ends) end();
  const shared = [...turns.long].filter((one) => turns.short.has(one)).length;
  t.true(shared >= 2, `${shared} of ${turns.long.size}`);
});
