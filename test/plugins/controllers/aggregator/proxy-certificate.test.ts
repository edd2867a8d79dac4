import {renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {ProxyCertificate} from '../../../../plugins/controllers/aggregator/proxy-certificate.js';
import type {AggregatorSettings} from '../../../../plugins/controllers/aggregator/settings.js';
import {startTestServer} from '@orch-api/orch/testing';
import {until} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../../helpers/test-certificates.js';

function settingsIn(folder: string): AggregatorSettings {
  return {proxyClientCertFile: join(folder, 'tls.crt'), proxyClientKeyFile: join(folder, 'tls.key')} as AggregatorSettings;
}

function write(folder: string, {certificate, key}: KeyedCertificate): void {
  for (const [name, text] of [
    ['tls.crt', certificate],
    ['tls.key', key],
  ] as const) {
    writeFileSync(join(folder, `${name}.new`), text);
    renameSync(join(folder, `${name}.new`), join(folder, name));
  }
}

test('a certificate that is replaced is used from then on; one that cannot be used changes nothing', async (t) => {
  const folder = tempFolder(t);
  const authority = await makeAuthority();
  const [first, second] = [await makeLeaf(authority, 'client', 'first'), await makeLeaf(authority, 'client', 'second')];
  write(folder, first);
  const {logger, lines} = recordingLogger();
  const certificate = new ProxyCertificate(settingsIn(folder), logger);
  t.teardown(() => certificate.stop());
  t.deepEqual(certificate.pair, first);
  let changes = 0;
  certificate.start(() => (changes += 1));
  writeFileSync(join(folder, 'tls.crt'), 'nothing');
  await until('it is told', () => lines.some(({message}) => /cannot be used/.test(message)));
  t.deepEqual(certificate.pair, first);
  write(folder, second);
  await until('it is used', () => certificate.pair.certificate === second.certificate);
  t.is(certificate.pair.key, second.key);
  t.is(changes, 1);
});

test('a server does not start with files that cannot be used', async (t) => {
  const folder = tempFolder(t);
  const authority = await makeAuthority();
  const [own, other] = [await makeLeaf(authority, 'client', 'own'), await makeLeaf(authority, 'client', 'other')];
  const start = (flags: Record<string, string>) => startTestServer({flags});
  const cert = 'proxy-client-cert-file';
  const key = 'proxy-client-key-file';
  await t.throwsAsync(start({[cert]: join(folder, 'tls.crt')}), {message: /must be given together/});
  await t.throwsAsync(start({[cert]: join(folder, 'tls.crt'), [key]: join(folder, 'tls.key')}), {
    message: /--proxy-client-cert-file: .*ENOENT/,
  });
  write(folder, {certificate: own.certificate, key: other.key});
  await t.throwsAsync(start({[cert]: join(folder, 'tls.crt'), [key]: join(folder, 'tls.key')}), {
    message: /is not the key of the certificate/,
  });
});
