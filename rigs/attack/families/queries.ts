import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {fillWith} from './body-attack.js';
import {configMap, configMaps} from './objects.js';

const collection = (attacker: Attacker) => attacker.path('configmaps');
/** Objects to select among. */
const someObjects = (attacker: Attacker) =>
  attacker.makeAll(
    collection(attacker),
    Array.from({length: 300}, (_, number) =>
      configMap(`c${number}`, 100, {labels: {number: String(number), even: String(number % 2 === 0)}}),
    ),
  );

const encode = encodeURIComponent;
const longest = 50_000;

/** A token as the server makes them, for a list of something else. */
function forged(position: object): string {
  return Buffer.from(JSON.stringify({...position, s: 'AAAAAAAAAAAA'})).toString('base64url');
}

interface Query {
  readonly name: string;
  readonly query: (number: number) => string;
  readonly outcomes?: Attack['outcomes'];
  readonly times?: number;
  readonly atATime?: number;
  readonly headers?: readonly string[];
  readonly path?: (attacker: Attacker) => string;
}

const read: Attack['outcomes'] = [200, 400, 410, 504, 414, 431];

const queries: readonly Query[] = [
  {name: 'label-terms', query: () => `labelSelector=${fillWith((n) => `k${n}`, ',', longest)}`},
  {name: 'label-terms-negated', query: () => `labelSelector=${fillWith((n) => `!k${n}`, ',', longest)}`},
  {name: 'label-terms-that-match', query: () => `labelSelector=${fillWith(() => 'number', ',', longest)}`},
  {name: 'label-values', query: () => `labelSelector=${encode(`number in (${fillWith((n) => String(n), ',', longest)})`)}`},
  {name: 'label-values-excluded', query: () => `labelSelector=${encode(`number notin (${fillWith((n) => `x${n}`, ',', longest)})`)}`},
  {name: 'label-values-again-and-again', query: () => `labelSelector=${encode(fillWith(() => 'number notin (a,b,c)', ',', longest / 2))}`},
  {name: 'label-parentheses', query: () => `labelSelector=${'('.repeat(longest)}`},
  {name: 'label-commas', query: () => `labelSelector=${','.repeat(longest)}`},
  {name: 'label-long-name', query: () => `labelSelector=${'a'.repeat(longest)}=b`},
  {name: 'label-each-another', query: (n) => `labelSelector=number%3D${n}`, times: 3000, outcomes: [200]},
  {name: 'label-each-another-key', query: (n) => `labelSelector=key-${n}%3Dv`, times: 3000, outcomes: [200]},
  {name: 'field-terms', query: () => `fieldSelector=${fillWith(() => 'metadata.name!=x', ',', longest)}`},
  {name: 'field-terms-unknown', query: () => `fieldSelector=${fillWith((n) => `k${n}=v`, ',', longest)}`},
  {name: 'field-escapes', query: () => `fieldSelector=${encode(`metadata.name=${'\\\\'.repeat(longest / 8)}`)}`},
  {name: 'field-each-another', query: (n) => `fieldSelector=metadata.name%3Dc${n}`, times: 3000, outcomes: [200]},
  {name: 'limit-huge', query: () => 'limit=99999999999999999999'},
  {name: 'limit-negative', query: () => 'limit=-9223372036854775808'},
  {name: 'limit-one-page-after-page', query: (n) => `limit=${1 + (n % 3)}`, times: 2000, outcomes: [200]},
  {
    name: 'continue-random',
    query: (n) => `limit=1&continue=${Buffer.from(`token ${n}`).toString('base64url')}`,
    times: 2000,
    outcomes: [400],
  },
  {name: 'continue-long', query: () => `limit=1&continue=${'A'.repeat(longest)}`, outcomes: [400]},
  {
    name: 'continue-of-json',
    query: (n) =>
      `limit=1&continue=${Buffer.from(JSON.stringify({v: 1, rv: n, revision: n, start: 'x', key: '\u0000'.repeat(n % 500)})).toString('base64url')}`,
    times: 1000,
    outcomes: [400, 410],
  },
  {name: 'continue-deep', query: () => `limit=1&continue=${Buffer.from('['.repeat(30_000)).toString('base64url')}`, outcomes: [400]},
  {
    name: 'continue-forged',
    query: (n) =>
      `limit=1&continue=${forged({v: 1, rv: n % 3 === 0 ? -1 : 200 + (n % 300), k: 'c'.repeat(n % 200), t: 8e15 + n, n: Number.MAX_SAFE_INTEGER})}`,
    times: 1000,
    outcomes: [400],
  },
  {name: 'version-of-the-future', query: (n) => `resourceVersion=${2 ** 40 + n}`, times: 60, atATime: 30, outcomes: [504, 429]},
  {name: 'version-long', query: () => `resourceVersion=${'9'.repeat(longest)}`, outcomes: [400]},
  {
    name: 'version-exact-each-another',
    query: (n) => `resourceVersion=${300 + (n % 250)}&resourceVersionMatch=Exact&limit=1`,
    times: 1500,
    outcomes: [200, 410],
  },
  {name: 'timeout-long', query: () => `timeout=${fillWith(() => '1ns', '', longest)}`, outcomes: [200, 400]},
  {name: 'timeout-number', query: () => `timeout=${'9'.repeat(longest)}h`, outcomes: [200, 400]},
  {name: 'timeout-of-a-nanosecond', query: () => 'timeout=1ns', times: 1000, atATime: 10, outcomes: [504, 200]},
  {name: 'parameter-repeated', query: () => fillWith(() => 'pretty=1', '&', longest), outcomes: [200]},
  {name: 'parameter-names', query: () => fillWith((n) => `p${n}`, '&', longest), outcomes: [200]},
  {name: 'broken-escapes', query: () => `labelSelector=${'%zz'.repeat(longest / 3)}`, outcomes: [400]},
  {name: 'bytes-that-are-no-text', query: () => `labelSelector=${'%ff'.repeat(longest / 3)}`, outcomes: [400]},
  {
    name: 'table',
    query: () => 'includeObject=Object',
    headers: ['Accept: application/json;as=Table;g=meta.orch;v=v1'],
    times: 200,
    atATime: 4,
    outcomes: [200],
  },
  {
    name: 'metadata-alone',
    query: () => '',
    headers: ['Accept: application/json;as=PartialObjectMetadataList;g=meta.orch;v=v1'],
    times: 200,
    atATime: 4,
    outcomes: [200],
  },
  {name: 'yaml', query: () => '', headers: ['Accept: application/yaml'], times: 60, atATime: 4, outcomes: [200]},
  {name: 'gzip', query: () => '', headers: ['Accept-Encoding: gzip'], times: 200, atATime: 4, outcomes: [200]},
  {name: 'openapi-v2', query: () => '', path: () => '/openapi/v2', times: 100, atATime: 4, outcomes: [200]},
  {name: 'openapi-v3', query: (n) => `hash=${n}`, path: () => '/openapi/v3/api/v1', times: 100, atATime: 4, outcomes: [200, 301]},
];

