import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tempFolder, type Teardown} from './temp-folder.js';

/** A span as OTLP has it in JSON, its attributes as an object. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly started: bigint;
  readonly ended: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links?: readonly {readonly traceId: string; readonly spanId: string}[];
  readonly status?: {readonly code: number};
}

interface RawSpan extends Omit<CollectedSpan, 'attributes' | 'started' | 'ended'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {readonly key: string; readonly value: Readonly<Record<string, unknown>>}[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: {readonly attributes: RawSpan['attributes']};
    readonly scopeSpans: readonly {readonly spans: readonly RawSpan[]}[];
  }[];
}

export interface TraceCollector {
  /** `HOST:PORT`. */
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** Attributes of the last export's resource. */
  resource: Readonly<Record<string, unknown>>;
  /** Paths that were posted to. */
  readonly paths: string[];
  /** How it answers: with 200 by default. */
  answer: (response: ServerResponse) => void;
}

/** Starts a collector that takes OTLP over HTTP as JSON. It is stopped at the end of the test. */
export async function traceCollector(t: Teardown): Promise<TraceCollector> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      collector.paths.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
      take(collector, JSON.parse(Buffer.concat(chunks).toString()) as Export);
      collector.answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const collector: TraceCollector = {
    endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    resource: {},
    paths: [],
    answer: (response) => void response.end('{}'),
  };
  return collector;
}

/** A file for `--tracing-config-file`. */
export function tracingFile(t: Teardown, configuration: object): string {
  const file = join(tempFolder(t), 'tracing.yaml');
  writeFileSync(file, JSON.stringify({apiVersion: 'apiserver.config.orch/v1alpha1', kind: 'TracingConfiguration', ...configuration}));
  return file;
}

function take(collector: TraceCollector, {resourceSpans}: Export): void {
  for (const {resource, scopeSpans} of resourceSpans) {
    collector.resource = plain(resource.attributes);
    for (const span of scopeSpans.flatMap(({spans}) => spans)) {
      collector.spans.push({
        ...span,
        attributes: plain(span.attributes),
        started: BigInt(span.startTimeUnixNano),
        ended: BigInt(span.endTimeUnixNano),
      });
    }
  }
}

function plain(attributes: RawSpan['attributes']): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({key, value}) => [key, Object.values(value)[0]]));
}
