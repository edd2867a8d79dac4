import {requestText, type RawResponse, type Sender} from './http-connection.js';
import {Samples} from './percentile.js';
import {configMapText, objectName, podText, secretText, type Measurement, type RequestJob} from './work.js';

/** Spreads picks over all objects, the same in every run: a multiplier prime to any count used here. */
function pick(index: number, objects: number): number {
  return Number((BigInt(index) * 7_919n) % BigInt(objects));
}

let sequence = 50_000_000;

/** The request for an answer that is packed, as client-go always asks. */
function packed(text: string): string {
  return text.replace('\r\n\r\n', '\r\nAccept-Encoding: gzip\r\n\r\n');
}

/** One operation: one request, or for paging one round through all pages. Answers the status of the last response. */
type Operation = (connection: Sender, index: number) => Promise<RawResponse>;

/** A list's token for its next page. It stands in the list's metadata, before or behind the items. */
function continueToken(body: Buffer): string | undefined {
  const pattern = /"continue":"([^"]+)"/;
  const found = pattern.exec(body.toString('latin1', 0, 2_000)) ?? pattern.exec(body.toString('latin1', Math.max(0, body.length - 2_000)));
  return found?.[1];
}

function operationOf(job: RequestJob, host: string): Operation {
  const collection = `/api/v1/namespaces/${job.namespace}/${job.resource ?? 'configmaps'}`;
  const objectText = (index: number, version: number, owner?: string) =>
    job.resource === 'secrets' ? secretText(job.namespace, index, version) : configMapText(job.namespace, index, version, owner, job.size);
  const item = (index: number) => `${collection}/${objectName(pick(index, job.objects))}`;
  const list = (query: string, finish = (text: string) => text): Operation => {
    const text = finish(requestText('GET', `${collection}?${query}`, host));
    return (connection) => connection.send(text);
  };
  switch (job.work) {
    case 'create':
      return (connection, index) => connection.send(requestText('POST', collection, host, objectText(index, index, job.owner)));
    case 'create pod': {
      const pods = `/api/v1/namespaces/${job.namespace}/pods`;
      return (connection, index) => connection.send(requestText('POST', pods, host, podText(job.namespace, index)));
    }
    case 'get':
      return (connection, index) => connection.send(requestText('GET', item(index), host));
    case 'scrape': {
      // As Prometheus asks.
      const text = packed(requestText('GET', '/metrics', host));
      return (connection) => connection.send(text);
    }
    case 'get at version 0':
      return (connection, index) => connection.send(requestText('GET', `${item(index)}?resourceVersion=0`, host));
    case 'list of 500':
      return list('limit=500');
    case 'list of 20':
      return list('limit=20');
    case 'list of 500, gzip':
      return list('limit=500', packed);
    case 'list by label':
      return list(`labelSelector=${encodeURIComponent('shard=s3')}`);
    case 'list of 20 by label':
      return list(`limit=20&labelSelector=${encodeURIComponent('shard=s3')}`);
    case 'path': {
      const text = requestText('GET', job.path ?? '/', host).replace(
        'Accept: application/json',
        `Accept: ${job.accept ?? 'application/json'}`,
      );
      return (connection) => connection.send(text);
    }
    case 'paging by 500':
      return async (connection) => {
        let query = 'limit=500';
        for (;;) {
          const response = await connection.send(requestText('GET', `${collection}?${query}`, host), true);
          const token = response.status === 200 ? continueToken(response.body) : undefined;
          if (token === undefined) return response;
          query = `limit=500&continue=${encodeURIComponent(token)}`;
        }
      };
    case 'update':
      return (connection, index) => {
        const number = pick(index, job.objects);
        return connection.send(requestText('PUT', `${collection}/${objectName(number)}`, host, objectText(number, ++sequence)));
      };
    case 'merge patch':
      return (connection, index) =>
        connection.send(requestText('PATCH', item(index), host, `{"data":{"bench-seq":"${++sequence}"}}`, 'application/merge-patch+json'));
    case 'apply':
      // As a controller does it: all that it wants, by force. After the first time the fields are its own.
      return (connection, index) => {
        const number = pick(index, job.objects);
        const text = objectText(number, ++sequence);
        return connection.send(
          requestText(
            'PATCH',
            `${collection}/${objectName(number)}?fieldManager=bench&force=true`,
            host,
            text,
            'application/apply-patch+yaml',
          ),
        );
      };
    case 'delete':
      // One after the other: each object can be deleted only once.
      return (connection, index) => connection.send(requestText('DELETE', `${collection}/${objectName(index)}`, host));
  }
}

/** Does a job's operations over the given connections, one at a time on each, and measures every one. */
export async function runRequests(job: RequestJob, connections: readonly Sender[]): Promise<Measurement> {
  const samples = new Samples();
  const operation = operationOf(job, connections[0]!.host);
  let next = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  const started = performance.now();
  const deadline = started + job.maxSeconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      for (;;) {
        const index = next++;
        const from = performance.now();
        if (index >= job.count || from > deadline) return;
        const response = await operation(connection, index + (job.first ?? 0));
        samples.add(performance.now() - from);
        if (response.status >= 200 && response.status < 300) continue;
        failures++;
        firstFailure ??= `${job.work}: status ${response.status}`;
      }
    }),
  );
  const measurement = {
    operations: samples.length,
    seconds: (performance.now() - started) / 1000,
    p50: samples.percentile(0.5),
    p99: samples.percentile(0.99),
    failures,
  };
  return firstFailure === undefined ? measurement : {...measurement, firstFailure};
}
