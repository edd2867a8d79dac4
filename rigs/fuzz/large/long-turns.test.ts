import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import type {FuzzRequest} from '../fuzz-request.js';
import {FuzzServer} from '../run/fuzz-server.js';
import {excusedSlowness} from '../../../test/helpers/longest-turn.js';
import {beatMillis, turnMillis, type SlowTurn} from '../run/slow-turns.js';
import {Wire} from '../run/wire.js';

const times = <T>(count: number, of: (index: number) => T) => Array.from({length: count}, (_, index) => of(index));
const map = (count: number, value = 'v') => Object.fromEntries(times(count, (index) => [`k${index}`, value]));
const namespace = '/api/v1/namespaces/default';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

const request = (method: string, path: string, body?: unknown, type = 'application/json', accept = 'application/json'): FuzzRequest => ({
  method,
  path,
  headers: body === undefined ? [['accept', accept]] : [['content-type', type]],
  body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  manner: 'whole',
});
const post = (path: string, object: unknown) => request('POST', path, object);
const patch = (path: string, form: string, body: unknown) => request('PATCH', path, body, `application/${form}`);

const endpoints = (name: string) => ({
  metadata: {name},
  subsets: [{addresses: times(14_000, (index) => ({ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`})), ports: [{port: 80}]}],
});
const configMap = (name: string, value = 'v') => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: map(28_000, value)});
const role = (name: string, clusterRoleSelectors: readonly object[]) => ({
  metadata: {name},
  rules: [],
  aggregationRule: {clusterRoleSelectors},
});
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = (names: object = {}, label = 'a') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'samples.turns.example', labels: {label}},
  spec: {
    group: 'turns.example',
    scope: 'Namespaced',
    names: {plural: 'samples', kind: 'Sample', ...names},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
});
const shortNames = times(50_000, (index) => `s${index}`);
const dependencies = Object.fromEntries(times(40_000, (index) => [`k${index}`, {}]));
const attachment = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: {name: 'a'},
  spec: {
    attacher: 'disk.example',
    nodeName: 'n',
    source: {inlineVolumeSpec: {csi: {driver: 'disk.example', volumeHandle: 'h', volumeAttributes: map(40_000)}}},
  },
};
const owner = {apiVersion: 'v1', kind: 'Pod', name: 'n', controller: true};
const owned = (count: number) => ({metadata: {name: 'o', ownerReferences: times(count, (index) => ({...owner, uid: `u${index}`}))}});

/** What is done with large objects, and how it is answered; each makes the request of a round. */
const cases: readonly (readonly [what: string, status: number, make: (round: number) => FuzzRequest])[] = [
  ['endpoints with 14,000 addresses are created', 201, (round) => post(`${namespace}/endpoints`, endpoints(`e${round}`))],
  ['they get a label', 200, (round) => patch(`${namespace}/endpoints/e0`, 'merge-patch+json', {metadata: {labels: {a: `b${round}`}}})],
  ['a config map with 28,000 keys is created', 201, (round) => post(`${namespace}/configmaps`, configMap(`c${round}`))],
  [
    'all its keys are patched strategically',
    200,
    (round) => patch(`${namespace}/configmaps/c0`, 'strategic-merge-patch+json', {data: map(28_000, `w${round}`)}),
  ],
  ['all its keys are merged', 200, (round) => patch(`${namespace}/configmaps/c0`, 'merge-patch+json', {data: map(28_000, `w${round}`)})],
  [
    'all its keys are applied',
    200,
    (round) => patch(`${namespace}/configmaps/c0?fieldManager=f&force=true`, 'apply-patch+yaml', configMap('c0', `v${round}`)),
  ],
  ['it is read as YAML', 200, () => request('GET', `${namespace}/configmaps/c0`, undefined, undefined, 'application/yaml')],
  ['such are listed as YAML', 200, () => request('GET', `${namespace}/configmaps`, undefined, undefined, 'application/yaml')],
  ['a role aggregates by 28,000 labels', 201, (round) => post(roles, role(`labels${round}`, [{matchLabels: map(28_000)}]))],
  [
    'a role aggregates by 9,000 selectors',
    201,
    (round) =>
      post(
        roles,
        role(
          `some${round}`,
          times(9000, (index) => ({matchLabels: {a: `v${index}`}})),
        ),
      ),
  ],
  ['4,500 owners are controllers', 422, () => post(`${namespace}/configmaps`, owned(4500))],
  [
    'a definition with 50,000 short names is applied, and again with a label',
    200,
    (round) =>
      patch(`${definitions}/samples.turns.example?fieldManager=f&force=true`, 'apply-patch+yaml', definition({shortNames}, `a${round}`)),
  ],
  [
    'a schema would get 40,000 dependencies',
    413,
    () =>
      patch(`${definitions}/samples.turns.example`, 'strategic-merge-patch+json', {
        spec: {versions: [{name: 'v1', schema: {openAPIV3Schema: {type: 'object', dependencies}}}]},
      }),
  ],
  [
    'a node has 55,000 resources',
    201,
    (round) => post('/api/v1/nodes', {metadata: {name: `n${round}`}, status: {allocatable: map(55_000, '1')}}),
  ],
  [
    'a volume with 40,000 attributes is applied',
    422,
    () => patch('/apis/storage.k8s.io/v1/volumeattachments/a?fieldManager=f&dryRun=All', 'apply-patch+yaml', attachment),
  ],
  ['a body has 70,000 values', 413, () => post(`${namespace}/configmaps`, {metadata: {name: 'm'}, data: map(70_000)})],
  ['an object has 40,000 values', 413, () => post(`${namespace}/configmaps`, {metadata: {name: 'm'}, data: map(40_000)})],
];

test('with a heap of 300 MB nothing that is large takes a turn of more than 100 ms of processor', async (t) => {
  const server = await FuzzServer.start({release: '1.26', emptyStore: async () => 'memory'});
  t.teardown(() => server.stop());
  const wire = new Wire(server.address);
  t.teardown(() => wire.close());
  await wire.send([post(definitions, definition())]);
  for (const [what, status, make] of cases) {
    // It counts if it is slow each time: the machine has other work, and garbage is collected in some of them.
    const slow: SlowTurn[] = [];
    for (let round = 0; round < 4 && slow.length === round; round++) {
      const [outcome] = await wire.send([make(round)]);
      t.is(outcome?.response?.status, status, `${what}: ${outcome?.response?.body.toString('utf8', 0, 300)}`);
      await sleep(beatMillis);
      const [turn] = server.takeSlowTurns();
      if (turn) slow.push(turn);
    }
    const machine = slow.length < 4 ? 1 : await excusedSlowness();
    const longest = Math.min(...slow.map(({cpuMilliseconds}) => cpuMilliseconds));
    t.true(
      slow.length < 4 || longest <= turnMillis * machine,
      `${what}: ${longest} ms or more on a machine ${machine.toFixed(1)} times as slow as usual`,
    );
  }
});
