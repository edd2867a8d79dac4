import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import type {UserName} from '../client/users.js';
import {fillWith} from './body-attack.js';

const path = '/api/v1/namespaces/default/configmaps';

/** One request with odd headers, a few times on connections of its own. */
interface OddHeaders {
  readonly name: string;
  readonly headers: () => readonly string[];
  readonly target?: string;
  readonly outcomes: Attack['outcomes'];
  readonly user?: UserName;
  readonly times?: number;
}

const many = (count: number, header: (number: number) => string) => () => Array.from({length: count}, (_, number) => header(number));
const refused: Attack['outcomes'] = [431, 'cut'];

const odd: readonly OddHeaders[] = [
  {name: 'many', headers: many(10_000, (number) => `X-${number}: v`), outcomes: [431, 400, 'cut']},
  {name: 'many-same', headers: many(10_000, () => 'X-Same: v'), outcomes: [431, 400, 'cut']},
  {name: 'many-empty', headers: many(10_000, () => 'X:'), outcomes: [431, 400, 'cut']},
  {name: 'many-accept', headers: many(900, () => 'Accept: application/json;as=Table;q=0.1'), outcomes: [200, 400, 403, 406, 431, 'cut']},
  {
    name: 'accept-ranges',
    headers: () => [`Accept: ${fillWith((n) => `application/x${n};q=0.${n}`, ',', 60_000)}`],
    outcomes: [200, 400, 403, 406, 431],
  },
  {
    name: 'accept-parameters',
    headers: () => [`Accept: application/json;${fillWith((n) => `p${n}=v`, ';', 60_000)}`],
    outcomes: [200, 403, 406, 400, 431],
  },
  {name: 'accept-quotes', headers: () => [`Accept: application/json;a="${'\\"'.repeat(30_000)}`], outcomes: [200, 403, 406, 400, 431]},
  {name: 'accept-encoding', headers: () => [`Accept-Encoding: ${fillWith((n) => `x${n};q=0.5`, ',', 60_000)}`], outcomes: [200, 403, 431]},
  {
    name: 'accept-large-authenticated',
    user: 'tenant',
    headers: () => [`Accept: ${fillWith((n) => `application/x${n}`, ',', 900_000)}`],
    outcomes: [200, 403, 406, 400, 431, 'cut'],
  },
  {name: 'authorization-long', headers: () => [`Authorization: Bearer ${'a'.repeat(60_000)}`], outcomes: [401, 431]},
  {name: 'authorization-huge', headers: () => [`Authorization: Bearer ${'a'.repeat(900_000)}`], outcomes: [401, 431, 'cut']},
  {name: 'cookie-huge', headers: () => [`Cookie: ${'c=d;'.repeat(225_000)}`], outcomes: [200, 403, 431, 'cut']},
  {name: 'beyond-limit', headers: () => [`X: ${'x'.repeat(2_000_000)}`], outcomes: refused},
  {name: 'beyond-limit-authenticated', user: 'tenant', headers: () => [`X: ${'x'.repeat(2_000_000)}`], outcomes: refused},
  {name: 'long-name', headers: () => [`${'X'.repeat(500_000)}: v`], outcomes: [200, 403, 400, 431, 'cut']},
  {name: 'blanks', headers: () => [`X:${' '.repeat(500_000)}v`], outcomes: [200, 403, 400, 431, 'cut']},
  {name: 'long-path', headers: () => [], target: `/${'a'.repeat(500_000)}`, outcomes: [403, 404, 414, 431, 'cut']},
  {name: 'deep-path', headers: () => [], target: '/a'.repeat(250_000), outcomes: [403, 404, 414, 431, 'cut']},
  {name: 'encoded-path', headers: () => [], target: `/${'%61'.repeat(150_000)}`, outcomes: [400, 403, 404, 414, 431, 'cut']},
  {name: 'long-query', headers: () => [], target: `${path}?labelSelector=${'a'.repeat(500_000)}`, outcomes: [400, 403, 414, 431, 'cut']},
  {
    name: 'many-parameters',
    headers: () => [],
    target: `${path}?${fillWith((n) => `p${n}=`, '&', 500_000)}`,
    outcomes: [200, 403, 400, 414, 431, 'cut'],
  },
  {
    name: 'many-parameters-authenticated',
    user: 'tenant',
    headers: () => [],
    target: `${path}?${fillWith(() => 'limit=1', '&', 900_000)}`,
    outcomes: [200, 403, 400, 414, 431, 'cut'],
  },
  {name: 'user-agent-long', headers: () => [`User-Agent: ${'u/'.repeat(30_000)}`], outcomes: [403, 431]},
  {name: 'host-long', headers: () => [`X-Forwarded-For: ${fillWith((n) => `10.0.0.${n % 256}`, ',', 60_000)}`], outcomes: [403, 431]},
  {name: 'expect-unknown', headers: () => ['Expect: a-miracle'], outcomes: [403, 417]},
  {name: 'range', headers: () => [`Range: bytes=${fillWith((n) => `${n}-${n + 1}`, ',', 50_000)}`], outcomes: [403, 431, 206]},
  {name: 'if-none-match', headers: () => [`If-None-Match: ${fillWith((n) => `"${n}"`, ',', 50_000)}`], outcomes: [403, 431, 304]},
  {name: 'impersonate-groups', user: 'tenant', headers: many(900, (number) => `Impersonate-Group: g${number}`), outcomes: [400, 403, 431]},
  {
    name: 'impersonate-groups-allowed',
    user: 'builder',
    headers: () => ['Impersonate-User: jo', ...many(900, (number) => `Impersonate-Group: g${number}`)()],
    outcomes: [200, 400, 403, 431],
  },
  {
    name: 'impersonate-groups-huge',
    user: 'builder',
    headers: () => ['Impersonate-User: jo', ...many(10_000, (number) => `Impersonate-Group: g${number}`)()],
    outcomes: [400, 403, 431, 'cut'],
  },
  {
    name: 'impersonate-extra',
    user: 'builder',
    headers: () => ['Impersonate-User: jo', ...many(900, (number) => `Impersonate-Extra-K${number}: v`)()],
    outcomes: [200, 400, 403, 431],
  },
  {
    name: 'impersonate-user-long',
    user: 'builder',
    headers: () => [`Impersonate-User: ${'u'.repeat(60_000)}`],
    outcomes: [200, 400, 403, 431],
  },
  {
    name: 'impersonate-escapes',
    user: 'builder',
    headers: () => ['Impersonate-User: jo', `Impersonate-Extra-${'%2f'.repeat(10_000)}: v`],
    outcomes: [200, 400, 403, 431],
  },
];

