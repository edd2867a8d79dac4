import {setTimeout as sleep} from 'node:timers/promises';
import {definitionName, definitionText} from './definition-text.js';
import {requestText, type HttpConnection, type RawResponse} from './http-connection.js';
import {Samples} from './percentile.js';
import type {DefinitionsJob, Measurement} from './work.js';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Pause between two looks at a definition that is not yet established, in milliseconds. */
const pollMillis = 10;

interface Definition {
  readonly status?: {readonly conditions?: readonly {readonly type: string; readonly status: string}[]};
}

function isEstablished({status, body}: RawResponse): boolean {
  if (status !== 200) return false;
  const {conditions = []} = (JSON.parse(body.toString('utf8')) as Definition).status ?? {};
  return conditions.some(condition => condition.type === 'Established' && condition.status === 'True');
}

/** Creates definitions over the given connections, and measures for each the time from its request until it is established. */
export async function runDefinitions(job: DefinitionsJob, connections: readonly HttpConnection[]): Promise<Measurement> {
  // Made before, so that the time of making them is not counted.
  const texts = Array.from({length: job.count}, (_, index) => requestText('POST', collection, connections[0]!.host, definitionText(job.first + index)));
  const samples = new Samples();
  let next = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  const fail = (what: string) => {
    failures++;
    firstFailure ??= what;
  };
  const started = performance.now();
  const deadline = started + job.maxSeconds * 1000;
  await Promise.all(
    connections.map(async connection => {
      for (;;) {
        const index = next++;
        const from = performance.now();
        if (index >= job.count || from > deadline) return;
        const response = await connection.send(texts[index]!, true);
        if (response.status !== 201) {
          fail(`create a definition: status ${response.status} ${response.body.toString('utf8', 0, 500)}`);
          continue;
        }
        const look = requestText('GET', `${collection}/${definitionName(job.first + index)}`, connection.host);
        while (!isEstablished(await connection.send(look, true)) && performance.now() <= deadline) await sleep(pollMillis);
        if (performance.now() > deadline) fail(`${definitionName(job.first + index)} was not established in time`);
        samples.add(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const measurement = {operations: samples.length, seconds, p50: samples.percentile(0.5), p99: samples.percentile(0.99), max: samples.percentile(1), failures};
  return firstFailure === undefined ? measurement : {...measurement, firstFailure};
}
