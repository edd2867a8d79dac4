import test from 'ava';
import {WorkQueue, type WorkResult} from '../../../sdk/controllers/work-queue.js';

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
