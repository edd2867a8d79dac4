import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {httpsClient, type HttpsClient} from '../../helpers/https-client.js';
import {eventually} from '../../helpers/eventually.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../helpers/test-certificates.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {userClient} from '../../helpers/user-client.js';
import {whoAmI, whoAmIServed} from './identity.js';

const headers = {
  'X-Remote-User': 'jane',
  'X-Remote-Group': ['team', 'ops'],
  'X-Remote-Extra-Scopes': 'read',
  'x-remote-extra-Acme%2FProject': ['a', 'b'],
};

interface Setup {
  readonly server: TestServer;
  readonly file: string;
  readonly authority: KeyedCertificate;
  readonly client: (leaf?: KeyedCertificate) => Promise<HttpsClient>;
}

async function setUp(t: ExecutionContext, more: Record<string, unknown> = {}): Promise<Setup> {
  const authority = await makeAuthority('proxy-ca');
  const file = join(tempFolder(t), 'ca.crt');
  writeFileSync(file, authority.certificate);
  const flags = {
    'requestheader-username-headers': ['X-Remote-User', 'X-Other-User'],
    'requestheader-group-headers': ['X-Remote-Group'],
    'requestheader-extra-headers-prefix': ['X-Remote-Extra-'],
    'requestheader-client-ca-file': file,
    'anonymous-auth': false,
    ...more,
  };
  const server = await startTestServer({...whoAmIServed, flags: JSON.parse(JSON.stringify(flags)) as Record<string, unknown>});
  t.teardown(() => server.stop());
  const ca = await readServerFile(server, 'pki', 'ca.crt');
  return {
    server,
    file,
    authority,
    client: async (leaf) => httpsClient(t, {url: server.url, ca, ...(leaf ? {cert: leaf.certificate, key: leaf.key} : {})}),
  };
}

test('[B-PROXY-2] [B-PROXY-3] [B-PROXY-4] [B-PROXY-5] [B-PROXY-6] [B-PROXY-10] headers of a proxy with a trusted certificate give user, groups and extra fields', async (t) => {
  const {authority, client} = await setUp(t);
  const proxy = await client(await makeLeaf(authority, 'client', 'any-proxy'));
  const groups = ['team', 'ops', 'system:authenticated'];
  t.deepEqual(await whoAmI(proxy, headers), {username: 'jane', groups, extra: {scopes: ['read'], 'acme/project': ['a', 'b']}});
  t.deepEqual(await whoAmI(proxy, {'x-remote-user': '', 'X-OTHER-USER': 'second'}), {username: 'second', groups: ['system:authenticated']});
  t.deepEqual(await whoAmI(proxy, {'x-remote-user': 'first', 'x-other-user': 'second'}), {
    username: 'first',
    groups: ['system:authenticated'],
  });
  t.is(await whoAmI(proxy), 401);
});

test('[B-PROXY-7] [B-PROXY-8] without a certificate of the proxy CA headers are ignored, whatever other certificate there is', async (t) => {
  const {server, client} = await setUp(t);
  t.is(await whoAmI(await client(), headers), 401);
  t.is(await whoAmI(await client(await makeLeaf(await makeAuthority('proxy-ca'), 'client', 'any-proxy')), headers), 401);
  t.deepEqual(await whoAmI(await userClient(t, server, 'known', ['staff']), headers), {
    username: 'known',
    groups: ['staff', 'system:authenticated'],
  });
});

test('a certificate of the proxy CA that is not made for clients does not allow identity headers', async (t) => {
  const {authority, client} = await setUp(t);
  t.is(await whoAmI(await client(await makeLeaf(authority, 'server', 'any-proxy')), headers), 401);
});

test('[B-PROXY-9] with --requestheader-allowed-names only those common names may speak for others', async (t) => {
  const {authority, client} = await setUp(t, {'requestheader-allowed-names': ['front', 'back']});
  t.is(await whoAmI(await client(await makeLeaf(authority, 'client', 'side')), headers), 401);
  const user = await whoAmI(await client(await makeLeaf(authority, 'client', 'back')), headers);
  t.is(typeof user === 'object' ? user.username : user, 'jane');
});

test('[B-PROXY-1] one of the flags for header and CA alone stops the start in words; without both identity headers have no effect', async (t) => {
  const [header, file] = ['requestheader-username-headers', 'requestheader-client-ca-file'];
  for (const missing of [header, file]) {
    await t.throwsAsync(setUp(t, {[missing]: undefined}), {
      message: /--requestheader-client-ca-file and --requestheader-username-headers must be given together/,
    });
  }
  const {authority, client} = await setUp(t, {[header]: undefined, [file]: undefined});
  t.is(await whoAmI(await client(await makeLeaf(authority, 'client', 'any-proxy')), headers), 401);
});

test('when the file with the CAs of proxies is replaced, only the new ones are trusted, on open connections too; a file that is none changes nothing', async (t) => {
  const {file, authority, client} = await setUp(t);
  const next = await makeAuthority('next-proxy-ca');
  const former = await client(await makeLeaf(authority, 'client', 'any-proxy'));
  const later = await client(await makeLeaf(next, 'client', 'any-proxy'));
  const nameOf = (user: Awaited<ReturnType<typeof whoAmI>>) => (typeof user === 'object' ? user.username : user);
  t.is(nameOf(await whoAmI(former, headers)), 'jane');
  t.is(nameOf(await whoAmI(later, headers)), 401);
  writeFileSync(file, 'no certificate');
  await delay(1_100);
  t.is(nameOf(await whoAmI(former, headers)), 'jane');
  writeFileSync(file, next.certificate);
  await eventually(
    async () => nameOf(await whoAmI(later, headers)),
    (name) => name === 'jane',
  );
  t.is(nameOf(await whoAmI(former, headers)), 401);
});
