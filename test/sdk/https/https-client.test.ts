import test, {type ExecutionContext} from 'ava';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {AgentPool, HttpsClient, placeOf, type VerifiedRequest} from '../../../sdk/https/index.js';
import {WebhookError} from '../../../sdk/index.js';
import {leafWithoutKeyIdentifier, makeAuthority, type KeyedCertificate, type LeafOptions} from '../../helpers/test-certificates.js';
import {answer, webhookService, type WebhookHandler} from '../../helpers/webhook-service.js';

/** A client and a service whose certificate it trusts. */
async function started(t: ExecutionContext, handle: WebhookHandler) {
  const service = await webhookService(t, handle);
  const client = new HttpsClient();
  t.teardown(() => client.close());
  const request = (change: Partial<VerifiedRequest> = {}): VerifiedRequest => ({
    ...placeOf(service.url),
    headers: {},
    maximumBytes: 1000,
    signal: AbortSignal.timeout(10_000),
    tls: {caBundle: service.ca},
    ...change,
  });
  return {service, client, request};
}

/** The code and message that a call fails with. */
async function failure(call: Promise<unknown>): Promise<[code: string, message: string]> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return WebhookError.is(error) ? [error.code, error.message] : ['no WebhookError', String(error)];
}

test('a body is sent by POST, no body by GET, and the answer is the JSON object', async (t) => {
  const seen: string[] = [];
  const {client, request} = await started(t, (body, response, {method, url}) => {
    seen.push(`${method} ${url} ${body}`);
    answer(response, {ok: true});
  });
  t.deepEqual(await client.send(request({path: '/a?b=c', body: Buffer.from('{"x":1}')})), {ok: true});
  t.deepEqual(await client.send(request({path: '/'})), {ok: true});
  t.deepEqual(seen, ['POST /a?b=c {"x":1}', 'GET / ']);
});

test('calls with the same TLS settings share a connection, others do not', async (t) => {
  const {service, client, request} = await started(t, (_body, response) => answer(response, {}));
  for (let count = 0; count < 3; count += 1) await client.send(request());
  t.is(service.connections.made, 1);
  await client.send(request({tls: {caBundle: service.ca, serverName: 'localhost'}}));
  t.is(service.connections.made, 2);
});

test('servers with other names share the TLS context of the same certificates; with other certificates they do not', async (t) => {
  const [one, other] = [await makeAuthority(), await makeAuthority()];
  const pool = new AgentPool(1);
  t.teardown(() => pool.close());
  const agentOf = (serverName: string, caBundle: string) => pool.agentFor({serverName, caBundle});
  const contextOf = ({options}: ReturnType<typeof agentOf>) => (options as {secureContext?: object}).secureContext;
  const agents = Array.from({length: 150}, (_, number) => agentOf(`s${number}.default.svc`, one.certificate));
  t.is(new Set(agents).size, 150);
  t.is(new Set(agents.map(contextOf)).size, 1);
  t.not(contextOf(agentOf('s1.default.svc', other.certificate)), contextOf(agents[0]!));
});

test('a service whose certificate no trusted authority has signed gets no request', async (t) => {
  const {service, client, request} = await started(t, (_body, response) => answer(response, {}));
  const {certificate} = await makeAuthority('other');
  t.is((await failure(client.send(request({tls: {caBundle: certificate}}))))[0], 'Untrusted');
  t.is((await failure(client.send(request({tls: {caBundle: service.ca, serverName: 'other.example'}}))))[0], 'Untrusted');
  t.deepEqual(service.requests, []);
});

test('a certificate whose authority has the same name is verified with that authority, as clients in Go do', async (t) => {
  const [authority, stranger] = [await makeAuthority('namesake'), await makeAuthority('namesake')];
  const reply: WebhookHandler = (_body, response) => answer(response, {ok: true});
  const serve = async (signer: KeyedCertificate, change: Partial<LeafOptions> = {}) =>
    webhookService(t, reply, await leafWithoutKeyIdentifier(signer, 'namesake', change));
  const services = [await serve(authority), await serve(authority)];
  const refused = [
    await serve(stranger),
    await serve(authority, {validUntil: Date.now() - 1000}),
    await serve(authority, {names: ['elsewhere.example']}),
    await serve(authority, {usage: 'client'}),
  ];
  const client = new HttpsClient();
  t.teardown(() => client.close());
  const call = ({url}: {url: string}, caBundle = authority.certificate) =>
    client.send({
      ...placeOf(url),
      headers: {},
      maximumBytes: 1000,
      signal: AbortSignal.timeout(10_000),
      tls: {caBundle, serverName: 'localhost'},
    });
  for (const service of [...services, ...services]) t.deepEqual(await call(service), {ok: true});
  for (const [number, service] of refused.entries()) t.is((await failure(call(service)))[0], 'Untrusted', String(number));
  t.is((await failure(call(services[0]!, stranger.certificate)))[0], 'Untrusted');
  t.deepEqual(
    [...services, ...refused].map(({requests}) => requests.length),
    [2, 2, 0, 0, 0, 0],
  );
});

/** What makes OpenSSL take a certificate without basic constraints for one of an authority: version 1, or the right to sign certificates. */
const signingLeaves: readonly (readonly [name: string, extensions: string])[] = [
  ['of version 1', ''],
  ['that may sign certificates', 'subjectKeyIdentifier=none\nauthorityKeyIdentifier=none\nkeyUsage=digitalSignature,keyCertSign\n'],
  ['with the older sign of an authority', 'subjectKeyIdentifier=none\nauthorityKeyIdentifier=none\nnsCertType=server,sslCA\n'],
];

