import {spawnSync} from 'node:child_process';
import {until} from '../../helpers/eventually.js';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {Client, ConnectionError, loadConnection, StatusError} from '@orch-api/orch/client';
import {issueCertificate, generateKey} from '../../../core/pki/issue-certificate.js';
import {readServerFile} from '@orch-api/orch/testing';
import {tcpRelay} from '../../helpers/tcp-relay.js';
import {fileServer, ownMaps} from './client-server.js';
import {clusterOf, kubeconfigFile} from './kubeconfig-file.js';
import {tokenServer, type TokenServer} from './token-plugin.js';

const server = fileServer();
let tokens: TokenServer;
const cleanup: (() => void | Promise<void>)[] = [];
test.before(async () => {
  tokens = await tokenServer({teardown: (work) => void cleanup.push(work)});
  tokens.accept('good', 'other');
});
test.after.always(async () => {
  for (const work of cleanup) await work();
});

const v1 = 'client.authentication.orch/v1';
const v1beta1 = 'client.authentication.orch/v1beta1';

interface Plugin {
  /** Folder of the configuration file and the plugin. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** What the plugin was told, one entry for each run. */
  runs(): {info: {apiVersion: string; kind: string; spec: Record<string, unknown>}; args: string[]; env: Record<string, string>}[];
  /** What it prints from now on, as an object or as text. */
  answer(output: unknown): void;
}

/** A plugin that notes how it was run and prints what stands in a file. */
const script = `#!${process.execPath}
const {appendFileSync, readFileSync} = require('node:fs');
const {join} = require('node:path');
const info = process.env.ORCH_EXEC_INFO ?? process.env.KUBERNETES_EXEC_INFO;
const {ORCH_EXEC_INFO, KUBERNETES_EXEC_INFO, ...env} = process.env;
const variable = ORCH_EXEC_INFO === undefined ? 'KUBERNETES_EXEC_INFO' : 'ORCH_EXEC_INFO';
appendFileSync(join(__dirname, 'runs'), JSON.stringify({info: JSON.parse(info), args: process.argv.slice(2), env: {...env, variable}}) + '\\n');
process.stdout.write(readFileSync(join(__dirname, 'answer'), 'utf8'));
if (process.argv[2] === 'fail') {
  process.stderr.write('the vault is closed\\n');
  process.exitCode = 3;
}
`;

function plugin(t: ExecutionContext, exec: object = {}, cluster: object = clusterOf(tokens.server.api.connection)): Plugin {
  const kubeconfig = kubeconfigFile(t, cluster, {exec: {command: './plugin', apiVersion: v1, interactiveMode: 'Never', ...exec}});
  const folder = dirname(kubeconfig);
  writeFileSync(join(folder, 'plugin'), script, {mode: 0o755});
  const answer = (output: unknown) => writeFileSync(join(folder, 'answer'), typeof output === 'string' ? output : JSON.stringify(output));
  answer(credential({token: 'good'}));
  const log = join(folder, 'runs');
  return {
    folder,
    kubeconfig,
    answer,
    runs: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as never)
        : [],
  };
}

const credential = (status: object, apiVersion = v1) => ({apiVersion, kind: 'ExecCredential', status});

async function clientOf(t: ExecutionContext, {kubeconfig}: {kubeconfig: string}, options: {interactive?: boolean} = {}): Promise<Client> {
  const client = new Client(await loadConnection({kubeconfig, ...options}));
  t.teardown(() => client.close());
  return client;
}

test('the token of a plugin is the bearer token of requests [B-EXEC-12]', async (t) => {
  const client = await clientOf(t, plugin(t));
  t.truthy(await client.getJson('/api'));
  const wrong = plugin(t);
  wrong.answer(credential({token: 'bad'}));
  t.like(await t.throwsAsync((await clientOf(t, wrong)).getJson('/api')), {code: 401});
});

test('the command is required, a relative one starts at the configuration file, a bare name is looked up in PATH [B-EXEC-1]', async (t) => {
  const missing = plugin(t, {command: ''});
  await t.throwsAsync(loadConnection(missing), {message: /user user: exec\.command is required/});
  const {folder, kubeconfig} = plugin(t, {command: './bin/../plugin'});
  t.not(process.cwd(), folder);
  t.truthy(await (await clientOf(t, {kubeconfig: relative(process.cwd(), kubeconfig)})).getJson('/api'));
  const bare = plugin(t, {command: 'plugin', env: [{name: 'PATH', value: folder}]});
  t.truthy(await (await clientOf(t, bare)).getJson('/api'));
  const absolute = plugin(t, {command: join(folder, 'plugin')});
  t.truthy(await (await clientOf(t, absolute)).getJson('/api'));
});

