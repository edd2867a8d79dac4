import 'reflect-metadata';
import {webcrypto} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import test from 'ava';
import {readServerFile, startTestServer, type TestResponse} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const url = '/apis/certificates.orch/v1/certificatesigningrequests';
const signerName = 'example.com/signer';
const algorithms = {
  ecdsa: {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'},
  rsa: {name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048},
};

interface Request {
  metadata: {name: string};
  spec: Record<string, unknown>;
  status: {certificate?: string; conditions?: {type: string; status: string; lastUpdateTime: string; lastTransitionTime: string}[]};
}

const object = (response: TestResponse) => response.json<Request>();
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

async function request(algorithm: keyof typeof algorithms = 'ecdsa'): Promise<string> {
  const parameters = algorithms[algorithm];
  const keys = (await webcrypto.subtle.generateKey(parameters, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await x509.Pkcs10CertificateRequestGenerator.create({name: 'CN=jo', keys, signingAlgorithm: parameters});
  return base64(made.toString('pem'));
}

/** Some certificate. */
async function caCertificate(): Promise<string> {
  await using server = await startTestServer();
  return await readServerFile(server, 'pki', 'ca.crt');
}

async function make(name: string, spec: object = {}): Promise<TestResponse> {
  return client().post(url, {metadata: {name}, spec: {request: await request(), signerName, usages: ['client auth'], ...spec}});
}

async function approved(name: string): Promise<Request> {
  const made = object(await make(name));
  return object(await client().put(`${url}/${name}/approval`, {...made, status: {conditions: [{type: 'Approved', status: 'True'}]}}));
}

test('[A-CSR-1] [A-CSRE-1] requests are cluster-scoped and can be created, read, listed and watched', async (t) => {
  const made = await make('served');
  t.is(made.status, 201);
  t.like(made.json<object>(), {apiVersion: 'certificates.orch/v1', kind: 'CertificateSigningRequest'});
  t.is((await client().get(`${url}/served`)).status, 200);
  const list = (await client().get(`${url}?fieldSelector=metadata.name%3Dserved`)).json<{
    kind: string;
    items: Request[];
    metadata: {resourceVersion: string};
  }>();
  t.is(list.kind, 'CertificateSigningRequestList');
  t.is(list.items.length, 1);
  await client().patch(`${url}/served`, {metadata: {labels: {a: 'b'}}});
  for await (const {type} of client().watch(
    `${url}?watch=true&fieldSelector=metadata.name%3Dserved&resourceVersion=${list.metadata.resourceVersion}`,
  )) {
    t.is(type, 'MODIFIED');
    break;
  }
});

test('[A-CSR-2] the request is a PEM block with a PKCS #10 request that its key has signed', async (t) => {
  for (const algorithm of ['ecdsa', 'rsa'] as const)
    t.is((await make(algorithm, {request: await request(algorithm)})).status, 201, algorithm);
  const pem = Buffer.from(await request(), 'base64').toString('utf8');
  const certificate = await caCertificate();
  const der = Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64');
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  const forged = pem.replace(/(-----\n)[^-]*/, `$1${der.toString('base64')}\n`);
  const bad: Record<string, [text: string, detail: RegExp]> = {
    nothing: ['', /PEM block type must be CERTIFICATE REQUEST/],
    text: ['hello', /PEM block type must be CERTIFICATE REQUEST/],
    certificate: [certificate, /PEM block type must be CERTIFICATE REQUEST/],
    empty: ['-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n', /the request cannot be read/],
    forged: [forged, /the signature of the request is not valid/],
  };
  for (const [name, [text, detail]] of Object.entries(bad)) {
    const causes = causesOf(await make(`bad-${name}`, {request: base64(text)}));
    t.is(causes.length, 1, name);
    t.regex(causes[0]!, detail, name);
    t.true(causes[0]!.startsWith('spec.request: Invalid value'), name);
  }
  t.is((await make('no-base64', {request: '%%%'})).status, 400);
});

test('[A-CSR-3] a signer is named by its domain and a path', async (t) => {
  t.deepEqual(causesOf(await make('none', {signerName: undefined})), ['spec.signerName: Required value']);
  for (const bad of [
    'plain',
    'oneword/path',
    'example.com/',
    'example.com/a/b',
    'Example.com/a',
    'example.com/A',
    `example.com/${'a'.repeat(254)}`,
  ]) {
    t.true(
      faultyFields(await make('bad', {signerName: bad})).every((field) => field === 'spec.signerName'),
      bad,
    );
  }
  t.is((await make('own', {signerName: 'orch/apiserver-client'})).status, 201);
});

test('[B-CERT-14] the legacy signer is refused, under each platform its own', async (t) => {
  const refused = /the legacy signerName is not allowed via this API version/;
  t.regex(causesOf(await make('legacy', {signerName: 'orch/legacy-unknown'}))[0]!, refused);
  await using server = await startTestServer({platform: 'kubernetes'});
  const there = url.replace('orch', 'k8s.io');
  const post = async (name: string) =>
    server.client.post(there, {
      metadata: {generateName: 'x-'},
      spec: {request: await request(), signerName: name, usages: ['client auth']},
    });
  t.regex(causesOf(await post('kubernetes.io/legacy-unknown'))[0]!, refused);
  t.is((await post('kubernetes.io/kube-apiserver-client')).status, 201);
});

test('[A-CSR-4] [A-CSR-5] an expiration is optional and at least 600 seconds', async (t) => {
  t.false('expirationSeconds' in object(await make('unset')).spec);
  t.is(object(await make('least', {expirationSeconds: 600})).spec['expirationSeconds'], 600);
  t.deepEqual(causesOf(await make('short', {expirationSeconds: 599})), [
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
  ]);
});

test('[A-CSR-6] usages are known ones, each once', async (t) => {
  t.deepEqual(causesOf(await make('none', {usages: []})), ['spec.usages: Required value']);
  t.deepEqual(faultyFields(await make('odd', {usages: ['client auth', 'flying', 'client auth']})), ['spec.usages[1]', 'spec.usages[2]']);
  t.deepEqual(object(await make('some', {usages: ['digital signature', 'server auth']})).spec['usages'], [
    'digital signature',
    'server auth',
  ]);
});

test('the server says who asks, and nothing of a request changes later', async (t) => {
  const made = object(await make('asked', {username: 'somebody', uid: 'u', groups: ['x'], extra: {a: ['b']}}));
  t.is(made.spec['username'], 'orch-admin');
  t.false('extra' in made.spec);
  t.true((made.spec['groups'] as string[]).includes('system:masters'));
  const body = {
    ...made,
    spec: {...made.spec, username: 'somebody'},
    metadata: {...made.metadata, labels: {a: 'b'}},
    status: {certificate: base64('x')},
  };
  const changed = await client().put(`${url}/asked`, body);
  t.is(changed.status, 200);
  t.like(object(changed), {spec: made.spec, status: {}, metadata: {labels: {a: 'b'}}});
  t.false('certificate' in object(changed).status);
});

test('[A-CSRE-2] [A-CSRST-1] the approval subresource approves a request, and only conditions go through it', async (t) => {
  const made = object(await make('approved'));
  const body = {
    ...made,
    spec: {},
    status: {certificate: base64('x'), conditions: [{type: 'Approved', status: 'True', reason: 'Fine', message: 'go on'}]},
  };
  const response = await client().put(`${url}/approved/approval`, body);
  t.is(response.status, 200);
  const {spec, status} = object(response);
  t.deepEqual(spec, made.spec);
  t.false('certificate' in status);
  t.like(status.conditions?.[0], {type: 'Approved', status: 'True', reason: 'Fine'});
  t.truthy(status.conditions?.[0]?.lastUpdateTime);
  t.is(status.conditions?.[0]?.lastTransitionTime, status.conditions?.[0]?.lastUpdateTime);
  t.is((await client().get(`${url}/approved/approval`)).status, 200);
  t.like((await tableRows(client(), `${url}/approved`))[0], {
    SignerName: signerName,
    Requestor: 'orch-admin',
    RequestedDuration: '<none>',
    Condition: 'Approved',
  });
});

test('[A-CSRST-2] the approval subresource denies a request, not both', async (t) => {
  const made = object(await make('denied'));
  const put = (...types: string[]) =>
    client().put(`${url}/denied/approval`, {...made, status: {conditions: types.map((type) => ({type, status: 'True'}))}});
  t.deepEqual(faultyFields(await put('Approved', 'Denied')), ['status.conditions[1].type']);
  t.is((await put('Denied')).status, 200);
  t.like((await tableRows(client(), `${url}/denied`))[0], {Condition: 'Denied'});
});

test('a decision is final', async (t) => {
  const {metadata: _metadata, ...decided} = await approved('final');
  const body = (status: object) => ({...decided, metadata: {name: 'final'}, status});
  t.deepEqual(causesOf(await client().put(`${url}/final/approval`, body({}))), [
    'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
  ]);
  t.deepEqual(causesOf(await client().put(`${url}/final/status`, body({}))), [
    'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
  ]);
  const denied = body({conditions: [...decided.status.conditions!, {type: 'Denied', status: 'True'}]});
  t.true(
    causesOf(await client().put(`${url}/final/status`, denied)).includes(
      'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
    ),
  );
  const edited = body({conditions: [{type: 'Approved', status: 'True', reason: 'Edited'}]});
  const status = object(await client().put(`${url}/final/status`, edited)).status;
  t.deepEqual(status.conditions, decided.status.conditions);
});

test('conditions have types and statuses that they can have', async (t) => {
  const made = object(await make('conditions'));
  const conditions = [{status: 'True'}, {type: 'Failed', status: 'False'}, {type: 'Seen'}, {type: 'Seen', status: 'Perhaps'}];
  t.deepEqual(faultyFields(await client().put(`${url}/conditions/status`, {...made, status: {conditions}})), [
    'status.conditions[0].type',
    'status.conditions[1].status',
    'status.conditions[2].status',
    'status.conditions[3].status',
    'status.conditions[3].type',
  ]);
  t.is((await client().put(`${url}/conditions/status`, {...made, status: {conditions: [{type: 'Failed', status: 'True'}]}})).status, 200);
  t.like((await tableRows(client(), `${url}/conditions`))[0], {Condition: 'Pending,Failed'});
});

test('[A-CSRE-3] [A-CSR-7] [A-CSR-8] the status takes certificates, once', async (t) => {
  const request = await approved('signed');
  t.false('certificate' in request.status);
  const certificate = await caCertificate();
  const put = (text: string) =>
    client().put(`${url}/signed/status`, {...request, metadata: {name: 'signed'}, status: {...request.status, certificate: base64(text)}});
  const bad: [text: string, detail: RegExp][] = [
    ['hello', /must contain at least one CERTIFICATE PEM block/],
    [certificate.replaceAll('CERTIFICATE', 'PUBLIC KEY'), /only CERTIFICATE PEM blocks are allowed, found "PUBLIC KEY"/],
    [certificate.replace('-----\n', '-----\nName: value\n\n'), /no PEM block headers are permitted/],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /holds no certificate/],
  ];
  for (const [text, detail] of bad) t.regex(causesOf(await put(text))[0]!, detail);
  const chain = certificate + certificate;
  t.is((await put(chain)).status, 200);
  t.is(object(await client().get(`${url}/signed`)).status.certificate, base64(chain));
  t.deepEqual(causesOf(await put(certificate)), ['status.certificate: Forbidden: updates may not modify existing certificate content']);
  t.like((await tableRows(client(), `${url}/signed`))[0], {Condition: 'Approved,Issued'});
});

test('requests are selected by their signer', async (t) => {
  await make('selected', {signerName: 'select.example/one'});
  const {items} = (await client().get(`${url}?fieldSelector=spec.signerName%3Dselect.example/one`)).json<{items: Request[]}>();
  t.deepEqual(
    items.map(({metadata}) => metadata.name),
    ['selected'],
  );
});

test('whoever applies another spec owns nothing of it, and changes nothing', async (t) => {
  const {spec} = object(await make('applied'));
  const body = {apiVersion: 'certificates.orch/v1', kind: 'CertificateSigningRequest', metadata: {name: 'applied', labels: {a: 'b'}}};
  const answer = await client().patch(
    `${url}/applied?fieldManager=a`,
    {...body, spec: {request: 'AAAA', signerName, usages: ['server auth']}},
    'application/apply-patch+yaml',
  );
  t.is(answer.status, 200, answer.body.toString());
  t.deepEqual(object(answer).spec, spec);
  const {managedFields} = answer.json<{metadata: {managedFields: {manager: string; fieldsV1: object}[]}}>().metadata;
  t.deepEqual(managedFields.find(({manager}) => manager === 'a')?.fieldsV1, {'f:metadata': {'f:labels': {'f:a': {}}}});
});
