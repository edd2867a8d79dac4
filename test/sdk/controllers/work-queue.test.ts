import test from 'ava';
import {WorkQueue, type WorkResult} from '../../../sdk/controllers/work-queue.js';
import {TokenBucket} from '../../../sdk/controllers/token-bucket.js';
import {eventually, until} from '../../helpers/eventually.js';

const done: WorkResult = {done: true};

/** A promise with its resolve function. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {open, opened};
}

function queue(work: (name: string) => Promise<WorkResult>, concurrency = 2, errors: unknown[] = []) {
  return new WorkQueue(work, {concurrency, onError: (_name, error) => void errors.push(error)});
}

test('names are worked on side by side up to the limit, each at most once at a time', async (t) => {
  const gates = new Map(['a', 'b', 'c'].map((name) => [name, gate()]));
  const started: string[] = [];
  const finished = gate();
  const worker = queue(async (name) => {
    started.push(name);
    await gates.get(name)!.opened;
    if (started.length === 3) finished.open();
    return done;
  });
  t.teardown(() => worker.close());
  for (const name of ['a', 'b', 'c', 'c']) worker.add(name);
  // In this turn of the event loop, or in the next where the machine is slow.
  await until('as many have begun as may', () => started.length >= 2);
  t.deepEqual(started, ['a', 'b']);
  gates.get('a')!.open();
  gates.get('c')!.open();
  await finished.opened;
  t.deepEqual(started, ['a', 'b', 'c']);
  gates.get('b')!.open();
});

test('a name that is added while it is worked on is done once more', async (t) => {
  const first = gate();
  const second = gate();
  let runs = 0;
  const worker = queue(async () => {
    runs += 1;
    if (runs === 1) await first.opened;
    else second.open();
    return done;
  });
  t.teardown(() => worker.close());
  worker.add('a');
  worker.add('a');
  worker.add('a');
  first.open();
  await second.opened;
  t.is(runs, 2);
});

test('work that throws is reported and tried again after growing pauses', async (t) => {
  const times: number[] = [];
  const errors: unknown[] = [];
  const end = gate();
  const worker = queue(
    async () => {
      times.push(performance.now());
      if (times.length < 4) throw new Error(`try ${times.length}`);
      end.open();
      return done;
    },
    1,
    errors,
  );
  t.teardown(() => worker.close());
  // Timers of a queue do not keep a process alive.
  const alive = setInterval(() => {}, 1000);
  t.teardown(() => clearInterval(alive));
  worker.add('a');
  await end.opened;
  t.deepEqual(
    errors.map((error) => (error as Error).message),
    ['try 1', 'try 2', 'try 3'],
  );
  t.true(times[3]! - times[2]! > times[1]! - times[0]!);
});

test('a name that waits for its next look is looked at now when it is added', async (t) => {
  const second = gate();
  let runs = 0;
  const worker = queue(async () => {
    runs += 1;
    if (runs === 2) second.open();
    return {again: 60_000};
  });
  t.teardown(() => worker.close());
  worker.add('a');
  await new Promise((resolve) => setImmediate(resolve));
  worker.add('a');
  await second.opened;
  t.is(runs, 2);
});

test('close waits for the work under way and begins nothing more', async (t) => {
  const block = gate();
  const started: string[] = [];
  const worker = queue(async (name) => {
    started.push(name);
    await block.opened;
    return {again: 0};
  }, 1);
  worker.add('a');
  worker.add('b');
  let closed = false;
  const closing = worker.close().then(() => (closed = true));
  await new Promise((resolve) => setImmediate(resolve));
  t.false(closed);
  block.open();
  await closing;
  worker.add('c');
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.deepEqual(started, ['a']);
});

test('with a rate no more names are begun than a bucket of tokens gives, and all of them in the end', async (t) => {
  const times: number[] = [];
  const last = gate();
  const worker = new WorkQueue(
    async () => {
      if (times.push(performance.now()) === 5) last.open();
      return done;
    },
    {concurrency: 5, rate: {perSecond: 50, burst: 2}, onError: (_name, error) => t.fail(String(error))},
  );
  t.teardown(() => worker.close());
  for (const name of ['a', 'b', 'c', 'd', 'e']) worker.add(name);
  t.is(times.length, 2, 'the burst at once');
  await last.opened;
  t.true(times[4]! - times[0]! >= 55, `three more at 50 a second, in ${times[4]! - times[0]!} ms`);
});

test('pauses after failures are those of the options', async (t) => {
  let runs = 0;
  const began = performance.now();
  const worker = new WorkQueue(
    async () => {
      runs += 1;
      throw new Error('no');
    },
    {concurrency: 1, retries: {initialMillis: 1, maximumMillis: 2}, onError: () => undefined},
  );
  t.teardown(() => worker.close());
  worker.add('a');
  await eventually(
    () => runs,
    (count) => count >= 8,
  );
  t.true(performance.now() - began < 5000, 'by default seven retries take more than 6 s');
});

test('a bucket of tokens fills with time up to its burst, and refuses rates that let nothing happen', (t) => {
  let now = 0;
  const bucket = new TokenBucket(0.5, 2, () => now);
  t.deepEqual([bucket.take(), bucket.take(), bucket.take()], [0, 0, 2000]);
  now = 1000;
  t.is(bucket.take(), 1000);
  now = 60_000;
  t.deepEqual([bucket.take(), bucket.take(), bucket.take()], [0, 0, 2000]);
  t.throws(() => new TokenBucket(0, 1), {instanceOf: RangeError});
  t.throws(() => new TokenBucket(1, 0.5), {instanceOf: RangeError});
});
