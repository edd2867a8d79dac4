import test from 'ava';
import {conflict, notFound, retryOnConflict} from '@orch-api/orch/sdk';

const target = {group: '', resource: 'pods', name: 'p'};

test('a write is done again after conflicts, and knows the last one', async (t) => {
  const seen: unknown[] = [];
  const conflicts = [conflict(target, 'one'), conflict(target, 'two')];
  const written = await retryOnConflict(5, async (last) => {
    seen.push(last);
    const next = conflicts[seen.length - 1];
    if (next) throw next;
    return 'written';
  });
  t.is(written, 'written');
  t.deepEqual(seen, [undefined, ...conflicts]);
});

test('the last of the attempts ends with its conflict', async (t) => {
  let attempts = 0;
  const error = await t.throwsAsync(
    retryOnConflict(3, async () => {
      attempts += 1;
      throw conflict(target, `attempt ${attempts}`);
    }),
  );
  t.is(attempts, 3);
  t.regex(error!.message, /attempt 3/);
});

test('another error, or the conflict itself thrown on, ends it at once', async (t) => {
  let attempts = 0;
  await t.throwsAsync(
    retryOnConflict(3, async () => {
      attempts += 1;
      throw notFound(target);
    }),
    {message: /not found/},
  );
  t.is(attempts, 1);
  await t.throwsAsync(
    retryOnConflict(5, async (last) => {
      attempts += 1;
      throw last ?? conflict(target, 'overtaken');
    }),
    {message: /overtaken/},
  );
  t.is(attempts, 3);
});
