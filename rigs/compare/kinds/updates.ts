import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {changed, changesOf} from '../changes.js';
import type {CompareRequest} from '../compare-request.js';
import {schemaOf, sharedTemplates} from '../requests.js';
import {placesOf} from '../schema-places.js';
import {dryRun, newObject, withQuery, type KindContext, type KnownType} from './request-kind.js';

function of(known: KnownType): CompareRequest[] {
  const {type, base, object, collection, title, name} = known;
  const found: CompareRequest[] = [];
  const add = (method: string, path: string, body: JsonValue | undefined, about: string, level = 'Strict') =>
    found.push({
      method,
      path: withQuery(path, [dryRun, ['fieldValidation', level]]),
      ...(body !== undefined && {body}),
      about: `${title} ${about}`,
    });
  const missing = object.replace(/[^/]+$/, 'missing');
  const metadata = base['metadata'] as JsonObject;
  const named = (more: JsonObject) => ({...base, metadata: {...metadata, ...more}});
  add('PUT', object, base, 'unchanged');
  for (const [about, more] of [
    ['another name', {name: 'other'}],
    ['no name', {name: ''}],
    ['another namespace', {namespace: 'other'}],
    ['old version', {resourceVersion: '1'}],
    ['bad version', {resourceVersion: 'x'}],
    ['another uid', {uid: 'other'}],
    ['generated name', {generateName: 'x-'}],
  ] as [string, JsonObject][])
    add('PUT', object, named(more), about);
  for (const [about, head] of [
    ['another kind', {kind: 'Other'}],
    ['another group', {apiVersion: 'other.example/v1'}],
    ['another version', {apiVersion: `${type.group === '' ? '' : `${type.group}/`}v9`}],
    ['no kind', {kind: ''}],
    ['no version', {apiVersion: ''}],
    ['bad version', {apiVersion: 'a/b/c'}],
    ['kind of the wrong type', {kind: 5}],
    ['version of the wrong type', {apiVersion: []}],
  ] as [string, JsonObject][]) {
    add('PUT', object, {...base, ...head}, about);
    add('POST', collection, {...newObject(known), ...head}, about);
    add('DELETE', object, {apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'], ...head}, `options of ${about}`);
  }
  add('PUT', missing, named({name: 'missing'}), 'missing');
  add('PUT', missing, base, 'missing, another name');
  add('PUT', missing, named({name: 'missing', resourceVersion: '1'}), 'missing, with a version');
  add('PUT', missing, named({name: 'missing', uid: 'x'}), 'missing, with a uid');
  add('POST', collection, base, 'exists');
  add('POST', collection, named({name: null, generateName: name}), 'generated');
  add('POST', object, base, 'post to an object');
  add('PUT', collection, base, 'put to a collection');
  add('PATCH', collection, base, 'patch of a collection');
  for (const level of ['Strict', 'Warn', 'Ignore']) {
    for (const [about, more] of [
      ['unknown', {unknown: 1, alsoUnknown: {a: 1}}],
      ['unknown in metadata', {metadata: {...metadata, unknown: 1}}],
      ['unknown in spec', {spec: {...Object(base['spec']), unknown: [1]}}],
      ['spec of the wrong type', {spec: 5}],
      ['status of the wrong type', {status: 'x'}],
      ['metadata of the wrong type', {metadata: []}],
      ['another case', {Spec: base['spec'] ?? {}, METADATA: {}}],
    ] as [string, JsonObject][]) {
      add('PUT', object, {...base, ...more}, about, level);
      add('POST', collection, {...newObject(known), ...more}, about, level);
    }
  }
  const schema = schemaOf(type);
  if (schema === undefined) return found;
  for (const place of placesOf(type.schemas, schema, 'rest').filter(({steps}) => !sharedTemplates(type, steps))) {
    for (const change of changesOf(place)) {
      const body = changed(base, place, change);
      if (body !== undefined) add('PUT', object, body, place.steps.join('.'));
    }
  }
  return found;
}

/** Replacements of objects, right and wrong, and heads that do not fit. */
export function updateRequests({types}: KindContext): CompareRequest[] {
  return types.flatMap(of);
}
