import test from 'ava';
import {configuredPlugins} from '../../core/kernel/selection/plugins-configuration.js';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {load} from 'js-yaml';
import type {Status} from '@orch-api/orch/sdk';
import type {ServerOptions} from '@orch-api/orch/testing';
import {exampleFolder, startWithExample} from './example-server.js';

const example = 'admission-required-labels';
const path = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const settings = (labels?: Record<string, string>) => ({metadata: {name: 'settings', ...(labels ? {labels} : {})}, data: {level: 'info'}});

test('the policy is off until somebody enables it', async (t) => {
  const {client} = await startWithExample(t, example);
  t.is((await client.post(path('default'), settings())).status, 201);
});

test('enabled by flags, it refuses objects without the labels and names each of them', async (t) => {
  const {client} = await startWithExample(t, example, {
    enableAdmissionPlugins: ['RequiredLabels'],
    flags: {'required-labels': ['owner', 'team']},
  });
  const refused = await client.post(path('default'), settings());
  t.is(refused.status, 403);
  t.is(refused.json<Status>().message, 'configmaps "settings" is forbidden: labels are required: owner, team');

  t.is((await client.post(path('default'), settings({owner: 'ada', team: 'engines'}))).status, 201);
  const removed = await client.patch(`${path('default')}/settings`, {metadata: {labels: {team: null}}});
  t.is(removed.status, 403);
  t.deepEqual(
    removed.json<Status>().details?.causes?.map(({field}) => field),
    ['metadata.labels[team]'],
  );
  t.is((await client.delete(`${path('default')}/settings`)).status, 200);
  t.is((await client.post(path('orch-system'), settings())).status, 201);
});

test('enabled by the configuration file of the README, it knows exempt namespaces', async (t) => {
  const configuration = load(readFileSync(join(exampleFolder(example), 'orch.yaml'), 'utf8')) as Required<ServerOptions>['configuration'];
  const plugin = configuredPlugins(configuration.plugins).get('example-required-labels')!;
  const {client} = await startWithExample(t, example, {
    plugins: [],
    configuration: {...configuration, plugins: {'example-required-labels': {...plugin, from: exampleFolder(example)}}},
  });
  t.is((await client.post('/api/v1/namespaces', {metadata: {name: 'scratch'}})).status, 201);
  t.is((await client.post(path('scratch'), settings())).status, 201);
  t.is((await client.post(path('default'), settings({owner: 'ada'}))).status, 403);
});

test('settings that the manifest does not allow stop the start', async (t) => {
  const configuration = {plugins: {'example-required-labels': {config: {labels: 'owner'}}}};
  await t.throwsAsync(startWithExample(t, example, {enableAdmissionPlugins: ['RequiredLabels'], configuration}), {message: /labels/});
});
