import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import type {UserName} from '../client/users.js';

const collection = (attacker: Attacker) => attacker.path('configmaps');
const uidOf = (body: Buffer | undefined) => (JSON.parse(body?.toString() ?? '{}') as {metadata?: {uid?: string}}).metadata?.uid ?? '';
const owner = (name: string, uid: string) => ({apiVersion: 'v1', kind: 'ConfigMap', name, uid});
/** Of a type that is not there: what belongs to absent objects of others is collected. */
const strange = (number: number) => ({
  ...owner('gone', `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`),
  apiVersion: 'example.com/v1',
  kind: 'Nothing',
});

const ask = (kind: 'owners' | 'history', namespace: string, name: string, resource = 'configmaps') =>
  `/inspection/${kind}?${new URLSearchParams({version: 'v1', resource, namespace, name})}`;

async function made(attacker: Attacker, name: string, ownerReferences: readonly object[] = []): Promise<string> {
  const body = JSON.stringify({metadata: {name, ownerReferences}});
  return uidOf((await attacker.call('POST', collection(attacker), {user: 'builder', body}))?.body);
}

/** The same question as often as it is answered. */
const flood = (name: string, kind: 'owners' | 'history', prepare: NonNullable<Attack['prepare']>, more: Partial<Attack> = {}): Attack => ({
  name,
  outcomes: [200],
  seconds: 4,
  leavesMegabytes: 60,
  prepare,
  run: (attacker) =>
    attacker.flood({user: 'tenant', connections: 20, request: () => requestText('GET', ask(kind, attacker.namespace, 'start'))}),
  ...more,
});

/** Questions one after the other; an answer that `isFault` knows is one. */
const questions = (
  name: string,
  outcomes: Attack['outcomes'],
  count: number,
  make: (number: number, attacker: Attacker) => {readonly path: string; readonly headers?: readonly string[]},
  isFault: (status: number, body: string) => boolean = (status) => status < 300,
  user: UserName = 'tenant',
): Attack => ({
  name,
  outcomes,
  seconds: 4,
  run: (attacker) =>
    attacker.repeat(count, 8, async (number) => {
      const {path, headers = []} = make(number, attacker);
      const answer = await attacker.call('GET', path, {user, headers});
      if (answer && isFault(answer.status, answer.body.toString('latin1')))
        attacker.tally.fault(`answered ${answer.status}: ${path.slice(0, 100)} ${answer.body.toString('latin1').slice(0, 200)}`);
    }),
});

const foreign = ['kube-system', 'kube-public', 'default', 'kube-node-lease'];
const foreignTypes = ['secrets', 'configmaps', 'serviceaccounts', 'pods'];
const ofTheServer = ['server', 'plugins', 'flags', 'audit', 'audit?after=0'];
const long = 'x'.repeat(3000);

/** Parameters that are no questions. */
const oddities = [
  `history?version=v1&resource=configmaps&namespace=default&name=${long}`,
  `owners?version=${long}&resource=configmaps&namespace=default&name=a`,
  'owners?version=v1&version=v2&resource=configmaps&namespace=default&name=a',
  'owners?version=v1&resource=../../secrets&namespace=default&name=a',
  'history?version=v1&resource=configmaps&namespace=..%2f..&name=a',
  'history?version=v1&resource=__proto__&namespace=constructor&name=toString',
  'owners',
  'history?name=%00',
  `requests/${long}`,
  'requests/%E0%A4%A',
  'requests/..%2f..%2fserver',
  'requests/__proto__',
  'requests/of-all-users',
];

/** The name of a user that the attacks have besides the one who asks. */
const others = /"(?:user|impersonator)":"(?!tenant")/;

/** Expressions as fast as they are tried. */
const expressions = (name: string, make: () => object, outcomes: Attack['outcomes'] = [200], user: UserName = 'tenant'): Attack => ({
  name: `expressions-${name}`,
  outcomes,
  seconds: 4,
  leavesMegabytes: 60,
  run: (attacker) => {
    const body = JSON.stringify(make());
    return attacker.flood({user, connections: 10, request: () => requestText('POST', '/inspection/expressions', {body})});
  },
});
const filled = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const validations = (count: number, expression: string) => ({
  kind: 'policy',
  type: {group: '', version: 'v1', resource: 'configmaps'},
  object: {data: {text: 'x'.repeat(100_000)}},
  spec: {validations: Array.from({length: count}, () => ({expression}))},
});
const ofMany = (count: number) => `[${filled('1,', count * 2)}1]`;

