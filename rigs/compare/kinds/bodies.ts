import type {CompareRequest} from '../compare-request.js';
import {dryRun, newObject, patchTypes, typesOf, withQuery, type KindContext, type KnownType} from './request-kind.js';

/** Types of each sort: of the core and of groups, with and without a binary form, in and outside of namespaces. */
const resources = [
  'configmaps',
  'pods',
  'secrets',
  'services',
  'nodes',
  'namespaces',
  'deployments',
  'leases',
  'clusterroles',
  'customresourcedefinitions',
  'apiservices',
  'resourceclaims',
];
const deep = 20_000;

/** Bodies as text. HEAD is the type and metadata of an object, REST its other members. */
const jsonTexts: readonly string[] = [
  '',
  ' ',
  'null',
  '5',
  '"x"',
  '[]',
  '{}',
  'true',
  '{',
  '}',
  '[',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{a:1}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '{"a":1} x',
  '{"a":01}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":1e999}',
  '{"a":NaN}',
  '{"a":tru}',
  '{"a":"\u0001"}',
  '{"a":"\\x"}',
  '{"a":"\\ud800"}',
  '\ufeff{}',
  '{"HEAD',
  'x: 1',
  'not: [json',
  '<a/>',
  'HEAD',
  '{HEAD}',
  '{HEAD,REST}',
  '{HEAD,REST,"unknown":1}',
  '{HEAD,REST,"unknown":1,"unknown":2}',
  '{HEAD,REST,"kind":"Other"}',
  '{HEAD,REST,"metadata":{"name":"new","name":"new"}}',
  '{HEAD,REST,"metadata":{"labels":{"a":"b","a":"c"}}}',
  '{HEAD,REST,"metadata":{"unknown":1,"labels":{"a":"b","a":"c"}},"spec":{"x":1,"x":2}}',
  '{HEAD,REST,"a":1,"b":2,"c":3,"a":4}',
  '{HEAD,REST,"spec":null}',
  '{HEAD,REST,"spec":[]}',
  '{HEAD,REST,"status":"x"}',
  '{HEAD,REST,"data":{"a":1}}',
  '{HEAD,REST,"data":"x"}',
  '{HEAD,REST,"metadata":null}',
  '{HEAD,REST,"metadata":"x"}',
  '{HEAD,REST,"metadata":{"labels":{"a":1}}}',
  '{HEAD,REST,"metadata":{"name":5}}',
  '{HEAD,REST,"metadata":{"generation":1.5}}',
  '{HEAD,REST,"metadata":{"creationTimestamp":"x"}}',
  '{HEAD,REST,"metadata":{"deletionGracePeriodSeconds":99999999999999999999}}',
  '{HEAD,REST,"metadata":{"ownerReferences":{"a":1}}}',
  '{"kind":5}',
  '{"kind":"Other"}',
  '{"apiVersion":"v1"}',
  '{"apiVersion":5,"kind":"x"}',
  '{"apiVersion":"a/b/c","kind":"x"}',
  '{"kind":"List","apiVersion":"v1","items":[]}',
  '{"kind":"Status","apiVersion":"v1"}',
  '{"kind":"Pod","apiVersion":"v1","kind":"Pod"}',
  '{"Kind":"Pod"}',
  '{"metadata":{"name":"new"}}',
  '{"items":[]}',
  '{HEAD,REST,"metadata":{"name":"new\\u0000"}}',
  '{HEAD,REST,"\\u0000":1}',
  '{HEAD,REST,"":1}',
  '{HEAD,REST,"a.b":1,"c d":2,"e\\"f":3}',
  '{HEAD,REST,"metadata":{"annotations":{"a":"\\ud800"}}}',
];

const yamlTexts: readonly string[] = [
  '---\n',
  '--- {}\n--- {}\n',
  'a: b: c',
  '- a\n- b',
  'a:\n\tb: 1',
  '&a [*a]',
  '*x',
  '!!binary x',
  'key: *unknown',
  '{',
  'a: [',
  "a: 'x",
  'a: |\n x\n y',
  '%YAML 9.9\n---\na: 1',
  '? a\n: b',
  '1: 2',
  'true: x',
  'null: x',
  '[a]: b',
  'a: 1\na: 2',
  'metadata:\n  name: new\n  name: new',
  'HEAD',
  'HEAD\nunknown: 1',
  'HEAD\nunknown: 1\nunknown: 2',
  'HEAD\ndata:\n  a: b\n  a: c',
  'HEAD\nspec:\n  x: 1\n  x: 2\n  y: 1\n',
  'HEAD\ndata:\n  a: 1',
  'HEAD\ndata:\n  a: yes',
  'HEAD\nspec: x',
  'HEAD\nspec: ~',
  'HEAD\n"a": !!float x',
  'HEAD\na: <<',
  'HEAD\n<<: {a: 1}',
  'HEAD\nb: &x {c: 1}\nd: *x',
  '\ufeffHEAD',
  '# only\n',
  '...',
  'HEAD\n---\nHEAD',
  'HEAD\n...\nrest',
  '{"kind": "Pod",}',
  '@a',
  '`a',
  'a: @b',
  'a: "\\q"',
];

