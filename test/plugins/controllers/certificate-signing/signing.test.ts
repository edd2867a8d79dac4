import 'reflect-metadata';
import {createPublicKey} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import {readServerFile} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {httpsClient} from '../../../helpers/https-client.js';
import {eventually} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {
  certificateOf,
  conditionTypes,
  decide,
  detailsOf,
  keyedRequest,
  makeRequest,
  nodeSubject,
  nodeUsages,
  pemOf,
  readRequest,
  requestsPath,
  servingUsages,
  settled,
} from './requests.js';

const {logger, lines} = recordingLogger();
const storeTest = testOnEachStore({logger});
const year = 365 * 24 * 3_600_000;

const clientSigner = 'orch/apiserver-client';
const nodeSigner = 'orch/apiserver-client-nodeagent';
const servingSigner = 'orch/nodeagent-serving';
const lasts = (certificate: {validFrom: string; validTo: string}) => Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);

storeTest(
  '[A-CSRST-6] [B-CERT-1] [B-CERT-3] [B-CERT-15] [B-CERT-17] an approved request gets a certificate for its key, subject and names, for a year and never of a CA',
  async (t, {client, namespace, server}) => {
    for (const algorithm of ['ecdsa', 'rsa'] as const) {
      const name = `${namespace}-${algorithm}`;
      const subject: x509.JsonName = [{C: ['DE']}, {O: ['painters', 'singers']}, {OU: ['Ä']}, {CN: ['jo']}];
      const names = [
        {type: 'dns' as const, value: 'jo.example.com'},
        {type: 'ip' as const, value: '10.0.0.1'},
        {type: 'email' as const, value: 'jo@example.com'},
        {type: 'url' as const, value: 'https://jo.example.com'},
      ];
      const extensions = [
        new x509.BasicConstraintsExtension(true, 3, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.codeSigning]),
      ];
      const {request, key} = await keyedRequest(subject, names, {algorithm, extensions});
      await makeRequest(client, name, {request, signerName: clientSigner, usages: ['client auth', 'digital signature']});
      await decide(client, name, 'Approved');
      const signed = await settled(client, name);
      t.deepEqual(conditionTypes(signed), ['Approved']);
      const certificate = certificateOf(signed);
      t.deepEqual(certificate.publicKey.export({type: 'spki', format: 'der'}), createPublicKey(key).export({type: 'spki', format: 'der'}));
      t.is(certificate.subject, 'C=DE\nO=painters + O=singers\nOU=Ä\nCN=jo');
      t.is(certificate.subjectAltName, 'DNS:jo.example.com, IP Address:10.0.0.1, email:jo@example.com, URI:https://jo.example.com');
      t.false(certificate.ca);
      t.is(lasts(certificate), year);
      t.true(Date.parse(certificate.validFrom) <= Date.now() - 4 * 60_000);
      const details = detailsOf(signed);
      t.false(details.getExtension(x509.BasicConstraintsExtension)!.ca);
      t.is(details.getExtension(x509.KeyUsagesExtension)!.usages, x509.KeyUsageFlags.digitalSignature);
      t.deepEqual([...details.getExtension(x509.ExtendedKeyUsageExtension)!.usages], [x509.ExtendedKeyUsage.clientAuth]);
      const ca = await readServerFile(server, 'pki', 'ca.crt');
      t.true(await details.verify({publicKey: await new x509.X509Certificate(ca).publicKey.export()}));
    }
  },
);

storeTest('a certificate that was asked for and approved logs its holder in', async (t, {client, namespace, server}) => {
  const {request, key} = await keyedRequest([{O: ['painters']}, {CN: [`${namespace}-jo`]}]);
  await makeRequest(client, namespace, {request, signerName: clientSigner, usages: ['client auth'], expirationSeconds: 600});
  await decide(client, namespace, 'Approved');
  const ca = await readServerFile(server, 'pki', 'ca.crt');
  const holder = httpsClient(t, {url: server.url, ca, key, cert: pemOf(await settled(client, namespace))});
  const answer = await holder.get('/api/v1/nodes');
  t.is(answer.status, 403);
  t.true(answer.text.includes(`${namespace}-jo`), answer.text);
  const review = {
    apiVersion: 'authorization.orch/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {nonResourceAttributes: {path: '/api', verb: 'get'}},
  };
  t.is((await holder.post('/apis/authorization.orch/v1/selfsubjectaccessreviews', review)).status, 201);
});

