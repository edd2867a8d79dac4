import test from 'ava';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {load} from 'js-yaml';
import {KubeConfig} from '@kubernetes/client-node';
import {writeAdminKubeconfig, type KubeconfigOptions} from '../../../core/pki/kubeconfig.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const options: KubeconfigOptions = {
  url: 'https://127.0.0.1:6443',
  ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  certificate: '-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n',
  key: '-----BEGIN PRIVATE KEY-----\nCCCC\n-----END PRIVATE KEY-----\n',
  clusterName: 'orch',
  userName: 'orch-admin',
};

test('the client configuration is read by the client library as it was meant', async (t) => {
  const path = join(tempFolder(t), 'admin.kubeconfig');
  await writeAdminKubeconfig(path, options);
  const config = new KubeConfig();
  config.loadFromFile(path);
  t.is(config.getCurrentContext(), 'orch-admin@orch');
  t.like(config.getCurrentCluster(), {name: 'orch', server: 'https://127.0.0.1:6443', caData: Buffer.from(options.ca).toString('base64')});
  t.like(config.getCurrentUser(), {
    name: 'orch-admin',
    certData: Buffer.from(options.certificate).toString('base64'),
    keyData: Buffer.from(options.key).toString('base64'),
  });
});

test('names with characters that mean something in YAML stay what they are', async (t) => {
  const path = join(tempFolder(t), 'config');
  const clusterName = 'a: "b" # {c}\n- d';
  await writeAdminKubeconfig(path, {...options, clusterName});
  const config = load(readFileSync(path, 'utf8')) as {clusters: {name: string}[]};
  t.is(config.clusters[0]!.name, clusterName);
});

test('only the owner can read the file, also when one was there before', async (t) => {
  const folder = tempFolder(t);
  const path = join(folder, 'admin.kubeconfig');
  await writeAdminKubeconfig(path, options);
  await writeAdminKubeconfig(path, {...options, url: 'https://127.0.0.1:7443'});
  t.is(statSync(path).mode & 0o777, 0o600);
  t.regex(readFileSync(path, 'utf8'), /127\.0\.0\.1:7443/);
  t.deepEqual(readdirSync(folder), ['admin.kubeconfig']);
});