test('the version is required and is v1 or v1beta1 of the group of the platform [B-EXEC-2]', async (t) => {
  await t.throwsAsync(loadConnection(plugin(t, {apiVersion: undefined})), {message: /exec\.apiVersion is required/});
  for (const apiVersion of ['client.authentication.orch/v1alpha1', 'client.authentication.example.com/v1', 'v1']) {
    await t.throwsAsync(loadConnection(plugin(t, {apiVersion})), {
      message: /is not supported: use client\.authentication\.orch\/v1 or v1beta1/,
    });
  }
  for (const apiVersion of [v1, v1beta1, 'client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']) {
    const made = plugin(t, {apiVersion});
    made.answer(credential({token: 'good'}, apiVersion));
    t.truthy(await (await clientOf(t, made)).getJson('/api'), apiVersion);
  }
  const own = plugin(t, {apiVersion: 'client.authentication.example.com/v1'});
  t.truthy(await loadConnection({...own, platform: {groupSuffix: 'example.com', protobufMediaType: 'application/x'}}));
});

test('an answer in another version, of another kind or without use is an error [B-EXEC-3]', async (t) => {
  const made = plugin(t);
  const answers: [unknown, RegExp][] = [
    [
      credential({token: 'good'}, v1beta1),
      /its ExecCredential has the version "client\.authentication\.orch\/v1beta1", but client\.authentication\.orch\/v1 is configured/,
    ],
    [{...credential({token: 'good'}), kind: 'Secret'}, /an object of kind "Secret", not an ExecCredential/],
    ['not json', /its output is not JSON/],
    ['[]', /an object of kind undefined/],
    [{apiVersion: v1, kind: 'ExecCredential'}, /has no status/],
    [credential({}), /neither a token nor a client certificate/],
    [credential({token: 5}), /status\.token is not a string/],
    [credential({token: 'good', expirationTimestamp: 'tomorrow'}), /"tomorrow" is not an RFC 3339 time/],
    ['x'.repeat(2 << 20), /its output is too long for a credential/],
  ];
  const client = await clientOf(t, made);
  for (const [output, message] of answers) {
    made.answer(output);
    const failure = await t.throwsAsync(client.getJson('/api'), {message});
    t.true(failure?.message.startsWith(`${made.kubeconfig}, user user: the credential plugin returned no credentials: `));
  }
  made.answer(credential({token: 'good'}));
  t.truthy(await client.getJson('/api'), 'a later answer is used');
});

test('variables are added to the environment, arguments are passed [B-EXEC-4]', async (t) => {
  const made = plugin(t, {
    args: ['login', '--as', 'me too'],
    env: [
      {name: 'REALM', value: 'east'},
      {name: 'HOME', value: '/nowhere'},
    ],
  });
  await (await clientOf(t, made)).getJson('/api');
  const [run] = made.runs();
  t.deepEqual(run?.args, ['login', '--as', 'me too']);
  t.like(run?.env, {REALM: 'east', HOME: '/nowhere', PATH: process.env.PATH});
});

test('a command that is not there is an error with the hint how to install it [B-EXEC-5]', async (t) => {
  const hint = 'Install it with\n  get-login --now\n';
  const failure = await t.throwsAsync((await clientOf(t, plugin(t, {command: 'no-such-command-here', installHint: hint}))).getJson('/api'));
  t.true(failure?.message.endsWith(`the command no-such-command-here was not found\n\n${hint.trim()}`), failure?.message);
  const plain = await t.throwsAsync((await clientOf(t, plugin(t, {command: './none'}))).getJson('/api'));
  t.regex(plain?.message ?? '', /the command .*\/none was not found$/);
});

test('a plugin that fails is an error with what it said', async (t) => {
  const failure = await t.throwsAsync((await clientOf(t, plugin(t, {args: ['fail']}))).getJson('/api'));
  t.regex(failure?.message ?? '', /it ended with exit code 3: the vault is closed$/);
});

test('the plugin gets an ExecCredential in ORCH_EXEC_INFO, under the established name in KUBERNETES_EXEC_INFO [B-EXEC-6]', async (t) => {
  const made = plugin(t);
  await (await clientOf(t, made)).getJson('/api');
  t.deepEqual(made.runs()[0]?.info, {apiVersion: v1, kind: 'ExecCredential', spec: {interactive: false}});
  t.is(made.runs()[0]?.env.variable, 'ORCH_EXEC_INFO');
  const apiVersion = 'client.authentication.k8s.io/v1';
  const established = plugin(t, {apiVersion});
  established.answer(credential({token: 'good'}, apiVersion));
  await (await clientOf(t, established)).getJson('/api');
  t.is(established.runs()[0]?.info.apiVersion, apiVersion);
  t.is(established.runs()[0]?.env.variable, 'KUBERNETES_EXEC_INFO');
});

