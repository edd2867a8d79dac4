import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import type {CompareRequest} from '../compare-request.js';
import {dryRun, newObject, patchTypes, withQuery, type KindContext, type KnownType} from './request-kind.js';

const owner = {apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u'};

/** Members of metadata that a rule may refuse. */
const members: readonly JsonObject[] = [
  ...[
    '',
    'Not_Valid!',
    'a'.repeat(254),
    'a'.repeat(64),
    '-a',
    'a.b',
    'a/b',
    '..',
    '.',
    'a%b',
    'ü',
    '1',
    'a..b',
    'A',
    'system:x',
    'a b',
  ].map((name) => ({name})),
  ...['Not_Valid!', 'a'.repeat(260), 'gen-', 'gen.', 'ü', '', '-'].flatMap((generateName): JsonObject[] => [
    {generateName, name: null},
    {generateName},
  ]),
  {name: null},
  ...['other', 'default', 'Not Valid', ''].map((namespace) => ({namespace})),
  ...['x', '1', '0', ''].map((resourceVersion) => ({resourceVersion})),
  ...['x', ''].map((uid) => ({uid})),
  ...[-1, 0, 5, 'x'].map((generation) => ({generation})),
  ...['2030-01-01T00:00:00Z', 'x', null, 5].map((creationTimestamp) => ({creationTimestamp})),
  ...['2030-01-01T00:00:00Z', null].map((deletionTimestamp) => ({deletionTimestamp})),
  ...[0, 30, -1, 'x'].map((deletionGracePeriodSeconds) => ({deletionGracePeriodSeconds})),
  {selfLink: '/x'},
  ...(
    [
      {a: 'b'},
      {'a b': 'c'},
      {a: 'b c'},
      {a: 'b'.repeat(64)},
      {['a'.repeat(64)]: 'b'},
      {'a/b/c': 'd'},
      {'A.b/c': 'd'},
      {'': 'a'},
      {a: ''},
      {a: null},
      {a: 5},
      {'/a': 'b'},
      {'a/': 'b'},
      {'-a': '-b'},
      5,
      [],
      null,
      {},
    ] as JsonValue[]
  ).flatMap((value): JsonObject[] => [{labels: value}, {annotations: value}]),
  {annotations: {a: 'b'.repeat(262_144)}},
  ...(
    [
      ['example.com/a'],
      ['a'],
      ['a b'],
      ['example.com/a', 'example.com/a'],
      ['kubernetes'],
      ['orphan'],
      ['foregroundDeletion', 'orphan'],
      [''],
      [5],
      'a',
      [],
      null,
      ['/a'],
      ['a/b/c'],
      ['a'.repeat(64)],
    ] as JsonValue[]
  ).map((finalizers) => ({finalizers})),
  ...(
    [
      [owner],
      [owner, owner],
      [
        {...owner, controller: true},
        {...owner, uid: 'v', controller: true},
      ],
      [{...owner, controller: 'x'}],
      [{...owner, blockOwnerDeletion: true}],
      ...Object.keys(owner).flatMap((key) => [[{...owner, [key]: ''}], [{...owner, [key]: undefined}], [{...owner, [key]: 5}]]),
      [{...owner, apiVersion: 'a/b/c'}],
      [{...owner, kind: 'Event'}],
      [{...owner, kind: 'Event', apiVersion: 'events.k8s.io/v1'}],
      [{...owner, unknown: 1}],
      [{}],
      [null],
      [5],
      5,
      {},
    ] as JsonValue[]
  ).map((ownerReferences) => ({ownerReferences})),
  ...(
    [
      [{}],
      [{manager: 'a', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}}],
      [{manager: 'a', operation: 'Other', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}}],
      [{manager: 'a', operation: 'Apply', apiVersion: 'v1', fieldsType: 'Other', fieldsV1: {}}],
      [{manager: 'a'.repeat(129), operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}}],
      [{manager: 'a\nb', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {'x:a': {}}}],
      [{manager: 'a', operation: 'Apply', apiVersion: 'x/y/z', fieldsType: 'FieldsV1', fieldsV1: {'f:a': 5}}],
      [{manager: 'a', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: 5}],
      [{manager: 'a', operation: 'Apply', apiVersion: 'v1', time: 'x', fieldsType: 'FieldsV1', fieldsV1: {}}],
      [{subresource: 'a'.repeat(257), manager: 'a', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}}],
      5,
      {},
      [],
      [5],
    ] as JsonValue[]
  ).map((managedFields) => ({managedFields})),
  {unknown: 1},
  {clusterName: 'x'},
];

function of(known: KnownType): CompareRequest[] {
  const {base, collection, object, title} = known;
  const fresh = newObject(known);
  return members.flatMap((member): CompareRequest[] => {
    const about = `${title} metadata.${Object.keys(member)[0]}`;
    const strict = (path: string, ...more: (readonly [string, string])[]) =>
      withQuery(path, [dryRun, ['fieldValidation', 'Strict'], ...more]);
    const merged = (root: JsonObject) => ({...root, metadata: {...(root['metadata'] as JsonObject), ...member}});
    const patch = (type: keyof typeof patchTypes, body: JsonObject, ...more: (readonly [string, string])[]): CompareRequest => ({
      method: 'PATCH',
      path: strict(object, ...more),
      body,
      headers: {'content-type': patchTypes[type]},
      about,
    });
    return [
      {method: 'POST', path: strict(collection), body: merged(fresh), about},
      {method: 'PUT', path: strict(object), body: merged(base), about},
      patch('merge', {metadata: member}),
      patch('strategic', {metadata: member}),
      patch('apply', {apiVersion: base['apiVersion']!, kind: base['kind']!, metadata: {...(base['metadata'] as JsonObject), ...member}}, [
        'fieldManager',
        'a',
      ]),
    ];
  });
}

/** Changes of metadata, in new objects and old ones. */
export function metadataRequests({types}: KindContext): CompareRequest[] {
  return types.flatMap(of);
}
