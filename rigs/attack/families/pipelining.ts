import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {ConnectOptions} from '../client/connection.js';
import {requestText} from '../client/request-text.js';
import {configMap, configMaps} from './objects.js';

/** Many requests on a connection from which nothing is read. */
interface Unread {
  readonly name: string;
  readonly request: (attacker: Attacker) => Buffer;
  readonly outcomes: Attack['outcomes'];
  readonly count?: number;
  readonly connections?: number;
  readonly connect?: ConnectOptions;
  readonly prepare?: Attack['prepare'];
}

const get = (path: string, ...headers: string[]) => requestText('GET', path, {headers});
const anonymous: ConnectOptions = {user: 'anonymous'};

/** Lists of 2 MB. */
const largeList: Pick<Unread, 'count' | 'prepare' | 'outcomes'> = {
  count: 400,
  outcomes: [200],
  prepare: (attacker) => attacker.makeAll(attacker.path('configmaps'), configMaps(40, 50_000)),
};

const unread: readonly Unread[] = [
  {name: 'health', request: () => get('/readyz'), connect: anonymous, outcomes: [200]},
  {name: 'health-verbose', request: () => get('/livez?verbose'), connect: anonymous, outcomes: [200]},
  {name: 'health-many-connections', request: () => get('/readyz'), connect: anonymous, count: 1000, connections: 20, outcomes: [200]},
  {name: 'version', request: () => get('/version'), connect: anonymous, outcomes: [200]},
  {name: 'discovery', request: () => get('/apis'), outcomes: [200]},
  {name: 'discovery-core', request: () => get('/api/v1'), outcomes: [200], count: 3000},
  {name: 'openapi-v2', request: () => get('/openapi/v2'), outcomes: [200], count: 400},
  {name: 'openapi-v3', request: () => get('/openapi/v3/apis/apps/v1'), outcomes: [200], count: 400},
  {name: 'missing-path', request: () => get('/nothing/here'), connect: {user: 'builder'}, outcomes: [404]},
  {name: 'forbidden', request: () => get('/api/v1/secrets'), connect: anonymous, outcomes: [403]},
  {name: 'bad-token', request: () => get('/api/v1', 'Authorization: Bearer none'), connect: anonymous, outcomes: [401]},
  {
    name: 'get',
    request: (attacker) => get(`${attacker.path('configmaps')}/one`),
    outcomes: [200],
    prepare: (attacker) => attacker.make(attacker.path('configmaps'), configMap('one')),
  },
  {name: 'list', request: (attacker) => get(attacker.path('configmaps')), outcomes: [200]},
  {name: 'watch', request: (attacker) => get(`${attacker.path('configmaps')}?watch=1`), outcomes: [200]},
  {
    name: 'create',
    request: (attacker) =>
      requestText('POST', attacker.path('configmaps'), {
        body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"made-"}}',
      }),
    outcomes: [201],
  },
  {
    name: 'create-invalid',
    request: (attacker) => requestText('POST', attacker.path('configmaps'), {body: '{"metadata":{"name":"_"}}'}),
    outcomes: [422],
  },
  {
    name: 'patch',
    request: (attacker) =>
      requestText('PATCH', `${attacker.path('configmaps')}/one`, {type: 'application/merge-patch+json', body: '{"data":{"a":"b"}}'}),
    outcomes: [200],
    prepare: (attacker) => attacker.make(attacker.path('configmaps'), configMap('one')),
  },
  {name: 'delete-missing', request: (attacker) => requestText('DELETE', `${attacker.path('configmaps')}/none`), outcomes: [404]},
  {name: 'large-list', request: (attacker) => get(attacker.path('configmaps')), ...largeList},
  {
    name: 'large-list-yaml',
    request: (attacker) => get(attacker.path('configmaps'), 'Accept: application/yaml'),
    ...largeList,
  },
  {
    name: 'large-list-protobuf',
    request: (attacker) => get(attacker.path('configmaps'), 'Accept: application/vnd.orch.protobuf'),
    ...largeList,
  },
  {
    name: 'large-list-table',
    request: (attacker) => get(`${attacker.path('configmaps')}?includeObject=Object`, 'Accept: application/json;as=Table;g=meta.orch;v=v1'),
    ...largeList,
  },
  {
    name: 'large-list-gzip',
    request: (attacker) => get(attacker.path('configmaps'), 'Accept-Encoding: gzip'),
    ...largeList,
  },
  {
    name: 'large-list-pretty',
    request: (attacker) => get(`${attacker.path('configmaps')}?pretty=true`),
    ...largeList,
  },
  {
    name: 'large-list-many-connections',
    request: (attacker) => get(attacker.path('configmaps')),
    ...largeList,
    count: 20,
    connections: 30,
  },
  {
    name: 'large-get',
    request: (attacker) => get(`${attacker.path('configmaps')}/large`),
    outcomes: [200],
    count: 1000,
    prepare: (attacker) => attacker.make(attacker.path('configmaps'), configMap('large', 900_000)),
  },
  {name: 'head', request: () => requestText('HEAD', '/readyz'), connect: {...anonymous, bodiless: true}, outcomes: [200]},
  {name: 'options', request: () => requestText('OPTIONS', '/api/v1'), outcomes: [405, 403, 200, 404]},
];

export const pipelining = family(
  'pipelining',
  unread.map(({name, request, outcomes, count = 10_000, connections = 1, connect = {}, prepare}) => ({
    name,
    // A connection whose client takes nothing and asks for more is cut.
    outcomes: [...outcomes, 'cut'],
    ...(prepare ? {prepare} : {}),
    run: (attacker) => attacker.pipeline(connections, request(attacker), count, connect),
  })),
);
