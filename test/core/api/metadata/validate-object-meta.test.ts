import test from 'ava';
import {FieldPath, fieldErrorText, type ObjectMeta} from '../../../../sdk/index.js';
import {fillSystemFields} from '../../../../core/api/metadata/fill-system-fields.js';
import {validateObjectMeta, validateObjectMetaUpdate, type MetadataRules} from '../../../../core/api/metadata/validate-object-meta.js';

const path = FieldPath.of('metadata');
const namespaced: MetadataRules = {namespaced: true, nameFormat: 'dns-subdomain'};
const valid: ObjectMeta = {name: 'a', namespace: 'n'};
const owner = {apiVersion: 'apps/v1', kind: 'Deployment', name: 'o', uid: 'u'};

const faultsOf = (meta: unknown, rules = namespaced) => validateObjectMeta(meta as ObjectMeta, rules, path).map(fieldErrorText);

test('metadata with everything right have no faults', (t) => {
  t.deepEqual(
    faultsOf({
      ...valid,
      generateName: 'a-',
      generation: 1,
      labels: {'example.com/a': 'b', c: ''},
      annotations: {'Example.com/A': 'anything at all', constructor: ''},
      ownerReferences: [
        {...owner, controller: true},
        {...owner, controller: false},
        {...owner, apiVersion: 'v1'},
      ],
      finalizers: ['example.com/f', 'orphan'],
      managedFields: [{manager: 'käse ✓', operation: 'Apply', fieldsType: 'FieldsV1', subresource: 'status'}],
    }),
    [],
  );
  t.deepEqual(faultsOf({...valid, labels: null, annotations: null, ownerReferences: null, finalizers: null, managedFields: null}), []);
  t.deepEqual(faultsOf({name: 'a'}, {namespaced: false, nameFormat: 'dns-label'}), []);
});

const examples: [what: string, meta: unknown, faults: RegExp[]][] = [
  ['no name', {namespace: 'n'}, [/^metadata.name: Required value: name or generateName is required$/]],
  ['a bad name', {...valid, name: 'A'}, [/^metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain/]],
  ['a bad generateName', {...valid, generateName: 'AB-'}, [/^metadata.generateName: Invalid value: "AB-"/]],
  ['no namespace', {name: 'a'}, [/^metadata.namespace: Required value$/]],
  ['a bad namespace', {name: 'a', namespace: 'a.b'}, [/^metadata.namespace: Invalid value: "a.b": must not contain dots$/]],
  ['a negative generation', {...valid, generation: -1}, [/^metadata.generation: Invalid value: -1: must be greater than or equal to 0$/]],
  [
    'bad labels',
    {...valid, labels: {'a b': 'x', c: 'y z', d: 1}},
    [
      /^metadata.labels\[d\]: Invalid value: 1: must be a string$/,
      /^metadata.labels: Invalid value: "a b": name part/,
      /^metadata.labels: Invalid value: "y z": a valid label/,
    ],
  ],
  ['labels that are a list', {...valid, labels: []}, [/^metadata.labels: Invalid value: \[\]: must be an object$/]],
  ['bad annotation keys', {...valid, annotations: {'a/b/c': ''}}, [/^metadata.annotations: Invalid value: "a\/b\/c": a qualified name/]],
  [
    'annotations that are too long',
    {...valid, annotations: {a: 'ü'.repeat(131_072)}},
    [/^metadata.annotations: Too long: must have at most 262144 bytes$/],
  ],
  [
    'an empty owner',
    {...valid, ownerReferences: [{}]},
    [
      /apiVersion: Invalid value: "": version must not be empty$/,
      /kind: Invalid value: "": kind must not be empty$/,
      /name must not be empty$/,
      /uid must not be empty$/,
    ],
  ],
  [
    'an Event as owner',
    {...valid, ownerReferences: [{...owner, apiVersion: 'v1', kind: 'Event'}]},
    [/^metadata.ownerReferences: Invalid value: .*\/v1, Kind=Event is disallowed from being an owner$/],
  ],
  [
    'two controllers',
    {
      ...valid,
      ownerReferences: [
        {...owner, controller: true},
        {...owner, name: 'p', controller: true},
      ],
    },
    [/Only one reference can have Controller set to true. Found "true" in references for Deployment\/o and Deployment\/p$/],
  ],
  [
    'bad finalizers',
    {...valid, finalizers: ['-', 1]},
    [/^metadata.finalizers: Invalid value: "-"/, /^metadata.finalizers\[1\]: Invalid value: 1: must be a string$/],
  ],
  [
    'finalizers that exclude each other',
    {...valid, finalizers: ['orphan', 'foregroundDeletion']},
    [/^metadata.finalizers: .*finalizer orphan and foregroundDeletion cannot be both set$/],
  ],
  [
    'bad managed fields',
    {
      ...valid,
      managedFields: [
        {manager: 'a\u0007', operation: 'X', fieldsType: 'Y', subresource: 's'.repeat(257)},
        {operation: 'Apply', manager: 'm'.repeat(129)},
        1,
      ],
    },
    [
      /^metadata.managedFields\[0\].operation: Invalid value: "X": must be `Apply` or `Update`$/,
      /^metadata.managedFields\[0\].fieldsType: Invalid value: "Y": must be `FieldsV1`$/,
      /^metadata.managedFields\[0\].manager: .*invalid character U\+0007 \(at position 1\)$/,
      /^metadata.managedFields\[0\].subresource: Too long: must have at most 256 bytes$/,
      /^metadata.managedFields\[1\].manager: Too long: must have at most 128 bytes$/,
      /^metadata.managedFields\[2\]: Invalid value: 1: must be an object$/,
    ],
  ],
];
for (const [what, meta, faults] of examples) {
  test(`${what} is reported, each fault once`, (t) => {
    const found = faultsOf(meta);
    t.is(found.length, faults.length, found.join('\n'));
    for (const fault of faults)
      t.true(
        found.some((text) => fault.test(text)),
        `${String(fault)} in ${found.join('\n')}`,
      );
  });
}