const mediaTypes = [
  'application/json',
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'application/json; charset=utf-8',
  'application/json;x',
  '',
  'text/plain',
  'application/xml',
  '*/*',
  'application/*',
  'application/cbor',
  'application/apply-patch+cbor',
  'x',
  'application/json, application/yaml',
  'APPLICATION/JSON',
  'application/strategic-merge-patch+json',
  'application/vnd.kubernetes.protobuf',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  ';',
  'application/json;charset="x',
  'application/merge-patch+json; charset=utf-8',
];

/** Binary bodies, in base64: nothing, other bytes, the begin of an envelope, envelopes of nothing and of another kind. */
const binaries = [
  '',
  'AAAA',
  'azhzAA==',
  'azhzAAo=',
  'azhzAAoJCgJ2MRIDUG9k',
  'azhzAAoNCgJ2MRIHTm90aGluZxIA',
  'azhzAAoQCgJ2MRIKQ29uZmlnTWFwcxIA',
  'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEgL//w==',
  'azhzABIDCgFh',
  'azhz',
  'eyJhIjoxfQ==',
];

function of(known: KnownType): CompareRequest[] {
  const {base, collection, object, title} = known;
  const {apiVersion, kind, metadata, ...rest} = newObject(known);
  const json = JSON.stringify({apiVersion, kind, metadata}).slice(1, -1);
  const filled = (text: string) =>
    text
      .replaceAll('HEAD', json)
      .replace(',REST', rest === undefined || Object.keys(rest).length === 0 ? '' : `,${JSON.stringify(rest).slice(1, -1)}`);
  const yaml = (text: string) =>
    text.replaceAll(
      'HEAD',
      `apiVersion: ${String(apiVersion)}\nkind: ${String(kind)}\nmetadata:\n  name: ${String(Object(metadata)['name'])}`,
    );
  const found: CompareRequest[] = [];
  const add = (method: string, path: string, type: string, body: Pick<CompareRequest, 'text' | 'bytes'>, level = 'Strict') =>
    found.push({
      method,
      path:
        method === 'DELETE'
          ? path
          : withQuery(path, [dryRun, ['fieldValidation', level], ...(type === patchTypes.apply ? ([['fieldManager', 'a']] as const) : [])]),
      ...body,
      headers: {'content-type': type},
      about: `${title} ${type} ${(body.text ?? body.bytes!).slice(0, 60)}`,
    });
  // Whatever is taken for options deletes.
  const missing = object.replace(/[^/]+$/, 'missing');
  const everywhere = (type: string, text: string, level?: string) => {
    add('POST', collection, type, {text}, level);
    add('PUT', object, type, {text}, level);
    add('DELETE', missing, type, {text});
  };
  for (const text of jsonTexts) {
    for (const level of ['Strict', 'Warn']) everywhere('application/json', filled(text), level);
    everywhere('application/yaml', filled(text));
    for (const type of Object.values(patchTypes)) add('PATCH', object, type, {text: filled(text)});
  }
  for (const text of yamlTexts) {
    for (const level of ['Strict', 'Warn']) everywhere('application/yaml', yaml(text), level);
    add('PATCH', object, patchTypes.apply, {text: yaml(text)});
    add('PATCH', object, patchTypes.apply, {text: yaml(text)}, 'Warn');
  }
  for (const type of mediaTypes) {
    everywhere(type, JSON.stringify(base));
    add('PATCH', object, type, {text: '{}'});
  }
  for (const bytes of binaries) {
    add('POST', collection, 'application/vnd.kubernetes.protobuf', {bytes});
    add('PUT', object, 'application/vnd.kubernetes.protobuf', {bytes});
    add('DELETE', missing, 'application/vnd.kubernetes.protobuf', {bytes});
    add('PATCH', object, 'application/vnd.kubernetes.protobuf', {bytes});
    add('POST', collection, 'application/json', {bytes});
  }
  for (const text of [`${'['.repeat(deep)}${']'.repeat(deep)}`, `{${json},"unknown":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}`]) {
    everywhere('application/json', text);
    add('PATCH', object, patchTypes.merge, {text});
    add('PATCH', object, patchTypes.json, {text});
  }
  return found;
}

/** Bodies that cannot be read, or not as what is wanted. */
export function bodyRequests(context: KindContext): CompareRequest[] {
  return typesOf(context, ...resources).flatMap(of);
}