test('the plugin is told of the cluster only when that is wanted [B-EXEC-7]', async (t) => {
  const {server: url, certificateAuthority} = tokens.server.api.connection;
  const told = {
    server: url,
    'tls-server-name': 'localhost',
    'certificate-authority-data': Buffer.from(certificateAuthority!).toString('base64'),
  };
  const extension = {name: 'client.authentication.orch/exec', extension: {audience: 'a'}};
  const cluster = {
    server: url,
    'tls-server-name': 'localhost',
    'certificate-authority': 'ca.crt',
    extensions: [{name: 'other', extension: {}}, extension],
  };
  for (const provideClusterInfo of [true, false, undefined]) {
    const made = plugin(t, {provideClusterInfo}, cluster);
    writeFileSync(join(made.folder, 'ca.crt'), certificateAuthority!);
    await (await clientOf(t, made)).getJson('/api');
    t.deepEqual(
      made.runs()[0]?.info.spec,
      provideClusterInfo ? {cluster: {...told, config: {audience: 'a'}}, interactive: false} : {interactive: false},
    );
  }
});

test('interactive says whether standard input is passed, by mode and by whether there is any [B-EXEC-8] [B-EXEC-9] [B-EXEC-10]', async (t) => {
  const cases = [
    {mode: 'Never', interactive: true, expected: false},
    {mode: 'IfAvailable', interactive: true, expected: true},
    {mode: 'IfAvailable', interactive: false, expected: false},
    {mode: 'Always', interactive: true, expected: true},
  ];
  for (const {mode, interactive, expected} of cases) {
    const made = plugin(t, {interactiveMode: mode});
    await (await clientOf(t, made, {interactive})).getJson('/api');
    t.deepEqual(made.runs()[0]?.info.spec, {interactive: expected}, `${mode}, ${interactive}`);
  }
  await t.throwsAsync(loadConnection(plugin(t, {interactiveMode: undefined})), {
    message: /exec\.interactiveMode is required with v1: Never, IfAvailable, Always/,
  });
  await t.throwsAsync(loadConnection(plugin(t, {interactiveMode: 'Sometimes'})), {
    message: /"Sometimes" is not one of Never, IfAvailable, Always/,
  });
  for (const interactive of [true, false]) {
    const made = plugin(t, {apiVersion: v1beta1, interactiveMode: undefined});
    made.answer(credential({token: 'good'}, v1beta1));
    await (await clientOf(t, made, {interactive})).getJson('/api');
    t.deepEqual(made.runs()[0]?.info.spec, {interactive});
  }
});

test('standard input reaches a plugin that is interactive, and no other [B-EXEC-8]', async (t) => {
  const reader = `#!${process.execPath}\nconst token = require('node:fs').readFileSync(0, 'utf8').trim() || 'nothing';\nconsole.log(JSON.stringify({apiVersion: '${v1}', kind: 'ExecCredential', status: {token}}));\n`;
  const library = new URL('../../../sdk/client/index.js', import.meta.url).href;
  for (const interactive of [true, false]) {
    const made = plugin(t, {interactiveMode: 'IfAvailable'});
    writeFileSync(join(made.folder, 'plugin'), reader);
    const program = `
      const {loadConnection} = await import(${JSON.stringify(library)});
      const {credentials} = await loadConnection({kubeconfig: ${JSON.stringify(made.kubeconfig)}, interactive: ${interactive}});
      process.stdout.write((await credentials.get(new AbortController().signal)).token);`;
    const {stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      input: 'typed by hand\n',
      encoding: 'utf8',
    });
    t.is(stdout, interactive ? 'typed by hand' : 'nothing', stderr);
  }
});

test('a plugin that always needs standard input is not run without one [B-EXEC-11]', async (t) => {
  const made = plugin(t, {interactiveMode: 'Always'});
  await t.throwsAsync((await clientOf(t, made, {interactive: false})).getJson('/api'), {
    message: /its interactiveMode is Always, but standard input is not available/,
  });
  t.deepEqual(made.runs(), []);
});

/** A client certificate of the group system:masters, of the server's own CA. */
async function certificateOf(commonName: string): Promise<{clientCertificateData: string; clientKeyData: string}> {
  const key = await generateKey();
  const issuer = {certificate: await readServerFile(server(), 'pki', 'ca.crt'), key: await readServerFile(server(), 'pki', 'ca.key')};
  const subject = {commonName, organizations: ['system:masters']};
  return {
    clientCertificateData: await issueCertificate({subject, key, notAfter: Date.now() + 3_600_000, usage: 'client', issuer}),
    clientKeyData: key,
  };
}

