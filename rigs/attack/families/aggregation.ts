import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {createServer, type Server, type TLSSocket} from 'node:tls';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {makeAuthority, makeLeaf} from '../../../test/helpers/test-certificates.js';
import {family, type Around, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {failed, manners, sendDoubles, strict, type Manners} from './proxies.js';

/** A configuration under which aggregated servers may be on loopback, and are looked at often. */
const flags = ['--config', fileURLToPath(new URL('../aggregation.json', import.meta.url))];

const group = (attacker: Attacker) => `${attacker.namespace}.example`;
const root = (attacker: Attacker) => `/apis/${group(attacker)}/v1`;

function answer(socket: TLSSocket, body: string): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

interface Hostility {
  /** How requests are treated. */
  readonly requests?: Manners;
  /** What discovery answers; a modest list by default. Other manners than an answer may be had too. */
  readonly discovery?: Manners;
}

const modest = (attacker: Attacker) =>
  JSON.stringify({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group(attacker)}/v1`,
    resources: [{name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list']}],
  });

const servers = new WeakMap<Attacker, Server>();

/** An aggregated API server that means harm. */
async function startHostile(attacker: Attacker, {requests, discovery}: Hostility): Promise<number> {
  const {certificate, key} = await makeLeaf(await makeAuthority(), 'server', 'hostile');
  const list = modest(attacker);
  const server = createServer({cert: certificate, key}, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (head: Buffer) => {
      const line = head.toString('latin1', 0, head.indexOf('\r\n'));
      const isDiscovery = new RegExp(`^GET ${root(attacker)}(?:\\?| )`).test(line) || line.startsWith('GET /openapi');
      if (isDiscovery && !discovery) answer(socket, list);
      else (isDiscovery ? discovery : requests)?.(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  servers.set(attacker, server);
  return (server.address() as {port: number}).port;
}

/** Announces a server at a port of this machine. */
async function announce(attacker: Attacker, port: number, name = group(attacker)): Promise<void> {
  await attacker.make(attacker.path('services'), {
    metadata: {name: `s-${name.replaceAll('.', '-')}`},
    spec: {type: 'ExternalName', externalName: '127.0.0.1'},
  });
  await attacker.make('/apis/apiregistration.orch/v1/apiservices', {
    metadata: {name: `v1.${name}`},
    spec: {
      group: name,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: {namespace: attacker.namespace, name: `s-${name.replaceAll('.', '-')}`, port},
    },
  });
}

/** Long enough for the server to have found the aggregated one, or to have given it up. */
const noticeMillis = 1500;

const aggregated = (
  name: string,
  hostility: Hostility,
  count: number,
  outcomes: Attack['outcomes'],
  {deaf = false, headers = []}: {deaf?: boolean; headers?: readonly string[]} = {},
): Attack => ({
  name,
  outcomes,
  flags,
  seconds: 3,
  async prepare(attacker) {
    await announce(attacker, await startHostile(attacker, hostility));
    await sleep(noticeMillis);
  },
  async run(attacker) {
    const bytes = requestText('GET', `${root(attacker)}/namespaces/${attacker.namespace}/things`, {headers});
    const opened = await attacker.openMany(
      count,
      async () => {
        const connection = await attacker.open({user: 'builder', deaf});
        connection?.write(bytes);
        return connection;
      },
      20,
    );
    await attacker.hold(deaf ? [] : opened);
    await attacker.hear(opened);
    servers.get(attacker)?.close();
  },
});

const huge = (member: string) => (socket: TLSSocket) => {
  const body = `{"kind":"APIResourceList","groupVersion":"x","resources":[${Array.from({length: 200_000}, (_, number) => `{"name":"r${number}",${member}}`).join(',')}]}`;
  answer(socket, body);
};

/** A server that trusts itself to speak for others, so that what it hands on to itself is served. */
const trustsItself: Around = {
  name: 'trusts-itself',
  async start(_t, folder) {
    const authority = await makeAuthority('front-proxy-ca');
    const leaf = await makeLeaf(authority, 'client', 'front-proxy');
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    return [
      '--proxy-client-cert-file',
      file('proxy.crt', leaf.certificate),
      '--proxy-client-key-file',
      file('proxy.key', leaf.key),
      '--requestheader-client-ca-file',
      file('proxy-ca.crt', authority.certificate),
      '--requestheader-username-headers',
      'X-Remote-User',
      '--requestheader-group-headers',
      'X-Remote-Group',
      '--requestheader-extra-headers-prefix',
      'X-Remote-Extra-',
    ];
  },
};

/** What hostile servers behind APIServices do to the server that hands requests on to them. */
export const aggregation = family(
  'aggregation',
  [
    aggregated('silent', {requests: manners['silent']!}, 200, ['held', 503, 504, 429]),
    aggregated('endless-answers', {requests: manners['endless']!}, 50, [200]),
    aggregated('endless-answers-never-read', {requests: manners['endless']!}, 200, [200, 429], {deaf: true}),
    aggregated('endless-headers', {requests: manners['endless-headers']!}, 50, failed),
    aggregated('interim-answers', {requests: manners['interim-answers']!}, 50, [...failed, 100]),
    aggregated('garbage', {requests: manners['garbage']!}, 200, failed),
    aggregated('upgrade-nobody-asked-for', {requests: manners['upgrade-nobody-asked-for']!}, 100, failed),
    aggregated('one-byte-at-a-time', {requests: manners['one-byte-at-a-time']!}, 200, [200, 'held']),
    aggregated('large-headers', {requests: (socket) => answer(socket as TLSSocket, '{}')}, 200, [200, 503, 431], {
      headers: Array.from({length: 50}, (_, number) => `X-Remote-Extra-${number}: ${'x'.repeat(1000)}`),
    }),
    aggregated('discovery-silent', {discovery: manners['silent']!}, 100, failed),
    aggregated('discovery-endless', {discovery: manners['endless']!}, 100, failed),
    aggregated('discovery-endless-headers', {discovery: manners['endless-headers']!}, 100, failed),
    aggregated('discovery-of-200000-resources', {discovery: (socket) => huge('"kind":"K","verbs":["get"]')(socket as TLSSocket)}, 100, [
      ...failed,
      404,
    ]),
    aggregated('discovery-deep', {discovery: (socket) => answer(socket as TLSSocket, '['.repeat(5_000_000))}, 100, failed),
    aggregated('status-000', {requests: manners['status-000']!}, 100, [502]),
    aggregated('discovery-of-another-protocol', {discovery: manners['upgrade-nobody-asked-for']!}, 100, failed),
    {
      name: 'two-requests-in-one',
      outcomes: [200, 400],
      flags,
      seconds: 4,
      async prepare(attacker) {
        const {certificate, key} = await makeLeaf(await makeAuthority(), 'server', 'strict');
        const serve = strict(attacker);
        const server = createServer({cert: certificate, key}, (socket) => {
          socket.on('error', () => undefined);
          serve(socket);
        });
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        server.unref();
        servers.set(attacker, server);
        await announce(attacker, (server.address() as {port: number}).port);
        await sleep(noticeMillis);
      },
      async run(attacker) {
        await sendDoubles(attacker, 'builder', root(attacker));
        servers.get(attacker)?.close();
      },
    },
    {
      name: 'loop-through-itself',
      outcomes: ['held', 429, 503, 504, 508, 404, 403, 'cut'],
      flags,
      around: trustsItself,
      seconds: 3,
      async prepare(attacker) {
        await announce(attacker, attacker.server.port);
        await sleep(noticeMillis);
      },
      run: (attacker) =>
        attacker.flood({
          user: 'builder',
          connections: 10,
          request: () => requestText('GET', `${root(attacker)}/namespaces/default/things`),
        }),
    },
    {
      name: 'hundred-that-are-away',
      outcomes: [503, 404],
      flags,
      seconds: 4,
      leavesMegabytes: 10,
      async prepare(attacker) {
        for (let number = 0; number < 100; number++) await announce(attacker, 1, `g${number}.${group(attacker)}`);
      },
      run: (attacker) =>
        attacker.flood({
          user: 'builder',
          connections: 10,
          request: (connection, number) =>
            requestText('GET', number % 5 ? `/apis/g${(connection * 30 + number) % 100}.${group(attacker)}/v1/things` : '/apis'),
        }),
    },
    {
      name: 'api-services-that-come-and-go',
      outcomes: [201],
      flags,
      seconds: 3,
      leavesMegabytes: 30,
      run: (attacker) =>
        attacker.flood({
          user: 'builder',
          connections: 5,
          request: (connection, number) => {
            const name = `v1.c${connection}.${group(attacker)}`;
            const spec = {
              group: `c${connection}.${group(attacker)}`,
              version: 'v1',
              groupPriorityMinimum: 10,
              versionPriority: 10,
              insecureSkipTLSVerify: true,
              service: {namespace: 'default', name: 'none'},
            };
            return number % 2
              ? requestText('DELETE', `/apis/apiregistration.orch/v1/apiservices/${name}`)
              : requestText('POST', '/apis/apiregistration.orch/v1/apiservices', {body: JSON.stringify({metadata: {name}, spec})});
          },
        }),
    },
  ],
  {storeless: true},
);
