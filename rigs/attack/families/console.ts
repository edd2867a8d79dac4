import {createHmac, randomBytes} from 'node:crypto';
import {fileURLToPath} from 'node:url';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {climbingPaths} from './climbing-paths.js';

const host = '127.0.0.1:6443';
const origin = `https://${host}`;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const masters = {username: 'mallory', groups: ['system:masters']};
const later = 4_000_000_000;

/** A link or a session of our making, sealed with a key of ours. */
function forged(kind: 'link' | 'session', content: object): string {
  const head = `orch-console-${kind}~${encode(content)}`;
  return `${head}~${createHmac('sha256', randomBytes(32)).update(head).digest('base64url')}`;
}

const link = (number: number) => forged('link', {user: masters, expires: later, id: String(number)});
const session = () => forged('session', {user: masters, expires: later, origin, cookie: 'x'});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly host?: string;
}

/** Requests by nobody, some at a time, each another; an answer that `isFault` knows is one. */
const requests = (
  name: string,
  outcomes: Attack['outcomes'],
  count: number,
  make: (number: number) => Asked,
  isFault: (status: number, body: string) => boolean = (status) => status < 300,
): Attack => ({
  name,
  outcomes,
  seconds: 4,
  async run(attacker: Attacker) {
    await attacker.repeat(count, 8, async (number) => {
      const {method, path, ...parts} = make(number);
      const answer = await attacker.call(method, path, {user: 'anonymous', host, ...parts});
      if (answer && isFault(answer.status, answer.body.toString('latin1')))
        attacker.tally.fault(`answered ${answer.status}: ${method} ${path.slice(0, 100)} ${JSON.stringify(parts).slice(0, 200)}`);
    });
  },
});

const targets = ['plugin.json', 'files/table.json', 'table.json', 'index.html.br', 'etc/passwd', 'pki/ca.key', 'console/session.key'];
const paths = climbingPaths('/console/assets/', targets);

const hosts = [
  'evil.example.com',
  'evil.example.com:6443',
  '127.0.0.1.evil.example.com:6443',
  'localhost.evil.example.com',
  'localhost:6443@evil.example.com',
  '127.0.0.1:6443/../evil.example.com',
  '0x7f.1.evil.example.com',
  'orch',
  '',
];

/** What a page of others can have a browser send: cookies, as many as it likes, and no token. */
const cookies = [
  '__Host-orch-console-6443=x',
  `__Host-orch-console-6443=${'A'.repeat(43)}`,
  `__Host-orch-console-6443=${'A'.repeat(43)}; __Host-orch-console-6443=${'B'.repeat(43)}`,
  '__Host-orch-console-6443',
  `orch-console=${'A'.repeat(4000)}`,
];

/** A plugin with views, which is no secret: what is beside its modules is. */
const plugin = 'example-console-views';
const viewTargets = ['plugin.json', 'plugin.test.ts', 'README.md', 'etc/passwd', 'pki/ca.key', 'console/session.key'];
const viewPaths = [
  ...climbingPaths(`/console/views/${plugin}/views/`, viewTargets),
  ...['__proto__', 'constructor', 'toString', '..', '.', '', '%00', plugin.toUpperCase(), 'a'.repeat(4000)].flatMap((name) =>
    ['views/card.js', '__proto__', 'plugin.json'].map((target) => `/console/views/${name}/${target}`),
  ),
  ...viewTargets.map((target) => `/console/views/${plugin}/${target}`),
];

