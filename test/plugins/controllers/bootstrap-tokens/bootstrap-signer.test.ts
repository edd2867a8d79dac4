import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {flattenedVerify} from 'jose';
import {load} from 'js-yaml';
import {verifyClusterInfo} from '@orch-api/orch/client';
import {readServerFile, startTestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {infoOf, infoPath, inMillis, makeToken, putInfo, secretPart, secretPath, signersOf} from './tokens.js';

// Each test has a server of its own: there is one cluster-info.
const storeTest = testOnEachStore();
const controllers = ['*', 'bootstrapsigner'];

storeTest(
  '[B-BOOT-13] [B-BOOT-15] bootstrapsigner signs cluster-info for each token that is for signing: a detached JWS by HS256 of the kubeconfig',
  async (t, {start}) => {
    const {client} = await start({controllers});
    const kubeconfig = 'apiVersion: v1\nkind: Config\n# Käse\n';
    const tokens = [await makeToken(client, 'early1')];
    await putInfo(client, {kubeconfig, other: 'kept', 'jws-kubeconfig-gone01': 'x..y'});
    tokens.push(await makeToken(client, 'later1', {expiration: inMillis(3_600_000)}));
    const signed = () =>
      eventually(
        () => infoOf(client),
        (data) => signersOf(data).join() === 'early1,later1',
      );
    const data = await signed();
    t.is(data['other'], 'kept');
    for (const token of tokens) {
      t.is(verifyClusterInfo(data, token), kubeconfig);
      const [header, payload, signature] = data[`jws-kubeconfig-${token.slice(0, 6)}`]!.split('.') as [string, string, string];
      t.is(payload, '');
      const jws = {protected: header, payload: Buffer.from(kubeconfig).toString('base64url'), signature};
      const {protectedHeader} = await flattenedVerify(jws, Buffer.from(token), {algorithms: ['HS256']});
      t.deepEqual(protectedHeader, {alg: 'HS256', kid: token.slice(0, 6)});
    }
    // A change of what is signed, and of a signature, is signed anew.
    for (const change of [{kubeconfig: 'apiVersion: v1\n'}, {'jws-kubeconfig-early1': 'forged'}, {'jws-kubeconfig-other1': 'a..b'}]) {
      t.is((await client.patch(infoPath, {data: change})).status, 200);
      const again = await eventually(
        () => infoOf(client),
        (found) => {
          try {
            return signersOf(found).length === 2 && tokens.every((token) => verifyClusterInfo(found, token) !== '');
          } catch {
            return false;
          }
        },
      );
      t.is(again['kubeconfig'], 'apiVersion: v1\n');
    }
  },
);

storeTest(
  '[B-BOOT-14] an expired token, or one that is not for signing, does not sign; a signature goes with its token',
  async (t, {start}) => {
    const {client} = await start({controllers});
    await putInfo(client, {kubeconfig: 'text'});
    await makeToken(client, 'past01', {expiration: inMillis(-1000)});
    await makeToken(client, 'past02', {expiration: 'tomorrow'});
    await makeToken(client, 'usage1', {'usage-bootstrap-signing': 'false'});
    await makeToken(client, 'usage2', {'usage-bootstrap-signing': 'True'});
    await makeToken(client, 'typed1', {}, {type: 'Opaque'});
    await makeToken(client, 'place1', {}, {namespace: 'default'});
    await makeToken(client, 'named1', {}, {name: 'bootstrap-token-named2'});
    const end = Date.now() + 2000;
    await makeToken(client, 'ending', {expiration: new Date(end).toISOString()});
    await makeToken(client, 'stopp1');
    await makeToken(client, 'gone01');
    const signers = (wanted: string) =>
      eventually(
        async () => signersOf(await infoOf(client)),
        (ids) => ids.join() === wanted,
      );
    await signers('ending,gone01,stopp1');
    await client.delete(secretPath('gone01'));
    await client.patch(secretPath('stopp1'), {stringData: {'usage-bootstrap-signing': 'no'}});
    await signers('');
    t.true(Date.now() >= end);
    t.is((await client.get(secretPath('ending'))).status, 200);
  },
);

storeTest(
  '[B-BOOT-17] with --cluster-info-server, cluster-info is made with the server and its CA, and is never changed',
  async (t, {start}) => {
    const server = await start({controllers, flags: {'cluster-info-server': 'https://orch.example.com:6443'}});
    const token = await makeToken(server.client, 'joiner');
    const data = await eventually(
      () => infoOf(server.client),
      (found) => signersOf(found).length === 1,
    );
    const config = load(verifyClusterInfo(data, token)) as {kind: string; clusters: {name: string; cluster: Record<string, string>}[]};
    t.is(config.kind, 'Config');
    t.is(config.clusters.length, 1);
    t.deepEqual(config.clusters[0]!.cluster, {
      server: 'https://orch.example.com:6443',
      'certificate-authority-data': Buffer.from(await readServerFile(server, 'pki', 'ca.crt')).toString('base64'),
    });
    t.is((await server.client.patch(infoPath, {data: {kubeconfig: 'by hand'}})).status, 200);
    const changed = await eventually(
      () => infoOf(server.client),
      (found) => found[`jws-kubeconfig-joiner`] !== data['jws-kubeconfig-joiner'],
    );
    t.is(verifyClusterInfo(changed, token), 'by hand');
    t.is((await server.client.delete(infoPath)).status, 200);
    await eventually(
      () => infoOf(server.client),
      (found) => found['kubeconfig'] === data['kubeconfig'] && signersOf(found).length === 1,
    );
  },
);

storeTest('without --cluster-info-server nobody makes cluster-info; one without a kubeconfig is left alone', async (t, {start}) => {
  const {client} = await start({controllers});
  await putInfo(client, {other: 'text'});
  await makeToken(client, 'signs1');
  await client.patch(infoPath, {data: {kubeconfig: 'text'}});
  await eventually(
    async () => signersOf(await infoOf(client)),
    (ids) => ids.length === 1,
  );
  await client.patch(infoPath, {data: {kubeconfig: null}});
  await client.delete(infoPath);
  await putInfo(client, {kubeconfig: 'again'});
  const data = await eventually(
    () => infoOf(client),
    (found) => signersOf(found).length === 1,
  );
  t.is(verifyClusterInfo(data, `signs1.${secretPart}`), 'again');
});

test('a server does not start with settings of cluster-info that cannot work, and says why', async (t) => {
  const file = join(tempFolder(t), 'ca.crt');
  writeFileSync(file, 'no certificate');
  const url = {'cluster-info-server': 'https://orch.example.com'};
  for (const [flags, message] of [
    [{'cluster-info-server': 'http://orch.example.com'}, /--cluster-info-server: "http:\/\/orch.example.com" is not an https URL/],
    [{'cluster-info-server': 'orch.example.com'}, /is not an https URL/],
    [{...url, 'cluster-info-ca-file': file}, /--cluster-info-ca-file: .*ca\.crt contains no PEM certificate/],
  ] as const) {
    const error = await t.throwsAsync(startTestServer({controllers, flags: flags as Record<string, string>}));
    t.regex(`${error.message} ${String((error.cause as Error | undefined)?.message)}`, message);
  }
});
