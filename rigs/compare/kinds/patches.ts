import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {changed, changesOf} from '../changes.js';
import type {CompareRequest} from '../compare-request.js';
import {schemaOf, sharedTemplates} from '../requests.js';
import {placesOf, type Place} from '../schema-places.js';
import {dryRun, patchTypes, withQuery, type KindContext, type KnownType} from './request-kind.js';

const query: (readonly [string, string])[] = [dryRun, ['fieldValidation', 'Strict']];
/** Deeper places are changed by whole objects. */
const deepest = 7;

const pointerOf = (steps: Place['steps']) => steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Operations that cannot be carried out, or are none. */
const operations: readonly JsonValue[] = [
  [{op: 'remove', path: '/spec/nothing'}],
  [{op: 'replace', path: '/spec/nothing', value: 1}],
  [{op: 'add', path: '/nothing/below', value: 1}],
  [{op: 'add', path: '/unknown', value: 1}],
  [{op: 'test', path: '/metadata/name', value: 'other'}],
  [{op: 'test', path: '/metadata/nothing', value: null}],
  [{op: 'test', path: '/metadata/nothing', value: 1}],
  [{op: 'test', path: '/kind', value: 5}],
  [{op: 'copy', from: '/nothing', path: '/metadata/labels'}],
  [{op: 'move', from: '/nothing', path: '/metadata/labels'}],
  [{op: 'move', from: '/metadata', path: '/metadata/labels'}],
  [{op: 'copy', path: '/metadata/labels'}],
  [{op: 'jump', path: '/metadata'}],
  [{op: 'add', path: '/metadata/labels'}],
  [{op: 'add', value: {}}],
  [{path: '/metadata/labels', value: {}}],
  [{op: 'add', path: 'metadata', value: {}}],
  [{op: 'add', path: '', value: {}}],
  [{op: 'replace', path: '', value: 5}],
  [{op: 'remove', path: ''}],
  [{op: 'remove', path: '/'}],
  [{op: 'add', path: '/metadata/finalizers/-', value: 'example.com/a'}],
  [{op: 'add', path: '/metadata/finalizers/5', value: 'example.com/a'}],
  [{op: 'add', path: '/metadata/finalizers', value: ['example.com/a', 'b']}],
  [{op: 'remove', path: '/metadata/name'}],
  [{op: 'replace', path: '/metadata/name', value: 'other'}],
  [{op: 'replace', path: '/kind', value: 'Other'}],
  [{op: 'replace', path: '/apiVersion', value: 'other/v1'}],
  [{op: 'replace', path: '/metadata', value: null}],
  [{op: 'replace', path: '/metadata', value: 5}],
  [{op: 'replace', path: '/metadata/uid', value: 'other'}],
  [{op: 'replace', path: '/metadata/resourceVersion', value: '1'}],
  [{op: 'add', path: '/metadata/namespace', value: 'other'}],
  [{op: 'add', path: '/metadata/labels', value: {a: 5}}],
  [{op: 'add', path: '/metadata/labels', value: {'a b': 'c'}}],
  [{op: 'add', path: '/metadata/labels~2', value: 1}],
  [{op: 'add', path: '/metadata/unknown', value: 1, extra: 1}],
  [{op: 5, path: '/metadata'}],
  [{op: 'add', path: 5, value: 1}],
  [5],
  [null],
  [[]],
  {},
  {op: 'add'},
  'text',
  5,
  null,
];

/** Members that mean something to a strategic merge, well and badly. */
const directives: readonly JsonObject[] = [
  {$patch: 'replace'},
  {$patch: 'delete'},
  {$patch: 'merge'},
  {$patch: 'other'},
  {$patch: 5},
  {metadata: {$patch: 'delete'}},
  {metadata: {$patch: 'replace', labels: {a: 'b'}}},
  {metadata: {$retainKeys: ['labels'], labels: {a: 'b'}}},
  {metadata: {$retainKeys: 'labels'}},
  {metadata: {$retainKeys: ['name'], labels: {a: 'b'}}},
  {metadata: {'$deleteFromPrimitiveList/finalizers': ['a']}},
  {metadata: {'$deleteFromPrimitiveList/finalizers': 'a'}},
  {metadata: {'$setElementOrder/finalizers': ['a'], finalizers: ['example.com/b']}},
  {metadata: {'$setElementOrder/finalizers': 'a'}},
  {metadata: {'$setElementOrder/labels': ['a']}},
  {metadata: {'$other/labels': ['a']}},
  {metadata: {ownerReferences: [{uid: 'a'}]}},
  {metadata: {ownerReferences: [{name: 'a'}]}},
  {metadata: {ownerReferences: [{$patch: 'delete', uid: 'a'}]}},
  {metadata: {ownerReferences: [{$patch: 'replace'}]}},
  {metadata: {ownerReferences: [{$patch: 'other', uid: 'a'}]}},
  {metadata: {ownerReferences: [5]}},
  {metadata: {ownerReferences: {}}},
  {metadata: 5},
  {metadata: null},
  {metadata: {labels: 5}},
  {metadata: {labels: {a: 5}}},
  {metadata: {name: 'other'}},
  {metadata: {resourceVersion: '1'}},
  {metadata: {uid: 'other'}},
  {metadata: {unknown: 1}},
  {unknown: 1},
  {kind: 'Other'},
  {apiVersion: 'other/v1'},
  {kind: 5},
];

function of({type, base, object, title, name}: KnownType): CompareRequest[] {
  const found: CompareRequest[] = [];
  const add = (kind: keyof typeof patchTypes, body: JsonValue, about: string, more: (readonly [string, string])[] = []) =>
    found.push({
      method: 'PATCH',
      path: withQuery(object, [...query, ...more]),
      body,
      headers: {'content-type': patchTypes[kind]},
      about: `${title} ${about}`,
    });
  for (const body of operations) add('json', body, 'operations');
  for (const body of directives) {
    add('strategic', body, 'directives');
    add('merge', body, 'directives');
    add('apply', withHead(body, {apiVersion: base['apiVersion']!, kind: base['kind']!, metadata: {name}}), 'directives', [
      ['fieldManager', 'a'],
    ]);
  }
  const schema = schemaOf(type);
  if (schema === undefined) return found;
  const {metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...members} = base;
  const places = placesOf(type.schemas, schema, 'rest').filter(({steps}) => steps.length < deepest && !sharedTemplates(type, steps));
  for (const place of places) {
    for (const change of changesOf(place)) {
      const about = place.steps.join('.');
      const body = changed(members as JsonObject, place, change);
      if (body === undefined) continue;
      add('strategic', body, about);
      add('apply', {apiVersion: base['apiVersion']!, kind: base['kind']!, metadata: {name}, ...body}, about, [['fieldManager', 'a']]);
      if (change === 'absent') add('json', [{op: 'remove', path: pointerOf(place.steps)}], about);
      else if (change !== 'twice') {
        add('json', [{op: 'add', path: pointerOf(place.steps), value: change.value}], about);
        add('json', [{op: 'replace', path: pointerOf(place.steps), value: change.value}], about);
      }
    }
  }
  return found;
}

function withHead(body: JsonObject, head: JsonObject): JsonObject {
  const {metadata} = body;
  const own = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return {...head, ...body, ...(own && {metadata: {...(head['metadata'] as JsonObject), ...metadata}})};
}

/** Patches of all kinds, of base objects at all their places. */
export function patchRequests({types}: KindContext): CompareRequest[] {
  return types.flatMap(of);
}
