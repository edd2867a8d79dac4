import {setTimeout as sleep} from 'node:timers/promises';
import {requestText, type Sender} from './http-connection.js';
import {Samples} from './percentile.js';
import type {Watchers} from './watchers.js';
import {configMapText, objectName, type Measurement, type WatchJob} from './work.js';

let sequence = 10_000_000;

/**
 * Updates objects while watchers look on, and measures for each delivered event the time from the update's response (that
 * is, after its commit) to the event's arrival; an event that comes before the response counts as 0.
 */
export async function runWatch(job: WatchJob, connections: readonly Sender[], watchers: Watchers): Promise<Measurement> {
  const first = sequence + 1;
  const answered = new Float64Array(job.writes);
  const early = new Uint32Array(job.writes);
  const delays = new Samples();
  let delivered = 0;
  let lastDelivery = performance.now();
  watchers.listen((number) => {
    const index = number - first;
    // Late events of an earlier job.
    if (index < 0 || index >= job.writes) return;
    delivered++;
    lastDelivery = performance.now();
    if (answered[index] === 0) early[index]!++;
    else delays.add(lastDelivery - answered[index]!);
  });

  const collection = `/api/v1/namespaces/${job.namespace}/configmaps`;
  const host = connections[0]!.host;
  let next = 0;
  let written = 0;
  let expected = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  const started = performance.now();
  const deadline = started + job.maxSeconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      for (;;) {
        const index = next++;
        if (index >= job.writes) return;
        if (job.rate !== undefined) {
          const wait = started + (index * 1000) / job.rate - performance.now();
          if (wait > 0) await sleep(wait);
        }
        if (performance.now() > deadline) return;
        const number = index % job.objects;
        const text = configMapText(job.namespace, number, first + index);
        const response = await connection.send(requestText('PUT', `${collection}/${objectName(number)}`, host, text));
        answered[index] = performance.now();
        for (let event = early[index]!; event > 0; event--) delays.add(0);
        if (response.status === 200) {
          written++;
          expected += watchers.readersOf(number);
        } else {
          failures++;
          firstFailure ??= `update under watch: status ${response.status}`;
        }
      }
    }),
  );
  sequence += job.writes;

  // Deliveries must come to an end by themselves; 10 s without any means that the rest is lost.
  while (delivered < expected && performance.now() - lastDelivery < 10_000) await sleep(5);
  watchers.listen(() => undefined);
  if (delivered < expected) {
    failures += expected - delivered;
    firstFailure ??= `${expected - delivered} of ${expected} events were not delivered`;
  }
  if (watchers.ended > 0) {
    failures += watchers.ended;
    firstFailure ??= `the server ended ${watchers.ended} watches`;
  }
  const measurement = {
    operations: delivered,
    seconds: (lastDelivery - started) / 1000,
    p50: delays.percentile(0.5),
    p99: delays.percentile(0.99),
    failures,
    writes: written,
  };
  return firstFailure === undefined ? measurement : {...measurement, firstFailure};
}
