import test from 'ava';
import {CooperativeScheduler} from '../../../sdk/index.js';
import {FlushTimer, type ChangeCollector} from '../../../core/storage/flush-timer.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Collects revisions, and tells which it sends. @param busyMillis how long sending takes */
class Collector implements ChangeCollector {
  collected: number[] = [];

  constructor(
    readonly sent: number[],
    readonly busyMillis = 0,
  ) {}

  get oldestCollected(): number {
    return this.collected[0] ?? Infinity;
  }

  flush(): void {
    const until = performance.now() + this.busyMillis;
    while (performance.now() < until);
    this.sent.push(...this.collected.splice(0));
  }
}

test('a change of a type whose watches are costly is shown before later ones of other types', async (t) => {
  const sent: number[] = [];
  const timer = new FlushTimer(6, new CooperativeScheduler());
  const [costly, cheap] = [new Collector(sent, 5), new Collector(sent)];
  const change = (collector: Collector, revision: number) => {
    collector.collected.push(revision);
    timer.request(collector);
  };
  for (let revision = 1; revision <= 100; revision += 4) {
    change(costly, revision);
    await turn();
    change(cheap, revision + 1);
    while (sent.length < revision + 1) await turn();
    // What came first is first, whoever asked first.
    costly.collected.push(revision + 2);
    cheap.collected.push(revision + 3);
    timer.request(cheap);
    timer.request(costly);
    while (sent.length < revision + 3) await turn();
  }
  t.deepEqual(
    sent,
    Array.from({length: 100}, (_, index) => index + 1),
  );
});

test('what one type has asked for and does not want any more keeps nothing of the others back', async (t) => {
  const sent: number[] = [];
  const timer = new FlushTimer(6, new CooperativeScheduler());
  const [ended, other] = [new Collector(sent), new Collector(sent)];
  ended.collected.push(1);
  other.collected.push(2);
  timer.request(ended);
  timer.request(other);
  timer.cancel(ended);
  while (sent.length === 0) await turn();
  t.deepEqual(sent, [2]);
  timer.request(ended);
  timer.cancel(ended);
  await turn();
  await turn();
  t.deepEqual(sent, [2]);
});