for (const [name, extensions] of signingLeaves) {
  test(`a certificate ${name} whose authority has the same name cannot vouch for other certificates`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-namesake-'));
    t.teardown(() => rmSync(folder, {recursive: true, force: true}));
    const pathOf = (file: string) => join(folder, file);
    const textOf = (file: string) => readFileSync(pathOf(file), 'utf8');
    const openssl = (...args: string[]) => execFileSync('openssl', args, {cwd: folder, stdio: 'pipe'});
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout'];
    const ofAuthority = ['-subj', '/CN=namesake', '-days', '2', '-addext', 'basicConstraints=critical,CA:true'];
    openssl('req', '-x509', ...newKey, 'authority.key', '-out', 'authority.pem', ...ofAuthority);
    const sign = (subject: string, issuer: string, serial: string, text: string) => {
      openssl('req', ...newKey, `${subject}.key`, '-out', 'request', '-subj', `/CN=${subject}`);
      writeFileSync(pathOf('extensions'), text);
      const ofIssuer = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-set_serial', serial, '-days', '1'];
      const extended = text === '' ? [] : ['-extfile', 'extensions'];
      openssl('x509', '-req', '-in', 'request', '-out', `${subject}.pem`, ...ofIssuer, ...extended);
      return {cert: textOf(`${subject}.pem`), key: textOf(`${subject}.key`)};
    };
    const leaf = sign('namesake', 'authority', '5', extensions);
    // It says which of the two certificates of that name has signed it.
    const forged = sign('forged', 'namesake', '6', 'subjectAltName=DNS:localhost\nauthorityKeyIdentifier=issuer:always\n');
    const reply: WebhookHandler = (_body, response) => answer(response, {ok: true});
    const services = [await webhookService(t, reply, leaf), await webhookService(t, reply, {...forged, cert: forged.cert + leaf.cert})];
    const client = new HttpsClient();
    t.teardown(() => client.close());
    for (const {url} of services) {
      const tls = {caBundle: textOf('authority.pem'), serverName: 'localhost'};
      const sent = client.send({...placeOf(url), headers: {}, maximumBytes: 1000, signal: AbortSignal.timeout(10_000), tls});
      t.is((await failure(sent))[0], 'Untrusted');
    }
    t.deepEqual(
      services.map(({requests}) => requests.length),
      [0, 0],
    );
  });
}

test('answers that are not a JSON object of bounded size and depth are refused', async (t) => {
  const answers: Readonly<Record<string, string | Buffer>> = {
    '/empty': '',
    '/text': 'no',
    '/list': '[]',
    '/bytes': Buffer.from([0x22, 0xff, 0x22]),
    '/large': JSON.stringify({text: 'x'.repeat(1000)}),
    '/deep': `{"a":${'['.repeat(1000)}`,
  };
  const {client, request} = await started(t, (_body, response, {url = ''}) => void response.end(answers[url]));
  const failures = Object.keys(answers).map((path) => failure(client.send(request({path, maximumBytes: path === '/deep' ? 2000 : 1000}))));
  t.deepEqual(await Promise.all(failures), [
    ['BadAnswer', 'the answer is empty'],
    ['BadAnswer', 'the answer is not JSON'],
    ['BadAnswer', 'the answer is not a JSON object'],
    ['BadAnswer', 'the answer is not valid UTF-8'],
    ['BadAnswer', 'the answer is larger than 1000 bytes'],
    ['BadAnswer', 'the answer is nested deeper than 1000 levels'],
  ]);
});

test('a status outside 200 to 299 is a refusal, redirects too; `statusCode` leaves a single one', async (t) => {
  const {client, request} = await started(t, (_body, response, {url = ''}) => {
    response.writeHead(Number(url.slice(1)), {location: '/200'});
    response.end('{}');
  });
  const send = (status: number, change = {}) => failure(client.send(request({path: `/${status}`, ...change})));
  t.deepEqual(await client.send(request({path: '/299'})), {});
  for (const status of [302, 400, 500]) t.deepEqual(await send(status), ['Refused', `the service answers with status ${status}`]);
  t.deepEqual(await send(201, {statusCode: 200}), ['Refused', 'the service answers with status 201']);
});

test('deliver looks at nothing but the status', async (t) => {
  const {client, request} = await started(t, (_body, response, {url = ''}) => {
    response.writeHead(Number(url.slice(1)));
    response.end('no JSON');
  });
  const body = Buffer.from('{}');
  await client.deliver(request({path: '/202', body}));
  t.deepEqual(await failure(client.deliver(request({path: '/404', body}))), ['Refused', 'the service answers with status 404']);
});

test('an aborted call rejects with the reason of its signal', async (t) => {
  const controller = new AbortController();
  const reason = new Error('enough');
  // The service never answers.
  const {client, request} = await started(t, () => controller.abort(reason));
  t.is(await t.throwsAsync(client.send(request({signal: controller.signal}))), reason);
  t.is(await t.throwsAsync(client.send(request({signal: controller.signal}))), reason);
});

test('a service that is not there is unreachable', async (t) => {
  const {service, client, request} = await started(t, (_body, response) => answer(response, {}));
  await service.stop();
  t.is((await failure(client.send(request())))[0], 'Unreachable');
});

test('a closed client still makes calls, but keeps no connection open', async (t) => {
  const {service, client, request} = await started(t, (_body, response) => answer(response, {}));
  await client.send(request());
  client.close();
  await client.send(request());
  await client.send(request());
  t.is(service.connections.made, 3);
});

test('a URL is taken apart for a call', (t) => {
  t.deepEqual(placeOf('https://example.com'), {host: 'example.com', port: 443, path: '/'});
  t.deepEqual(placeOf('https://[::1]:6443/a/b?c=d'), {host: '::1', port: 6443, path: '/a/b?c=d'});
});
