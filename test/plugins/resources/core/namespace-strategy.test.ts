import test from 'ava';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {orch} from '../../../../core/api/naming/orch.js';
import {NamespaceStrategy} from '../../../../plugins/resources/core/namespace-strategy.js';
import {fieldErrorText, serviceUnavailable, type NamingProfile} from '../../../../sdk/index.js';
import type {Namespace} from '../../../../sdk/types/unchecked/core/v1.js';
import {context, MemoryResources} from '../../memory-resources.js';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};

function setUp(naming: NamingProfile = orch) {
  const types: ConstructorParameters<typeof MemoryResources>[0][number][] = [];
  const resources = new MemoryResources(types);
  const strategy = new NamespaceStrategy(resources, naming);
  types.push({...namespaces, kind: 'Namespace', namespaced: false, verbs: [], strategy});
  return {resources, strategy};
}

const main = context('', '');
const finalize = context('', 'finalize');
const status = context('', 'status');

for (const [naming, finalizer, label] of [
  [orch, 'orch', 'orch/metadata.name'],
  [kubernetes, 'kubernetes', 'kubernetes.io/metadata.name'],
] as const) {
  test(`a new namespace is Active and carries the finalizer and the name label of profile ${naming.name}`, (t) => {
    const {strategy} = setUp(naming);
    const object: Namespace = {metadata: {name: 'team', labels: {a: 'b', [label]: 'other'}}, status: {phase: 'Terminating'}};
    strategy.applyDefaults(object);
    strategy.prepareForCreate(object);
    t.deepEqual(object, {
      metadata: {name: 'team', labels: {a: 'b', [label]: 'team'}},
      spec: {finalizers: [finalizer]},
      status: {phase: 'Active'},
    });
    t.deepEqual(strategy.validateCreate(object), []);
  });
}

test('finalizers that a client gives on create are kept beside the own one', (t) => {
  const {strategy} = setUp();
  const object: Namespace = {metadata: {name: 'team'}, spec: {finalizers: ['example.com/mine']}};
  strategy.prepareForCreate(object);
  strategy.prepareForCreate(object);
  t.deepEqual(object.spec, {finalizers: ['example.com/mine', 'orch']});
});

test('a generated name becomes the label once it is known', (t) => {
  const {strategy} = setUp();
  const object: Namespace = {metadata: {generateName: 'team-'}};
  strategy.applyDefaults(object);
  t.is(object.metadata.labels, undefined);
  object.metadata.name = 'team-x7k2p';
  strategy.canonicalize(object);
  t.deepEqual(object.metadata.labels, {'orch/metadata.name': 'team-x7k2p'});
});

test('an update of the namespace itself keeps the stored finalizers', (t) => {
  const {strategy} = setUp();
  const old: Namespace = {metadata: {name: 'team'}, spec: {finalizers: ['orch']}};
  for (const spec of [undefined, {}, {finalizers: []}, {finalizers: ['example.com/other']}]) {
    const object: Namespace = {metadata: {name: 'team'}, ...(spec ? {spec} : {})};
    strategy.prepareForUpdate(object, old, main);
    t.deepEqual(object.spec, {finalizers: ['orch']});
  }
  const object: Namespace = {metadata: {name: 'team'}, spec: {finalizers: ['orch']}};
  strategy.prepareForUpdate(object, {metadata: {name: 'team'}, spec: {}}, main);
  t.deepEqual(object.spec, {});
});

test('the finalize subresource takes the finalizers of the request', (t) => {
  const {strategy} = setUp();
  const old: Namespace = {metadata: {name: 'team'}, spec: {finalizers: ['orch', 'example.com/mine']}};
  const object: Namespace = {metadata: {name: 'team'}, spec: {finalizers: ['example.com/mine']}};
  strategy.prepareForUpdate(object, old, finalize);
  t.deepEqual(object.spec, {finalizers: ['example.com/mine']});
  object.spec = {finalizers: []};
  strategy.prepareForUpdate(object, old, finalize);
  t.true(strategy.mayRemove(object));
});