storeTest(
  '[A-CSRST-3] [A-CSRST-4] [B-CERT-2] [B-CERT-10] nothing is signed, or approved automatically, that is pending or denied',
  async (t, {client, namespace}) => {
    const {request} = await keyedRequest([{CN: ['jo']}]);
    const serving = await keyedRequest(nodeSubject, [{type: 'dns', value: 'n1'}]);
    await makeRequest(client, `${namespace}-pending`, {request, signerName: clientSigner, usages: ['client auth']});
    await makeRequest(client, `${namespace}-serving`, {request: serving.request, signerName: servingSigner, usages: servingUsages});
    await makeRequest(client, `${namespace}-denied`, {request, signerName: clientSigner, usages: ['client auth']});
    await decide(client, `${namespace}-denied`, 'Denied');
    // What came later is signed: the earlier ones have been looked at.
    await makeRequest(client, `${namespace}-later`, {request, signerName: clientSigner, usages: ['client auth']});
    await decide(client, `${namespace}-later`, 'Approved');
    t.truthy((await settled(client, `${namespace}-later`)).status?.certificate);
    for (const [name, conditions] of [
      ['pending', []],
      ['serving', []],
      ['denied', ['Denied']],
    ] as const) {
      const left = await readRequest(client, `${namespace}-${name}`);
      t.deepEqual(conditionTypes(left), [...conditions], name);
      t.is(left.status?.certificate, undefined, name);
    }
  },
);

const dns = {type: 'dns' as const, value: 'n1'};
const refused: [claim: string, title: string, cases: [string, x509.JsonName, x509.JsonGeneralNames, string[], RegExp][]][] = [
  [
    '[B-CERT-4] [B-CERT-5]',
    'the signer apiserver-client signs for client auth and nothing beyond signature and encipherment',
    [
      [clientSigner, [{CN: ['jo']}], [], ['digital signature'], /^missing required usage for client certificate: client auth$/],
      [clientSigner, [{CN: ['jo']}], [], ['client auth', 'server auth'], /^invalid usage for client certificate: server auth$/],
      [clientSigner, [{CN: ['jo']}], [], ['client auth', 'cert sign'], /^invalid usage for client certificate: cert sign$/],
    ],
  ],
  [
    '[B-CERT-7] [B-CERT-8] [B-CERT-9]',
    'the signer apiserver-client-nodeagent wants the subject of a node, its usages and no names',
    [
      [nodeSigner, [{CN: ['system:node:n1']}], [], nodeUsages, /organization is not system:nodes/],
      [nodeSigner, [{O: ['system:nodes', 'system:masters']}, {CN: ['system:node:n1']}], [], nodeUsages, /organization is not system:nodes/],
      [nodeSigner, [{O: ['system:nodes']}, {CN: ['jo']}], [], nodeUsages, /common name does not begin with system:node:/],
      [nodeSigner, [{CN: ['system:node:n1']}, {O: ['system:nodes']}, {CN: ['jo']}], [], nodeUsages, /common name does not begin/],
      [nodeSigner, nodeSubject, [], ['digital signature'], /^usages did not match \[client auth digital signature key encipherment\]$/],
      [nodeSigner, nodeSubject, [], [...nodeUsages, 'server auth'], /usages did not match/],
      [nodeSigner, nodeSubject, [], ['client auth', 'digital signature', 'server auth'], /usages did not match/],
      [nodeSigner, nodeSubject, [dns], nodeUsages, /^DNS subjectAltNames are not allowed$/],
      [nodeSigner, nodeSubject, [{type: 'ip', value: '10.0.0.1'}], nodeUsages, /^IP subjectAltNames are not allowed$/],
      [nodeSigner, nodeSubject, [{type: 'dn', value: 'CN=jo'}], nodeUsages, /subjectAltNames of the kind dn are not allowed/],
    ],
  ],
  [
    '[B-CERT-11] [B-CERT-12] [B-CERT-13]',
    'the signer nodeagent-serving wants the subject of a node, its usages and names of the kinds DNS and IP',
    [
      [servingSigner, [{CN: ['system:node:n1']}], [dns], servingUsages, /organization is not system:nodes/],
      [servingSigner, [{O: ['system:nodes']}, {CN: ['jo']}], [dns], servingUsages, /common name does not begin with system:node:/],
      [servingSigner, nodeSubject, [dns], ['server auth'], /^usages did not match \[digital signature key encipherment server auth\]$/],
      [servingSigner, nodeSubject, [dns], [...servingUsages, 'client auth'], /usages did not match/],
      [servingSigner, nodeSubject, [], servingUsages, /DNS or IP subjectAltName is required/],
      [servingSigner, nodeSubject, [dns, {type: 'email', value: 'a@b.c'}], servingUsages, /^Email subjectAltNames are not allowed$/],
      [servingSigner, nodeSubject, [dns, {type: 'url', value: 'https://a'}], servingUsages, /^URI subjectAltNames are not allowed$/],
    ],
  ],
];