export const queryAttacks = family('queries', [
  ...queries.map(({name, query, outcomes = read, times = 40, atATime = 2, headers = [], path = collection}): Attack => ({
    name,
    outcomes,
    prepare: someObjects,
    run: (attacker) => attacker.repeat(times, atATime, (number) => attacker.call('GET', `${path(attacker)}?${query(number)}`, {headers})),
  })),
  {
    name: 'snapshots-of-a-large-collection',
    outcomes: [200, 410],
    seconds: 4,
    leavesMegabytes: 40,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(2000, 200)),
    async run(attacker) {
      // Between two pages the collection changes: each page belongs to an older state of its own.
      await attacker.repeat(300, 1, async (number) => {
        const page = await attacker.call('GET', `${collection(attacker)}?limit=1`);
        await attacker.call('POST', collection(attacker), {body: `{"metadata":{"name":"more-${number}"}}`});
        const token = /"continue":"([^"]+)"/.exec(page?.body.toString() ?? '')?.[1];
        if (token !== undefined) await attacker.call('GET', `${collection(attacker)}?limit=1&continue=${token}`);
      });
    },
  },
  {
    name: 'continue-of-forged-times',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 60,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(200, 20_000)),
    async run(attacker) {
      // The states that tokens of the far future belong to must not be kept until then.
      await attacker.repeat(200, 1, async (number) => {
        const page = await attacker.call('GET', `${collection(attacker)}?limit=1`);
        await attacker.call('PUT', `${collection(attacker)}/filler-${number}`, {
          body: JSON.stringify(configMap(`filler-${number}`, 20_000)),
        });
        const token = /"continue":"([^"]+)"/.exec(page?.body.toString() ?? '')?.[1];
        if (token === undefined) return;
        const position = JSON.parse(Buffer.from(token, 'base64url').toString()) as object;
        const later = Buffer.from(JSON.stringify({...position, t: 8e15})).toString('base64url');
        await attacker.call('GET', `${collection(attacker)}?limit=1&continue=${later}`);
      });
    },
  },
  {
    name: 'large-table',
    outcomes: [200],
    leavesMegabytes: 20,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(2000, 200)),
    run: (attacker) =>
      attacker.repeat(100, 4, () =>
        attacker.call('GET', collection(attacker), {headers: ['Accept: application/json;as=Table;g=meta.orch;v=v1']}),
      ),
  },
  {
    name: 'large-list-of-all-namespaces',
    outcomes: [200],
    leavesMegabytes: 20,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(2000, 200)),
    run: (attacker) => attacker.repeat(200, 4, () => attacker.call('GET', '/api/v1/configmaps', {user: 'builder'})),
  },
  {
    name: 'methods',
    outcomes: [405],
    async run(attacker) {
      const methods = ['OPTIONS', 'TRACE', 'COPY', 'LOCK', 'MKCOL', 'MOVE', 'PROPFIND', 'PURGE', 'REPORT', 'SEARCH', 'UNLINK', 'QUERY'];
      const opened = await attacker.openMany(4, () => attacker.open({user: 'builder'}));
      await Promise.all(
        opened.map(async (connection) => {
          for (let number = 0; number < 500 && !attacker.isOver && !connection.isClosed; number++)
            await connection.ask(requestText(methods[number % methods.length]!, collection(attacker))).catch(() => undefined);
        }),
      );
    },
  },
]);
