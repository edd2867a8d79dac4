import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {Agent, request} from 'node:https';
import {join} from 'node:path';
import {connect, type ConnectionOptions, type TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {generateKey, issueCertificate} from '../../../core/pki/issue-certificate.js';
import {createServer, type Server, type ServerOptions} from '@orch-api/orch';
import {startTestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../helpers/test-certificates.js';

async function makeServing(issuer: KeyedCertificate, commonName: string, dns: readonly string[]): Promise<KeyedCertificate> {
  const key = await generateKey();
  const names = {dns, ip: ['127.0.0.1']};
  return {
    key,
    certificate: await issueCertificate({subject: {commonName}, key, notAfter: Date.now() + 3_600_000, usage: 'server', issuer, names}),
  };
}

function write(folder: string, name: string, {certificate, key}: KeyedCertificate): [string, string] {
  const files: [string, string] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(files[0], certificate);
  writeFileSync(files[1], key);
  return files;
}

async function start(t: ExecutionContext, options: ServerOptions): Promise<{server: Server; port: number}> {
  const server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), ...options});
  t.teardown(() => server.stop());
  await server.start();
  return {server, port: Number(new URL(server.url).port)};
}

function open(t: ExecutionContext, port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({host: '127.0.0.1', port, rejectUnauthorized: false, ...options});
    t.teardown(() => void socket.destroy());
    socket.once('secureConnect', () => resolve(socket)).once('error', reject);
  });
}

