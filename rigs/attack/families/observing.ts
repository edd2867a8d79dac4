import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {webhookService} from '../../../test/helpers/webhook-service.js';
import {family, type Around, type Attack} from '../attack.js';
import {requestText} from '../client/request-text.js';
import {fillWith} from './body-attack.js';

/** Every request is traced, and the collector never answers. */
const traced: Around = {
  name: 'traced',
  async start(t, folder) {
    const collector = await webhookService(t, () => void (collector.requests.length = 0));
    const file = join(folder, 'tracing.yaml');
    const configuration = {endpoint: `127.0.0.1:${collector.port}`, samplingRatePerMillion: 1_000_000};
    writeFileSync(file, JSON.stringify({apiVersion: 'apiserver.config.orch/v1alpha1', kind: 'TracingConfiguration', ...configuration}));
    return ['--tracing-config-file', file];
  },
};

/** The same request again and again. */
const flood = (
  name: string,
  request: (connection: number, number: number) => Buffer,
  outcomes: Attack['outcomes'],
  {around, user = 'builder', connections = 30}: {around?: Around; user?: 'builder' | 'anonymous'; connections?: number} = {},
): Attack => ({
  name,
  outcomes,
  seconds: 3,
  ...(around ? {around} : {}),
  run: (attacker) => attacker.flood({user, connections, request}),
});

const with_ = (...headers: string[]) => requestText('GET', '/api/v1/namespaces/default', {headers});
const ids = (connection: number, number: number) => `${connection.toString(16).padStart(16, 'a')}${number.toString(16).padStart(16, 'b')}`;

/** What watches the server: metrics, paths below /debug, traces. */
export const observing = family(
  'observing',
  [
    flood('metrics', () => requestText('GET', '/metrics'), [200]),
    flood('metrics-compressed', () => requestText('GET', '/metrics', {headers: ['Accept-Encoding: gzip']}), [200]),
    flood(
      'metrics-of-invented-paths',
      (connection, number) => requestText('GET', `/apis/g${number}.example/v${connection}/things${number}`),
      [404],
    ),
    flood(
      'metrics-of-invented-verbs',
      (connection, number) => requestText(['PROPFIND', 'LINK', 'MKCOL', 'SEARCH'][number % 4]!, `/api/v1/things-${connection}-${number}`),
      [404, 405],
    ),
    flood('metrics-of-invented-clients', (_, number) => with_(`User-Agent: agent-${number}/${number}`), [200]),
    flood(
      'log-level-again-and-again',
      (_, number) => requestText('PUT', '/debug/flags/log-level', {body: number % 2 ? 'info' : 'info,http=warn', type: 'text/plain'}),
      [200],
    ),
    flood(
      'log-level-of-a-megabyte',
      () =>
        requestText('PUT', '/debug/flags/log-level', {body: `info,${fillWith((n) => `c${n}=debug`, ',', 1_000_000)}`, type: 'text/plain'}),
      [400, 413, 422],
      {connections: 4},
    ),
    flood('debug-anonymous', () => requestText('PUT', '/debug/flags/log-level', {body: 'trace'}), [403, 401], {user: 'anonymous'}),
    flood('queues', () => requestText('GET', '/debug/api_priority_and_fairness/dump_requests'), [200, 404]),
    flood('traceparent-long', () => with_(`traceparent: 00-${'a'.repeat(60_000)}-b-01`), [200], {around: traced}),
    flood(
      'traceparent-of-its-own',
      (connection, number) => with_(`traceparent: 00-${ids(connection, number)}-b7ad6b7169203331-01`),
      [200],
      {
        around: traced,
      },
    ),
    flood(
      'tracestate-long',
      (connection, number) =>
        with_(
          `traceparent: 00-${ids(connection, number)}-b7ad6b7169203331-01`,
          `tracestate: ${fillWith((n) => `k${n}=v`, ',', 50_000)}`,
          `baggage: ${fillWith((n) => `k${n}=v;p`, ',', 9_000)}`,
        ),
      [200],
      {around: traced},
    ),
    flood('trace-headers-many', () => with_(...Array.from({length: 900}, (_, n) => `traceparent: 00-${n}`)), [200], {around: traced}),
    flood('audit-ids', (_, number) => with_(`Audit-Id: ${'a'.repeat(60_000)}${number}`), [200]),
  ],
  {storeless: true},
);