test('finalizers are qualified names; without a slash only the own one is allowed', (t) => {
  const {strategy} = setUp(kubernetes);
  const faults = strategy.validateUpdate(
    {metadata: {name: 'team'}, spec: {finalizers: ['kubernetes', 'example.com/ok', 'orch', 'a/b/c', '', 'Bad Prefix/x']}},
    {metadata: {name: 'team'}},
    finalize,
  );
  t.deepEqual([...new Set(faults.map((fault) => fieldErrorText(fault).split(': ', 3)[2]))], ['"orch"', '"a/b/c"', '""', '"Bad Prefix/x"']);
  t.is(
    fieldErrorText(faults[0]!),
    'spec.finalizers: Invalid value: "orch": name is neither a standard finalizer name nor is it fully qualified',
  );
});

test('the phase in a status update must say whether the namespace is being deleted', (t) => {
  const {strategy} = setUp();
  const live = {name: 'team'};
  const dying = {name: 'team', deletionTimestamp: '2030-01-01T00:00:00Z'};
  const faults = (object: Namespace) => strategy.validateUpdate(object, object, status).map(fieldErrorText);
  t.deepEqual(faults({metadata: live, status: {phase: 'Active'}}), []);
  t.deepEqual(faults({metadata: dying, status: {phase: 'Terminating'}}), []);
  t.deepEqual(faults({metadata: live, status: {phase: 'Terminating'}}), [
    'status.phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ]);
  t.deepEqual(faults({metadata: dying, status: {phase: 'Active'}}), [
    'status.phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
  ]);
  t.is(faults({metadata: live, status: {phase: 'Gone'}}).length, 1);
});

test('the first delete makes a namespace Terminating, a later one removes it once spec.finalizers is empty', (t) => {
  const {strategy} = setUp();
  const object: Namespace = {metadata: {name: 'team'}, spec: {finalizers: ['orch']}, status: {phase: 'Active', conditions: []}};
  t.deepEqual(strategy.beforeDelete(object), {action: 'terminate'});
  t.deepEqual(object.status, {phase: 'Terminating', conditions: []});
  t.false(strategy.mayRemove(object));
  object.spec = {};
  t.true(strategy.mayRemove(object));
  t.deepEqual(strategy.beforeDelete(object), {action: 'terminate'});
  object.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  t.deepEqual(strategy.beforeDelete(object), {action: 'remove'});
});

for (const [naming, names] of [
  [orch, ['default', 'orch-node-lease', 'orch-public', 'orch-system']],
  [kubernetes, ['default', 'kube-node-lease', 'kube-public', 'kube-system']],
] as const) {
  test(`the namespaces of the platform exist after start (profile ${naming.name})`, async (t) => {
    const {resources, strategy} = setUp(naming);
    await resources.create(namespaces, '', {metadata: {name: 'default', labels: {mine: 'yes'}}});
    const signal = new AbortController().signal;
    await strategy.start(signal);
    const {items} = await resources.list(namespaces, '');
    t.deepEqual(
      items.map(({metadata}) => metadata.name ?? '').sort((left, right) => left.localeCompare(right)),
      [...names],
    );
    t.is(items.find(({metadata}) => metadata.name === 'default')!.metadata.labels!['mine'], 'yes');
  });
}

test('servers that start at the same time make the namespaces once', async (t) => {
  const {resources, strategy} = setUp();
  const signal = new AbortController().signal;
  let waiting = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => (release = resolve));
  // Every look comes before every create, so that all of them find nothing.
  resources.before = async (verb) => {
    if (verb !== 'get') return;
    waiting += 1;
    if (waiting === 12) release();
    await all;
  };
  await Promise.all([1, 2, 3].map(() => strategy.start(signal)));
  t.is((await resources.list(namespaces, '')).items.length, 4);
});

test('a store that is away makes the start fail', async (t) => {
  const {resources, strategy} = setUp();
  resources.before = () => {
    throw serviceUnavailable('the store is away');
  };
  await t.throwsAsync(strategy.start(new AbortController().signal), {message: 'the store is away'});
});