/** Common name of what the server shows. */
async function shown(t: ExecutionContext, port: number, servername?: string): Promise<string> {
  const socket = await open(t, port, servername === undefined ? {} : {servername});
  const {CN} = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

function agentOf(t: ExecutionContext, {certificate, key}: KeyedCertificate): Agent {
  const agent = new Agent({keepAlive: true, maxSockets: 1, cert: certificate, key, rejectUnauthorized: false});
  t.teardown(() => agent.destroy());
  return agent;
}

/** Status of a request that only the group of administrators may make, and whether the connection was there before. */
function ask(port: number, agent: Agent): Promise<{status: number; reused: boolean}> {
  return new Promise((resolve, reject) => {
    const call = request({host: '127.0.0.1', port, path: '/api/v1/namespaces', agent}, (response) => {
      response.resume().once('end', () => resolve({status: response.statusCode!, reused: call.reusedSocket}));
    });
    call.once('error', reject).end();
  });
}

test('whom any CA in --client-ca-file has signed is known, beside the clients of the own CA; others are not; a change counts at once, also on open connections', async (t) => {
  const folder = tempFolder(t);
  const [first, second, stranger] = await Promise.all([makeAuthority('first'), makeAuthority('second'), makeAuthority('stranger')]);
  const [one, two, three] = await Promise.all([first, second, stranger].map((ca) => makeLeaf(ca, 'client', 'boss', ['system:masters'])));
  const clientCaFile = join(folder, 'clients.crt');
  writeFileSync(clientCaFile, `# two CAs\n${first.certificate}\n${second.certificate}`);
  const {logger, lines} = recordingLogger();
  const {server, port} = await start(t, {clientCaFile, logger});
  const [agentOne, agentTwo, agentThree] = [one!, two!, three!].map((leaf) => agentOf(t, leaf));
  t.is((await ask(port, agentOne!)).status, 200);
  t.is((await ask(port, agentTwo!)).status, 200);
  t.is((await ask(port, agentThree!)).status, 401);
  t.true((await server.client.request({method: 'GET', path: '/api/v1/namespaces'})).status === 200, 'the own CA');

  writeFileSync(clientCaFile, 'nothing');
  await until('the bad file is told', () =>
    lines.some(({level, fields}) => level === 'error' && /clients.crt contains no PEM certificate/.test(String(fields['err']))),
  );
  t.deepEqual(await ask(port, agentTwo!), {status: 200, reused: true}, 'the old ones stay');

  writeFileSync(clientCaFile, `${first.certificate}${stranger.certificate}`);
  await until('the change counts', async () => (await ask(port, agentTwo!)).status === 401);
  t.deepEqual(await ask(port, agentTwo!), {status: 401, reused: true}, 'the connection stays, its certificate counts no more');
  t.deepEqual(await ask(port, agentOne!), {status: 200, reused: true});
  t.is((await ask(port, agentOf(t, three!))).status, 200, 'a new connection is judged by the new CAs');
  t.is((await ask(port, agentOf(t, two!))).status, 401);
});

test('--tls-cert-file is shown and replaced while requests go on; a key that does not fit changes nothing', async (t) => {
  const folder = tempFolder(t);
  const authority = await makeAuthority('company');
  const [before, after] = await Promise.all([
    makeServing(authority, 'before', ['localhost']),
    makeServing(authority, 'after', ['localhost']),
  ]);
  const [tlsCertFile, tlsPrivateKeyFile] = write(folder, 'server', before);
  const {logger, lines} = recordingLogger();
  const {server, port} = await start(t, {tlsCertFile, tlsPrivateKeyFile, logger});
  t.is(await shown(t, port), 'before');
  const kubeconfig = readFileSync(server.kubeconfig, 'utf8');
  t.regex(kubeconfig, /tls-server-name: "apiserver-loopback-client"/);
  t.true(
    (await server.client.request({method: 'GET', path: '/api/v1/namespaces'})).status === 200,
    'the own client asks for the certificate of the own CA',
  );
  const admin = agentOf(t, {
    certificate: readFileSync(join(server.paths.dataDir, 'pki/admin.crt'), 'utf8'),
    key: readFileSync(join(server.paths.dataDir, 'pki/admin.key'), 'utf8'),
  });
  t.is((await ask(port, admin)).status, 200);

  writeFileSync(tlsCertFile, after.certificate);
  await until('the error is told', () =>
    lines.some(({level, fields}) => level === 'error' && /is not the key of the first certificate/.test(String(fields['err']))),
  );
  t.is(await shown(t, port), 'before');
  writeFileSync(tlsPrivateKeyFile, after.key);
  await until('the new one is shown', async () => (await shown(t, port)) === 'after');
  t.deepEqual(await ask(port, admin), {status: 200, reused: true});
});

test('--tls-sni-cert-key: patterns go before names in certificates, exact names before wildcards, the first before the second', async (t) => {
  const folder = tempFolder(t);
  const authority = await makeAuthority('company');
  const make = async (name: string, dns: readonly string[]) => write(folder, name, await makeServing(authority, name, dns)).join(',');
  const [plain, wild, given, late] = await Promise.all([
    make('plain', ['a.example.com', 'b.example.com']),
    make('wild', ['*.example.com', 'a.example.com']),
    make('given', ['unused.example.org']),
    make('late', ['apiserver-loopback-client']),
  ]);
  const {server, port} = await start(t, {
    tlsSniCertKey: [plain, wild, `${given}:b.example.com,*.given.example.com`, `${late}:*.given.example.com`, late],
  });
  t.is(await shown(t, port, 'a.example.com'), 'plain');
  t.is(await shown(t, port, 'A.Example.com'), 'plain');
  t.is(await shown(t, port, 'c.example.com'), 'wild');
  t.is(await shown(t, port, 'b.example.com'), 'given');
  t.is(await shown(t, port, 'x.given.example.com'), 'given');
  t.is(await shown(t, port, 'x.y.given.example.com'), 'orch-apiserver');
  t.is(await shown(t, port, 'unused.example.org'), 'orch-apiserver', 'names in the certificate count only without patterns');
  t.is(await shown(t, port), 'orch-apiserver');
  t.is(await shown(t, port, 'apiserver-loopback-client'), 'orch-apiserver', 'nobody takes the name of the own clients');
  t.true((await server.client.request({method: 'GET', path: '/api/v1/namespaces'})).status === 200);
  // The certificate of a client counts on such a connection as on any.
  const certificate = readFileSync(join(server.paths.dataDir, 'pki/admin.crt'), 'utf8');
  const key = readFileSync(join(server.paths.dataDir, 'pki/admin.key'), 'utf8');
  const agent = new Agent({cert: certificate, key, rejectUnauthorized: false, servername: 'a.example.com'});
  t.teardown(() => agent.destroy());
  t.is((await ask(port, agent)).status, 200);
});

test('--tls-min-version and --tls-cipher-suites are what clients can agree on', async (t) => {
  const modern = await start(t, {tlsMinVersion: 'VersionTLS13'});
  t.is((await open(t, modern.port)).getProtocol(), 'TLSv1.3');
  await t.throwsAsync(open(t, modern.port, {maxVersion: 'TLSv1.2'}));
  const old = await start(t, {tlsMinVersion: 'VersionTLS10'});
  const weak = {minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0'} as const;
  t.is((await open(t, old.port, weak)).getProtocol(), 'TLSv1');
  const narrow = await start(t, {tlsCipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384']});
  await t.throwsAsync(open(t, narrow.port, weak));
  const only12 = {maxVersion: 'TLSv1.2'} as const;
  t.is((await open(t, narrow.port, only12)).getCipher().name, 'ECDHE-ECDSA-AES256-GCM-SHA384');
  await t.throwsAsync(open(t, narrow.port, {...only12, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256'}));
});

test('--cert-dir has apiserver.crt and apiserver.key made by the own CA, and keeps what another CA has signed', async (t) => {
  const folder = tempFolder(t);
  const certDir = join(folder, 'certs');
  const dataDir = join(folder, 'data');
  const first = await createServer({store: 'memory', securePort: 0, dataDir, certDir});
  await first.start();
  const made = readFileSync(join(certDir, 'apiserver.crt'), 'utf8');
  const socket = await open(t, Number(new URL(first.url).port), {
    ca: readFileSync(join(dataDir, 'pki/ca.crt')),
    rejectUnauthorized: true,
  });
  t.is(socket.getPeerX509Certificate()!.toString(), made);
  await first.stop();
  const again = await createServer({store: 'memory', securePort: 0, dataDir, certDir});
  await again.start();
  t.is(readFileSync(join(certDir, 'apiserver.crt'), 'utf8'), made);
  await again.stop();
  const given = await makeServing(await makeAuthority('company'), 'given', ['localhost']);
  write(certDir, 'apiserver', given);
  const {port} = await start(t, {dataDir, certDir});
  t.is(await shown(t, port), 'given');
  t.is(readFileSync(join(certDir, 'apiserver.crt'), 'utf8'), given.certificate);
});

test('files that cannot be used keep the server from starting, in words', async (t) => {
  const folder = tempFolder(t);
  const authority = await makeAuthority('company');
  const [crt, key] = write(folder, 'good', await makeLeaf(authority, 'server', 'good'));
  const [, otherKey] = write(folder, 'other', await makeLeaf(authority, 'server', 'other'));
  writeFileSync(join(folder, 'broken.crt'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const lone = join(folder, 'lone');
  mkdirSync(lone);
  writeFileSync(join(lone, 'apiserver.crt'), readFileSync(crt));
  const dataDir = join(folder, 'data');
  const table: readonly [ServerOptions, RegExp][] = [
    [{clientCaFile: join(folder, 'absent')}, /^--client-ca-file: .*absent cannot be read: ENOENT/],
    [{clientCaFile: key}, /^--client-ca-file: .*good.key contains no PEM certificate$/],
    [{clientCaFile: join(folder, 'broken.crt')}, /^--client-ca-file: certificate 1 in .*broken.crt cannot be read/],
    [
      {tlsCertFile: crt, tlsPrivateKeyFile: otherKey},
      /^--tls-cert-file: .*other.key is not the key of the first certificate in .*good.crt$/,
    ],
    [
      {tlsCertFile: crt, tlsPrivateKeyFile: crt},
      /^--tls-cert-file: .*good.crt contains no PEM private key that can be used without a password$/,
    ],
    [{tlsSniCertKey: [`${crt},${otherKey}:a`]}, /^--tls-sni-cert-key: .*other.key is not the key/],
    [{certDir: lone}, /apiserver.crt exists, but its key .*apiserver.key is missing/],
  ];
  for (const [options, message] of table) {
    const server = await createServer({store: 'memory', securePort: 0, dataDir, ...options});
    await t.throwsAsync(server.start(), {message});
  }
  rmSync(dataDir, {recursive: true});
  await using plain = await startTestServer();
  t.notRegex(readFileSync(plain.kubeconfig, 'utf8'), /tls-server-name/);
});