for (const [claim, title, cases] of refused) {
  storeTest(
    `[A-CSRST-7] [B-CERT-16] ${claim} ${title}; what else is approved fails, and the log says why`,
    async (t, {client, namespace}) => {
      for (const [index, [signerName, subject, names, usages, message]] of cases.entries()) {
        const name = `${namespace}-${index}`;
        await makeRequest(client, name, {request: (await keyedRequest(subject, names)).request, signerName, usages});
        await decide(client, name, 'Approved');
        const failed = await settled(client, name);
        t.is(failed.status?.certificate, undefined, name);
        const condition = failed.status?.conditions?.find(({type}) => type === 'Failed');
        t.like(condition, {status: 'True', reason: 'SignerValidationFailure'});
        t.regex(condition!.message!, message);
        const told = await eventually(
          async () => lines.filter(({level, fields}) => level === 'warn' && fields['request'] === name),
          ({length}) => length > 0,
        );
        t.is(told.length, 1, name);
        t.regex(String(told[0]!.fields['reason']), message);
      }
    },
  );
}

storeTest('the signer nodeagent-serving signs what meets its conditions', async (t, {client, namespace}) => {
  const {request} = await keyedRequest(nodeSubject, [dns, {type: 'ip', value: '2001:db8::1'}]);
  await makeRequest(client, namespace, {request, signerName: servingSigner, usages: servingUsages});
  await decide(client, namespace, 'Approved');
  const signed = await settled(client, namespace);
  t.is(certificateOf(signed).subjectAltName, 'DNS:n1, IP Address:2001:DB8:0:0:0:0:0:1');
  t.deepEqual([...detailsOf(signed).getExtension(x509.ExtendedKeyUsageExtension)!.usages], [x509.ExtendedKeyUsage.serverAuth]);
});

storeTest('certificates of nodes whose keys are not RSA need no key encipherment, and do not get it', async (t, {client, namespace}) => {
  for (const [name, signerName, names, purpose] of [
    ['client', nodeSigner, [], 'client auth'],
    ['serving', servingSigner, [dns], 'server auth'],
  ] as const) {
    const {request} = await keyedRequest(nodeSubject, [...names]);
    await makeRequest(client, `${namespace}-${name}`, {request, signerName, usages: ['digital signature', purpose]});
    // The administrator may ask for certificates of nodes: that for clients is approved already.
    if (name === 'serving') await decide(client, `${namespace}-${name}`, 'Approved');
    const signed = await settled(client, `${namespace}-${name}`);
    t.is(detailsOf(signed).getExtension(x509.KeyUsagesExtension)?.usages, x509.KeyUsageFlags.digitalSignature, name);
  }
});

storeTest('requests for signers of others are left alone', async (t, {client, namespace}) => {
  const {request} = await keyedRequest([{CN: ['jo']}]);
  await makeRequest(client, namespace, {request, signerName: 'example.com/own', usages: ['code signing']});
  await decide(client, namespace, 'Approved');
  await makeRequest(client, `${namespace}-later`, {request, signerName: clientSigner, usages: ['client auth']});
  await decide(client, `${namespace}-later`, 'Approved');
  await settled(client, `${namespace}-later`);
  t.deepEqual(conditionTypes(await readRequest(client, namespace)), ['Approved']);
});

storeTest('[B-CERT-18] expirationSeconds shortens the life of a certificate and does not lengthen it', async (t, context) => {
  const {client, namespace, start} = context;
  const lifeOf = async (on: typeof client, name: string, expirationSeconds?: number) => {
    const {request} = await keyedRequest([{CN: ['jo']}]);
    const spec = {request, signerName: clientSigner, usages: ['client auth']};
    await makeRequest(on, name, {...spec, ...(expirationSeconds ? {expirationSeconds} : {})});
    await decide(on, name, 'Approved');
    return lasts(certificateOf(await settled(on, name)));
  };
  const fiveMinutes = 300_000;
  t.is(await lifeOf(client, `${namespace}-short`, 600), 600_000 + fiveMinutes, 'begins five minutes ago');
  t.is(await lifeOf(client, `${namespace}-day`, 86_400), 86_400_000);
  t.is(await lifeOf(client, `${namespace}-long`, 2 * 366 * 86_400), year);
  const own = await start({flags: {'cluster-signing-duration': '48h'}});
  t.is(await lifeOf(own.client, 'absent'), 48 * 3_600_000);
  t.is(await lifeOf(own.client, 'longer', 72 * 3600), 48 * 3_600_000);
  t.is(await lifeOf(own.client, 'shorter', 24 * 3600), 24 * 3_600_000);
  t.is((await own.client.get(requestsPath)).status, 200);
});
