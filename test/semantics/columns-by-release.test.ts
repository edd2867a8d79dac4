import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tableRows} from '../plugins/resources/served-group.js';

const asTable = {headers: {accept: 'application/json;as=Table;g=meta.k8s.io;v=v1'}};
const base = '/namespaces/default';
const jobs = `/apis/batch/v1${base}/jobs`;
const template = {spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'i'}]}};

/** What later releases show, and what they show in another place or no more. */
const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`/api/v1${base}/persistentvolumeclaims`]: {
    '1.28': 'Name, Status, Volume, Capacity, Access Modes, StorageClass, Age, VolumeMode',
    '1.29': 'Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode',
  },
  '/api/v1/persistentvolumes': {
    '1.28': 'Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, Reason, Age, VolumeMode',
    '1.29': 'Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode',
  },
  [jobs]: {
    '1.29': 'Name, Completions, Duration, Age, Containers, Images, Selector',
    '1.30': 'Name, Status, Completions, Duration, Age, Containers, Images, Selector',
  },
  [`/apis/batch/v1${base}/cronjobs`]: {
    '1.29': 'Name, Schedule, Suspend, Active, Last Schedule, Age, Containers, Images, Selector',
    '1.30': 'Name, Schedule, Timezone, Suspend, Active, Last Schedule, Age, Containers, Images, Selector',
  },
  '/apis/scheduling.k8s.io/v1/priorityclasses': {
    '1.30': 'Name, Value, Global-Default, Age',
    '1.32': 'Name, Value, Global-Default, Age, PreemptionPolicy',
  },
  [`/api/v1${base}/resourcequotas`]: {'1.32': 'Name, Age, Request, Limit', '1.33': 'Name, Request, Limit, Age'},
  [`/api/v1${base}/serviceaccounts`]: {'1.33': 'Name, Secrets, Age', '1.35': 'Name, Age'},
  '/apis/networking.k8s.io/v1/ipaddresses': {'1.33': 'Name, ParentRef'},
};

test('tables have the columns of the release', async (t) => {
  const releases = [...new Set(Object.values(columns).flatMap((byRelease) => Object.keys(byRelease)))];
  for (const release of releases) {
    await using server = await startTestServer({platform: 'kubernetes', release});
    for (const [path, byRelease] of Object.entries(columns)) {
      if (byRelease[release] === undefined) continue;
      const answer = await server.client.get(path, asTable);
      const {columnDefinitions} = answer.json<{columnDefinitions: {name: string}[]}>();
      t.is(columnDefinitions.map(({name}) => name).join(', '), byRelease[release], `${release} ${path}`);
    }
  }
});

test('a job is shown with what it does: it runs, ends, waits or goes', async (t) => {
  await using server = await startTestServer({release: '1.36'});
  const {client} = server;
  const state = async (name: string) => (await tableRows(client, `/apis/batch/v1${base}/jobs`)).find(({Name}) => Name === name)?.['Status'];
  const conditions = (...types: string[]) => types.map((type) => ({type, status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z'}));
  await client.post(jobs, {metadata: {name: 'one', finalizers: ['example.com/hold']}, spec: {template}});
  t.is(await state('one'), 'Running');
  t.is((await client.patch(`${jobs}/one/status`, {status: {conditions: conditions('Suspended')}})).status, 200);
  t.is(await state('one'), 'Suspended');
  await client.delete(`${jobs}/one`);
  t.is(await state('one'), 'Terminating');
  await client.patch(`${jobs}/one`, {metadata: {finalizers: null}});
});