/** Connections that each hold a head of so many bytes open. */
const unfinished = (name: string, count: number, bytes: number, user: UserName): Attack => ({
  name,
  outcomes: ['held', 'cut', 431, 408, 429],
  seconds: 5,
  async run(attacker) {
    const head = Buffer.from(`GET /readyz HTTP/1.1\r\nHost: orch\r\nX-Long: ${'x'.repeat(bytes)}`);
    const open = async () => {
      const connection = await attacker.open({user});
      connection?.write(head);
      return connection;
    };
    await attacker.hold(await attacker.openMany(count, open, 20));
  },
});

export const headers = family(
  'headers',
  [
    ...odd.map(({name, headers: lines, target = path, outcomes, user = 'anonymous', times = 60}): Attack => ({
      name,
      outcomes,
      async run(attacker: Attacker) {
        const request = requestText('GET', target, {headers: lines()});
        await attacker.repeat(times, 6, async () => {
          const connection = await attacker.open({user});
          await connection?.ask(request).catch(() => undefined);
          connection?.close();
        });
      },
    })),
    unfinished('300-of-1-megabyte', 300, 1_040_000, 'anonymous'),
    unfinished('300-of-1-megabyte-authenticated', 300, 1_040_000, 'tenant'),
    unfinished('1000-of-60-kilobytes', 1000, 60_000, 'anonymous'),
    unfinished('1000-of-120-kilobytes-authenticated', 1000, 120_000, 'tenant'),
    {
      name: 'byte-by-byte',
      outcomes: ['held', 'cut', 408],
      seconds: 3,
      async run(attacker) {
        const connections = await attacker.openMany(300, () => attacker.open(), 20);
        await attacker.drip(connections, 'GET /readyz HTTP/1.1\r\nHost: orch\r\n', 60);
      },
    },
    {
      name: 'header-by-header',
      outcomes: ['held', 'cut', 431, 408],
      seconds: 3,
      async run(attacker) {
        const connections = await attacker.openMany(200, () => attacker.open(), 20);
        for (const connection of connections) connection.write('GET /readyz HTTP/1.1\r\nHost: orch\r\n');
        await attacker.drip(
          connections,
          Array.from({length: 1000}, (_, number) => `X-${number}: ${'v'.repeat(200)}\r\n`),
          5,
        );
      },
    },
  ],
  {storeless: true},
);