test('a namespace is refused on a cluster-scoped type', (t) => {
  t.deepEqual(faultsOf(valid, {namespaced: false, nameFormat: 'dns-subdomain'}), [
    'metadata.namespace: Forbidden: not allowed on this type',
  ]);
});

const old: ObjectMeta = {
  ...valid,
  uid: 'u',
  resourceVersion: '5',
  generation: 3,
  creationTimestamp: '2024-01-01T00:00:00Z',
  finalizers: ['a', 'b'],
};
const updateFaults = (change: Partial<ObjectMeta>, from = old) => {
  const meta = {...from, ...change};
  fillSystemFields(meta, from);
  return validateObjectMetaUpdate(meta, from, path).map(fieldErrorText);
};

test('an update may leave out or change what the server decides, without effect', (t) => {
  const meta: ObjectMeta = {name: 'a', namespace: 'n', creationTimestamp: '1999-01-01T00:00:00Z', generation: 99};
  fillSystemFields(meta, old);
  t.deepEqual(meta, {name: 'a', namespace: 'n', uid: 'u', creationTimestamp: '2024-01-01T00:00:00Z', generation: 3});
  t.deepEqual(validateObjectMetaUpdate(meta, old, path), []);
});

test('an update cannot change what identifies an object', (t) => {
  t.deepEqual(updateFaults({name: 'b', namespace: 'm', uid: 'v'}), [
    'metadata.name: Invalid value: "b": field is immutable',
    'metadata.namespace: Invalid value: "m": field is immutable',
    'metadata.uid: Invalid value: "v": field is immutable',
  ]);
});

test('an update can neither start, change nor undo a deletion', (t) => {
  const time = '2024-02-02T00:00:00Z';
  t.deepEqual(updateFaults({deletionTimestamp: time}), [`metadata.deletionTimestamp: Invalid value: "${time}": field is immutable`]);
  const terminating = {...old, deletionTimestamp: time, deletionGracePeriodSeconds: 0};
  t.deepEqual(updateFaults({deletionTimestamp: undefined, deletionGracePeriodSeconds: null}, terminating), []);
  t.is(updateFaults({deletionTimestamp: '2025-01-01T00:00:00Z'}, terminating).length, 1);
  t.deepEqual(updateFaults({deletionGracePeriodSeconds: 5}, terminating), [
    'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
  ]);
});

test('finalizers of a terminating object can be removed and sorted anew, not added [A-META-14]', (t) => {
  const terminating = {...old, deletionTimestamp: '2024-02-02T00:00:00Z'};
  t.deepEqual(updateFaults({finalizers: ['b']}, terminating), []);
  t.deepEqual(updateFaults({finalizers: ['b', 'a']}, terminating), []);
  t.deepEqual(updateFaults({finalizers: ['a', 'd', 'c', 'c']}, terminating), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c", "d"}',
  ]);
  t.deepEqual(updateFaults({finalizers: ['c']}), []);
});

test('labels, annotations, owners, finalizers and managed fields of an update are checked too', (t) => {
  const found = updateFaults({
    labels: {'-': ''},
    annotations: {'-': ''},
    ownerReferences: [{...owner, uid: ''}],
    finalizers: ['-'],
    managedFields: [{}],
  });
  t.is(found.length, 5, found.join('\n'));
});