const ofConsole = family(
  'console',
  [
    requests(
      'paths-out-of-the-files',
      [404, 400],
      paths.length,
      (number) => ({method: 'GET', path: paths[number]!}),
      (status, body) => status < 300 && !body.startsWith('<!doctype html>'),
    ),
    requests('names-that-are-not-known', [421], hosts.length * 4, (number) => ({
      method: 'GET',
      path: ['/console/', '/console/facts.json', '/console/types', '/console/x'][number % 4]!,
      host: hosts[number >> 2]!,
    })),
    requests('links-that-are-forged', [401], 2_000, (number) => ({
      method: 'POST',
      path: '/console/sessions',
      headers: [`Origin: ${origin}`, `Orch-Console-Link: ${link(number)}`],
    })),
    requests('sessions-that-are-forged', [401], 2_000, (number) => ({
      method: 'GET',
      path: '/api/v1/namespaces/kube-system/secrets',
      headers: [`Origin: ${origin}`, `Authorization: Bearer ${session()}`, `Cookie: ${cookies[number % cookies.length]!}`],
    })),
    requests('cookies-alone', [403], cookies.length * 8, (number) => ({
      method: number % 2 === 0 ? 'GET' : 'DELETE',
      path: '/api/v1/namespaces/kube-system/secrets',
      headers: [`Cookie: ${cookies[number % cookies.length]!}`, 'Sec-Fetch-Site: same-origin'],
    })),
    requests('sessions-asked-for-by-foreign-pages', [403], 40, (number) => ({
      method: number % 2 === 0 ? 'POST' : 'DELETE',
      path: '/console/sessions',
      headers: [
        ['Origin: https://evil.example.com', 'Origin: null', `Origin: ${origin}\r\nSec-Fetch-Site: cross-site`, 'X-Nothing: 1'][
          number % 4
        ]!,
        `Orch-Console-Link: ${link(number)}`,
      ],
    })),
    {
      name: 'links-that-the-tenant-may-not-have',
      outcomes: [403],
      run: (attacker) =>
        attacker.flood({user: 'tenant', connections: 8, requests: 2_000, request: () => requestText('POST', '/console/links', {host})}),
    },
    {
      name: 'pages-as-fast-as-they-come',
      outcomes: [200],
      run: (attacker) =>
        attacker.flood({
          user: 'anonymous',
          connections: 32,
          request: (_connection, number) => requestText('GET', `/console/${number % 3 === 0 ? '' : `any/${number}`}`, {host}),
        }),
    },
  ],
  {storeless: true, flags: ['--enable-console']},
);

/** Views of plugins, which run in frames whose origin is `null`. */
const ofViews = family(
  'console-views',
  [
    requests(
      'paths-out-of-the-folders',
      [404, 400],
      viewPaths.length,
      (number) => ({method: 'GET', path: viewPaths[number]!}),
      (status, body) => status < 300 && !body.startsWith('<!doctype html>'),
    ),
    requests(
      'told-to-nobody',
      [200],
      20,
      (number) => ({method: 'GET', path: '/console/views/', headers: [`Authorization: Bearer ${session()}`].slice(number % 2)}),
      (status, body) => status < 300 && body.includes(plugin),
    ),
    requests('names-that-are-not-known', [404], hosts.length * 2, (number) => ({
      method: 'GET',
      path: ['/console/views/', `/console/views/${plugin}/views/card.js`][number % 2]!,
      host: hosts[number >> 1]!,
    })),
    requests('calls-of-a-frame', [401, 403], 200, (number) => ({
      method: ['GET', 'POST', 'PUT', 'DELETE'][number % 4]!,
      path: '/api/v1/namespaces/kube-system/secrets',
      headers: ['Origin: null', `Authorization: Bearer ${session()}`, `Cookie: ${cookies[number % cookies.length]!}`],
    })),
    {
      name: 'modules-as-fast-as-they-come',
      outcomes: [200],
      run: (attacker) =>
        attacker.flood({
          user: 'anonymous',
          connections: 32,
          request: () => requestText('GET', `/console/views/${plugin}/views/card.js`, {host}),
        }),
    },
  ],
  {
    storeless: true,
    flags: ['--enable-console', '--plugin', fileURLToPath(new URL('../../../examples/console-views', import.meta.url))],
  },
);

export const consoleAttacks: readonly Attack[] = [...ofConsole, ...ofViews];