test('a certificate and its key are used for TLS, one without the other is an error [B-EXEC-13]', async (t) => {
  const made = plugin(t, {}, clusterOf(server().api.connection));
  const pair = await certificateOf('from-plugin');
  const client = await clientOf(t, made);
  const {clientKeyData: _key, ...onlyCertificate} = pair;
  const {clientCertificateData: _certificate, ...onlyKey} = pair;
  for (const status of [onlyCertificate, onlyKey, {...onlyKey, token: 'good'}]) {
    made.answer(credential(status));
    await t.throwsAsync(client.getJson('/api'), {message: /only one of clientCertificateData and clientKeyData/});
  }
  made.answer(credential({...pair, clientKeyData: (await certificateOf('other')).clientKeyData}));
  await t.throwsAsync(client.getJson('/api'), {
    message: /its client certificate and key cannot be used: the key does not match the certificate/,
  });
  made.answer(credential({...pair, clientKeyData: 'no PEM'}));
  await t.throwsAsync(client.getJson('/api'), {message: /its client certificate and key cannot be used/});
  made.answer(credential(pair));
  const {namespace} = await ownMaps(client);
  t.truthy(namespace);
});

test('credentials with an end are kept until then [B-EXEC-14]', async (t) => {
  const made = plugin(t);
  const client = await clientOf(t, made);
  made.answer(credential({token: 'good', expirationTimestamp: new Date(Date.now() + 3_600_000).toISOString()}));
  await Promise.all([1, 2, 3].map(() => client.getJson('/api')));
  await client.getJson('/api');
  t.is(made.runs().length, 1, 'one run for all requests, at once and one after another');
  const short = plugin(t);
  const expires = Date.now() + 1500;
  short.answer(credential({token: 'good', expirationTimestamp: new Date(expires).toISOString()}));
  const other = await clientOf(t, short);
  await other.getJson('/api');
  await other.getJson('/api');
  if (Date.now() < expires) t.is(short.runs().length, 1);
  await until('the end of the token', () => Date.now() >= expires);
  // More than one if the machine was so slow that the token ended before the second request.
  const runs = short.runs().length;
  short.answer(credential({token: 'other'}));
  await other.getJson('/api');
  t.is(short.runs().length, runs + 1);
});

test('credentials without an end are kept until the server refuses them [B-EXEC-15]', async (t) => {
  const own = await tokenServer(t);
  own.accept('good');
  const made = plugin(t, {}, clusterOf(own.server.api.connection));
  const client = await clientOf(t, made);
  for (let round = 0; round < 3; round++) await client.getJson('/api');
  t.is(made.runs().length, 1);
  own.accept('renewed');
  made.answer(credential({token: 'renewed'}));
  t.truthy(await client.getJson('/api'), 'the request that was refused is sent again with new ones');
  t.is(made.runs().length, 2);
  own.accept();
  t.like(await t.throwsAsync(client.getJson('/api'), {instanceOf: StatusError}), {code: 401});
  t.is(made.runs().length, 3, 'a request is sent twice at most');
});

test('a changed certificate closes the connections and begins with a new handshake [B-EXEC-16]', async (t) => {
  const relay = await tcpRelay(t, server().url);
  const made = plugin(t, {}, {...clusterOf(server().api.connection), server: relay.url});
  const first = await certificateOf('first');
  const expires = Date.now() + 2000;
  made.answer(credential({...first, expirationTimestamp: new Date(expires).toISOString()}));
  const client = await clientOf(t, made);
  const maps = await ownMaps(client);
  await maps.create({metadata: {name: 'by-first'}, data: {a: '1'}});
  const watch = maps.watch();
  t.is((await watch.next()).value?.object.metadata?.name, 'by-first');
  const {accepted} = relay;
  const cutOff = t.throwsAsync(watch.next(), {instanceOf: ConnectionError});
  made.answer(credential({...(await certificateOf('second'))}));
  await until('the end of the first certificate', () => Date.now() >= expires);
  await client.getJson('/api');
  await cutOff;
  await until('only the new connection', () => relay.open === 1);
  t.is(relay.accepted, accepted + 1);
  await client.getJson('/api');
  t.is(relay.accepted, accepted + 1, 'an unchanged certificate keeps its connections');
});

test('closing the client ends a plugin that is still running', async (t) => {
  const made = plugin(t);
  writeFileSync(
    join(made.folder, 'plugin'),
    `#!${process.execPath}\nrequire('node:fs').writeFileSync(require('node:path').join(__dirname, 'pid'), String(process.pid));\nsetInterval(() => {}, 1000);\n`,
  );
  const client = await clientOf(t, made);
  const call = client.getJson('/api');
  const pid = join(made.folder, 'pid');
  await until('the plugin runs', () => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
  client.close();
  await t.throwsAsync(call, {message: 'the client is closed'});
  await until('the plugin is gone', () => {
    try {
      process.kill(Number(readFileSync(pid, 'utf8')), 0);
      return false;
    } catch {
      return true;
    }
  });
});