/** What `/inspection/` answers (docs/inspection.md): graphs, histories, reports of requests, the server itself. */
export const inspection = family(
  'inspection',
  [
    flood('graph-of-1500-dependents', 'owners', async (attacker) => {
      const uid = await made(attacker, 'start');
      await attacker.makeAll(
        collection(attacker),
        Array.from({length: 1500}, (_, number) => ({metadata: {name: `child-${number}`, ownerReferences: [owner('start', uid)]}})),
      );
    }),
    flood('graph-600-deep', 'owners', async (attacker) => {
      let uid = await made(attacker, 'start');
      let name = 'start';
      for (let number = 0; number < 600; number++) {
        const next = `link-${number}`;
        uid = await made(attacker, next, [owner(name, uid)]);
        name = next;
      }
    }),
    flood('graph-of-3000-strange-owners', 'owners', async (attacker) => {
      await made(
        attacker,
        'start',
        Array.from({length: 3000}, (_, number) => strange(number)),
      );
    }),
    flood('graph-in-which-all-own-all', 'owners', async (attacker) => {
      const owners: object[] = [];
      for (let number = 0; number < 250; number++) {
        const name = number === 0 ? 'start' : `node-${number}`;
        owners.push(owner(name, await made(attacker, name, owners)));
      }
    }),
    flood('graph-with-a-cycle', 'owners', async (attacker) => {
      const start = await made(attacker, 'start');
      const other = await made(attacker, 'other', [owner('start', start)]);
      await attacker.call('PATCH', `${collection(attacker)}/start`, {
        user: 'builder',
        type: 'application/merge-patch+json',
        body: JSON.stringify({metadata: {ownerReferences: [owner('other', other), owner('start', start)]}}),
      });
    }),
    flood('history-of-300-versions-of-100-kilobytes', 'history', async (attacker) => {
      await made(attacker, 'start');
      for (let number = 0; number < 300; number++)
        await attacker.call('PATCH', `${collection(attacker)}/start`, {
          user: 'builder',
          type: 'application/merge-patch+json',
          body: JSON.stringify({data: {text: String(number % 10).repeat(100_000)}}),
        });
    }),
    questions('foreign-namespaces', [403], 400, (number) => ({
      path: ask(
        number % 2 === 0 ? 'owners' : 'history',
        foreign[(number >> 1) % foreign.length]!,
        'kube-root-ca.crt',
        foreignTypes[(number >> 3) % foreignTypes.length]!,
      ),
    })),
    questions('the-server-as-the-tenant', [403], 200, (number) => ({path: `/inspection/${ofTheServer[number % ofTheServer.length]!}`})),
    questions(
      'the-server-as-nobody',
      [403],
      200,
      (number) => ({path: `/inspection/${ofTheServer[number % ofTheServer.length]!}`}),
      undefined,
      'anonymous',
    ),
    questions('parameters-that-are-no-questions', [400, 404], oddities.length * 10, (number) => ({
      path: `/inspection/${oddities[number % oddities.length]!}`,
    })),
    {
      ...questions(
        'ids-of-requests-of-others',
        [404],
        1000,
        (number) => ({path: `/inspection/requests/${['known-', 'guess-'][number % 2]!}${number % 200}`}),
        (status) => status < 300,
      ),
      // Those with known ids are there, and of somebody else.
      prepare: (attacker) =>
        attacker.repeat(200, 4, (number) =>
          attacker.call('POST', collection(attacker), {
            user: 'builder',
            headers: [`Audit-ID: known-${number}`],
            body: JSON.stringify({metadata: {name: `secret-name-${number}`}}),
          }),
        ),
    },
    {
      ...questions(
        'lists-of-requests-of-others',
        [200],
        400,
        () => ({path: '/inspection/requests/'}),
        (status, body) => status === 200 && others.test(body),
      ),
      prepare: (attacker) =>
        attacker.repeat(50, 4, (number) =>
          attacker.call('POST', collection(attacker), {user: 'builder', body: JSON.stringify({metadata: {name: `mine-${number}`}})}),
        ),
    },
    {
      name: 'refusals-with-long-paths-and-ids',
      outcomes: [403],
      seconds: 4,
      run: (attacker) =>
        attacker.flood({
          user: 'tenant',
          connections: 30,
          request: (connection, number) =>
            requestText('POST', `/api/v1/namespaces/kube-system/configmaps/${long}${number}`, {
              headers: [`Audit-ID: ${'i'.repeat(1000)}${connection}-${number}`],
              body: '{}',
            }),
        }),
    },
    expressions('with-a-hundred-faults-in-a-long-line', () => validations(6, `${filled('a+', 15_000)}a == 1`)),
    expressions('with-a-result-of-a-gigabyte', () => ({
      ...validations(0, ''),
      kind: 'expression',
      spec: undefined,
      expression: `${ofMany(9_000)}.map(each, object.data.text)`,
    })),
    expressions('with-loops-in-loops', () =>
      validations(30, `${ofMany(200)}.all(a, ${ofMany(200)}.all(b, ${ofMany(200)}.all(c, a + b + c > 0)))`),
    ),
    expressions('with-brackets-in-brackets', () => validations(6, `${'('.repeat(8_000)}1${')'.repeat(8_000)} == 1`)),
    expressions('with-patterns-that-take-long', () =>
      validations(90, `object.data.text.matches("${'(x+x+)+'.repeat(20)}y") || object.data.text.matches("(x{1,50}){1,20}y")`),
    ),
    expressions('with-variables-of-variables', () => ({
      ...validations(1, 'variables.v89.size() > 0'),
      spec: {
        variables: Array.from({length: 90}, (_, number) => ({
          name: `v${number}`,
          expression: number === 0 ? 'object.data.text' : `variables.v${number - 1} + variables.v${number - 1}`,
        })),
        validations: [{expression: 'variables.v89.size() > 0'}],
      },
    })),
    expressions('longer-than-all-may-be', () => validations(100, filled('1+', 5_001)), [400]),
    expressions('by-nobody', () => validations(1, 'true'), [403], 'anonymous'),
    {
      name: 'one-id-for-all-requests',
      outcomes: [403, 200],
      seconds: 4,
      run: (attacker) =>
        attacker.flood({
          user: 'tenant',
          connections: 20,
          request: (_connection, number) =>
            number % 5 === 0
              ? requestText('GET', '/inspection/requests/the-same')
              : requestText('POST', '/api/v1/namespaces/kube-system/configmaps', {headers: ['Audit-ID: the-same'], body: '{}'}),
        }),
    },
  ],
  {flags: ['--enable-console']},
);
