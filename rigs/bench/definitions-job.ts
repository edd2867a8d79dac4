import {setTimeout as sleep} from 'node:timers/promises';
import {definitionName, definitionText} from './definition-text.js';
import {requestText, type Sender, type RawResponse} from './http-connection.js';
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
  return conditions.some((condition) => condition.type === 'Established' && condition.status === 'True');
}

/**
 * Creates definitions over the given connections, then looks at each until it is established, as `kubectl apply` and `kubectl wait` do.
 * Times of single operations are those of the creations.
 */
export async function runDefinitions(job: DefinitionsJob, connections: readonly Sender[]): Promise<Measurement> {
  const {host} = connections[0]!;
  const all = Array.from({length: job.count}, (_, index) => job.first + index);
  // Made before, so that the time of making them is not counted.
  const creations = all.map((number) => requestText('POST', collection, host, definitionText(number)));
  const samples = new Samples();
  let failures = 0;
  let firstFailure: string | undefined;
  const fail = (what: string) => {
    failures++;
    firstFailure ??= what;
  };
  const started = performance.now();
  const deadline = started + job.maxSeconds * 1000;
  const forEach = async (action: (connection: Sender, index: number) => Promise<void>) => {
    let next = 0;
    await Promise.all(
      connections.map(async (connection) => {
        for (let index = next++; index < job.count && performance.now() <= deadline; index = next++) await action(connection, index);
      }),
    );
  };
  await forEach(async (connection, index) => {
    const from = performance.now();
    const {status, body} = await connection.send(creations[index]!, true);
    samples.add(performance.now() - from);
    if (status !== 201) fail(`create a definition: status ${status} ${body.toString('utf8', 0, 500)}`);
  });
  await forEach(async (connection, index) => {
    const name = definitionName(all[index]!);
    const look = requestText('GET', `${collection}/${name}`, host);
    for (;;) {
      const response = await connection.send(look, true);
      if (isEstablished(response)) return;
      if (response.status !== 200 || performance.now() > deadline) return fail(`${name} was not established: status ${response.status}`);
      await sleep(pollMillis);
    }
  });
  const measurement = {
    operations: samples.length,
    seconds: (performance.now() - started) / 1000,
    p50: samples.percentile(0.5),
    p99: samples.percentile(0.99),
    max: samples.percentile(1),
    failures,
  };
  return firstFailure === undefined ? measurement : {...measurement, firstFailure};
}
