import type {JsonValue} from '../../../sdk/index.js';
import type {CompareRequest} from '../compare-request.js';
import {dryRun, patchTypes, withQuery, type KindContext, type KnownType} from './request-kind.js';

/** Members that subresources with objects of their own take, well and badly. */
const bodies: Readonly<Record<string, readonly JsonValue[]>> = {
  Scale: [
    {spec: {replicas: 2}},
    {spec: {replicas: -1}},
    {spec: {replicas: 'x'}},
    {spec: {}},
    {},
    {spec: {replicas: 1.5}},
    {metadata: {name: 'other'}},
    {metadata: {resourceVersion: '1'}},
    {spec: {unknown: 1}},
    {kind: 'Other'},
    {apiVersion: 'v1'},
    {status: {replicas: 5}},
  ],
  Eviction: [
    {},
    {metadata: {name: 'other'}},
    {metadata: {namespace: 'other'}},
    {deleteOptions: {preconditions: {uid: 'x'}}},
    {deleteOptions: {gracePeriodSeconds: -1}},
    {deleteOptions: {propagationPolicy: 'x'}},
    {deleteOptions: 5},
    {apiVersion: 'policy/v1beta1'},
    {kind: 'Other'},
    {unknown: 1},
  ],
  Binding: [
    {},
    {target: {}},
    {target: {name: 'n'}},
    {target: {kind: 'Node', name: 'n'}},
    {target: {kind: 'Pod', name: 'n'}},
    {target: {kind: 'Node', name: ''}},
    {metadata: {name: 'other'}, target: {kind: 'Node', name: 'n'}},
    {metadata: {uid: 'x'}, target: {kind: 'Node', name: 'n'}},
    {target: 5},
  ],
  TokenRequest: [
    {},
    {spec: {}},
    {spec: {expirationSeconds: 5}},
    {spec: {expirationSeconds: -1}},
    {spec: {expirationSeconds: 9_999_999_999}},
    {spec: {audiences: ['a'], boundObjectRef: {kind: 'Pod', name: 'base'}}},
    {spec: {boundObjectRef: {kind: 'Pod', apiVersion: 'v1', name: 'missing'}}},
    {spec: {boundObjectRef: {kind: 'Pod', apiVersion: 'v1', name: 'base', uid: 'x'}}},
    {spec: {boundObjectRef: {kind: 'Other', apiVersion: 'v1', name: 'x'}}},
    {spec: {boundObjectRef: {kind: 'Secret', apiVersion: 'v1', name: 'missing'}}},
    {spec: {boundObjectRef: {kind: 'Node', apiVersion: 'v1', name: 'missing'}}},
    {metadata: {name: 'other'}},
    {spec: 5},
  ],
};
const common: readonly JsonValue[] = [
  {},
  {unknown: 1},
  {status: {}},
  {status: 5},
  {spec: 5},
  {metadata: {name: 'other'}},
  {metadata: {resourceVersion: '1'}},
  {metadata: {uid: 'x'}},
  {metadata: {labels: {a: 'b c'}}},
  {kind: 'Other'},
  {apiVersion: 'other/v1'},
];
const connections = new Set(['attach', 'exec', 'portforward', 'proxy', 'log']);

function of({type, base, object, title, name}: KnownType): CompareRequest[] {
  const missing = object.replace(/[^/]+$/, 'missing');
  const found: CompareRequest[] = [];
  for (const {name: subresource, kind, groupVersion} of type.subresources) {
    if (connections.has(subresource)) continue;
    const own = kind === type.kind;
    const head = {apiVersion: groupVersion, kind, metadata: {name, ...(type.namespaced && {namespace: 'default'})}};
    const add = (method: string, path: string, about: string, more: Partial<CompareRequest> = {}) =>
      found.push({method, path: `${path}/${subresource}`, about: `${title} ${subresource} ${about}`, ...more});
    for (const at of [object, missing]) {
      add('GET', at, 'get');
      add('GET', at, 'get a version', {path: `${at}/${subresource}?resourceVersion=x`});
      add('DELETE', at, 'delete', {path: withQuery(`${at}/${subresource}`, [dryRun])});
      for (const member of [...(bodies[kind] ?? []), ...common] as Record<string, JsonValue>[]) {
        const whole = {...(own ? base : {}), ...head, ...member, metadata: {...head.metadata, ...Object(member['metadata'])}};
        const about = JSON.stringify(member);
        for (const level of ['Strict', 'Warn']) {
          const query = (...more: (readonly [string, string])[]) =>
            withQuery(`${at}/${subresource}`, [dryRun, ['fieldValidation', level], ...more]);
          add('PUT', at, about, {path: query(), body: whole});
          add('POST', at, about, {path: query(), body: whole});
          add('PATCH', at, about, {path: query(), body: member, headers: {'content-type': patchTypes.merge}});
          add('PATCH', at, about, {path: query(), body: member, headers: {'content-type': patchTypes.strategic}});
          add('PATCH', at, about, {path: query(['fieldManager', 'a']), body: whole, headers: {'content-type': patchTypes.apply}});
        }
      }
      add('PATCH', at, 'json patch', {
        path: withQuery(`${at}/${subresource}`, [dryRun]),
        body: [{op: 'replace', path: '/spec/nothing', value: 1}],
        headers: {'content-type': patchTypes.json},
      });
      add('PATCH', at, 'no manager', {
        path: withQuery(`${at}/${subresource}`, [dryRun]),
        body: head,
        headers: {'content-type': patchTypes.apply},
      });
    }
  }
  for (const subresource of [
    'status',
    'scale',
    'nothing',
    'exec',
    'log',
    'finalize',
    'approval',
    'proxy',
    'token',
    'eviction',
    'binding',
  ]) {
    if (type.subresources.some((one) => one.name === subresource)) continue;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      found.push({
        method,
        path: withQuery(`${object}/${subresource}`, [dryRun]),
        ...(method !== 'GET' && method !== 'DELETE' && {body: {}}),
        about: `${title} ${subresource}, which it has not`,
      });
  }
  return found;
}

/** What is asked of subresources, those of other types too. */
export function subresourceRequests({types}: KindContext): CompareRequest[] {
  return types.flatMap(of);
}
