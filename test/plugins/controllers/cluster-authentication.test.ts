import test from 'ava';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {makeAuthority} from '../../helpers/test-certificates.js';
import {startTwoServers} from '../../helpers/two-servers.js';

const url = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const options = {platform: 'kubernetes', controllers: ['*', 'cluster-authentication']} as const;
const dataOf = async ({client}: TestServer) => (await client.get(url)).json<{data?: Record<string, string>}>().data;
const until = (server: TestServer, isWanted: (data: Record<string, string>) => boolean) =>
  eventually(
    () => dataOf(server),
    (data) => data !== undefined && isWanted(data),
  );

test('the system namespace says whose client certificates and which proxies the server trusts, also after its files have changed', async (t) => {
  const folder = tempFolder(t);
  const [first, second, proxies] = await Promise.all([makeAuthority('first'), makeAuthority('second'), makeAuthority('proxies')]);
  const [clientCaFile, proxyFile] = [join(folder, 'clients.crt'), join(folder, 'proxies.crt')];
  await Promise.all([writeFile(clientCaFile, first.certificate), writeFile(proxyFile, proxies.certificate)]);
  await using server = await startTestServer({
    ...options,
    clientCaFile,
    flags: {
      'requestheader-client-ca-file': proxyFile,
      'requestheader-username-headers': ['X-Remote-User'],
      'requestheader-group-headers': ['X-Remote-Group'],
      'requestheader-extra-headers-prefix': ['X-Remote-Extra-'],
      'requestheader-allowed-names': ['front-proxy'],
    },
  });
  const own = await readServerFile(server, 'pki', 'ca.crt');
  const whole = (text: string) => text.trim();
  const data = await until(server, (found) => found['client-ca-file']?.includes(whole(first.certificate)) ?? false);
  t.deepEqual(data, {
    'client-ca-file': `${whole(own)}\n${whole(first.certificate)}\n`,
    'requestheader-client-ca-file': `${whole(proxies.certificate)}\n`,
    'requestheader-allowed-names': '["front-proxy"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
  await writeFile(clientCaFile, `${first.certificate}${second.certificate}`);
  await until(server, (found) => found['client-ca-file']!.includes(whole(second.certificate)));
});

test('the servers of a store add up what they trust, and put it back when it is changed or deleted', async (t) => {
  const [one, other] = await startTwoServers(t, options);
  const cas = await Promise.all([one, other].map(async (server) => (await readServerFile(server, 'pki', 'ca.crt')).trim()));
  const isWhole = (data: Record<string, string>) => cas.every((ca) => data['client-ca-file']?.includes(ca) ?? false);
  t.deepEqual(Object.keys((await until(one, isWhole))!), ['client-ca-file']);
  t.is((await one.client.patch(url, {data: {'client-ca-file': 'nothing'}})).status, 200);
  await until(other, isWhole);
  t.is((await one.client.delete(url)).status, 200);
  await until(one, isWhole);
});
