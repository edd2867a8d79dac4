import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {definition, definitionsPath, setUp, specVersion, type DefinitionRequest, type Scenario} from './scenario.js';

const group = 'parts.example.com';
const properties: JsonObject = {
  a: {type: 'string'},
  n: {type: 'integer'},
  o: {type: 'object', properties: {b: {type: 'boolean'}, l: {type: 'array', items: {type: 'string'}}}},
  m: {type: 'object', additionalProperties: {type: 'string'}},
  x: {type: 'number'},
  i: {'x-kubernetes-int-or-string': true},
  p: {'x-kubernetes-preserve-unknown-fields': true},
};
const plain = specVersion(properties);
const other = (name: string, more: JsonObject = {}) => ({...plain, name, storage: false, ...more}) as JsonObject;
const withVersion = (more: JsonObject): JsonObject => ({versions: [{...plain, ...more}]});
const columns = (...list: JsonValue[]): JsonObject => withVersion({additionalPrinterColumns: list});
const column = {name: 'A', type: 'string', jsonPath: '.spec.a'};
const selectable = (...paths: (string | null)[]): JsonObject => withVersion({selectableFields: paths.map((jsonPath) => ({jsonPath}))});
const scale = (more: JsonObject): JsonObject =>
  withVersion({subresources: {scale: {specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', ...more}}});
const webhook = (more: JsonObject, strategy = 'Webhook'): JsonObject => ({
  conversion: {strategy, webhook: {clientConfig: {url: 'https://example.com/convert'}, conversionReviewVersions: ['v1'], ...more}},
});
const client = (clientConfig: JsonObject): JsonObject => webhook({clientConfig});
const names = (more: JsonObject): JsonObject => ({names: {plural: 'things', kind: 'Thing', ...more}});

/** Parts of the spec, each in place of those of a definition without faults. */
const specs: readonly JsonObject[] = [
  {},
  {group: ''},
  {group: 'nodots'},
  {group: 'A.b'},
  {group: 'a..b'},
  {group: 'other.example.com'},
  {scope: ''},
  {scope: 'Global'},
  {scope: 'Cluster'},
  names({plural: ''}),
  names({plural: 'Things'}),
  names({plural: 'other'}),
  names({plural: 'a.b'}),
  names({kind: ''}),
  names({kind: 'thing'}),
  names({kind: 'A b'}),
  names({kind: 'Thing', listKind: 'Thing'}),
  names({listKind: 'a_b'}),
  names({singular: 'Thing'}),
  names({singular: 'thing', listKind: 'Things'}),
  names({shortNames: ['t', 'T', '', 'a b']}),
  names({shortNames: ['t', 't']}),
  names({categories: ['all', 'All', '']}),
  names({kind: 'a'.repeat(64)}),
  {versions: []},
  {versions: null},
  {versions: [other('v1')]},
  {versions: [plain, plain]},
  {versions: [plain, other('v2', {storage: true})]},
  {versions: [{...plain, name: ''}]},
  {versions: [{...plain, name: 'V1'}]},
  {versions: [{...plain, name: 'v1.1'}]},
  {versions: [{...plain, name: 'a'.repeat(64)}]},
  {versions: [{name: 'v1', served: true, storage: true}]},
  {versions: [{name: 'v1', served: false, storage: true}]},
  {versions: [{name: 'v1', served: true, storage: true, schema: {}}]},
  {versions: [plain, other('v2', {schema: {openAPIV3Schema: {type: 'string'}}})]},
  {versions: [{...plain, served: false}, other('v2', {served: false})]},
  {versions: [{name: 'v1', served: true}]},
  {versions: [{name: 'v1', storage: true}]},
  withVersion({deprecated: true}),
  withVersion({deprecated: true, deprecationWarning: 'use v2'}),
  withVersion({deprecated: false, deprecationWarning: 'use v2'}),
  withVersion({deprecated: true, deprecationWarning: ''}),
  withVersion({deprecated: true, deprecationWarning: 'a\nb'}),
  withVersion({deprecated: true, deprecationWarning: 'x'.repeat(257)}),
  {preserveUnknownFields: true},
  {preserveUnknownFields: false},
  columns(column),
  columns({...column, name: ''}),
  columns({...column, type: ''}),
  columns({...column, type: 'object'}),
  columns({...column, type: 'date', format: 'date-time', priority: 1, description: 'd'}),
  columns({...column, format: 'odd'}),
  columns({...column, jsonPath: ''}),
  columns({...column, jsonPath: 'spec.a'}),
  columns({...column, jsonPath: '.spec.a['}),
  columns({...column, jsonPath: '{.spec.a}'}),
  columns({...column, jsonPath: '.spec.o.l[*]'}),
  columns({...column, jsonPath: '.spec.o.l[?(@.x=="y")].z'}),
  columns({...column, jsonPath: '.spec.missing'}),
  columns({...column, jsonPath: '.'}),
  columns({...column, jsonPath: '..a'}),
  columns({...column, priority: -1}),
  columns(column, column),
  selectable('.spec.a'),
  selectable('.spec.n', '.spec.o.b'),
  selectable(''),
  selectable('spec.a'),
  selectable('.spec'),
  selectable('.spec.o'),
  selectable('.spec.o.l'),
  selectable('.spec.o.l[0]'),
  selectable('.spec.m'),
  selectable('.spec.m.x'),
  selectable('.spec.x'),
  selectable('.spec.i'),
  selectable('.spec.p'),
  selectable('.spec.p.q'),
  selectable('.metadata.name'),
  selectable('.metadata'),
  selectable('.kind'),
  selectable('.apiVersion'),
  selectable('.spec.a', '.spec.a'),
  selectable('.spec.missing'),
  selectable('.spec["a"]'),
  selectable('{.spec.a}'),
  selectable('.spec.a '),
  selectable(...'abcdefghi'.split('').map(() => '.spec.a')),
  selectable(...'abcdefghi'.split('').map((letter) => `.spec.${letter}`)),
  selectable(null),
  withVersion({selectableFields: []}),
  withVersion({selectableFields: [{}]}),
  scale({}),
  scale({specReplicasPath: ''}),
  scale({statusReplicasPath: ''}),
  scale({specReplicasPath: 'spec.n'}),
  scale({specReplicasPath: '.status.n'}),
  scale({statusReplicasPath: '.spec.n'}),
  scale({specReplicasPath: '.spec'}),
  scale({specReplicasPath: '.spec.n[0]'}),
  scale({specReplicasPath: '.spec.missing'}),
  scale({specReplicasPath: '.spec.a'}),
  scale({labelSelectorPath: '.status.selector'}),
  scale({labelSelectorPath: '.metadata.x'}),
  scale({labelSelectorPath: 'status'}),
  scale({labelSelectorPath: '.status.a[0]'}),
  scale({labelSelectorPath: ''}),
  withVersion({subresources: {}}),
  withVersion({subresources: {status: {}}}),
  withVersion({subresources: {status: null, scale: {}}}),
  {conversion: {strategy: 'None'}},
  {conversion: {strategy: ''}},
  {conversion: {strategy: 'Odd'}},
  {conversion: {strategy: 'Webhook'}},
  {conversion: {}},
  webhook({}),
  webhook({}, 'None'),
  webhook({clientConfig: null}),
  webhook({conversionReviewVersions: []}),
  webhook({conversionReviewVersions: ['v1', 'v1']}),
  webhook({conversionReviewVersions: ['v2']}),
  webhook({conversionReviewVersions: ['v1', 'A_b', '']}),
  client({}),
  client({url: 'http://example.com'}),
  client({url: 'https://user:pw@example.com'}),
  client({url: 'https://example.com?a#b'}),
  client({url: ':'}),
  client({url: ''}),
  client({url: 'https://example.com', service: {namespace: 'a', name: 'b'}}),
  client({service: {namespace: '', name: ''}}),
  client({service: {namespace: 'a', name: 'b', path: 'x', port: 0}}),
  client({service: {namespace: 'a', name: 'b', path: '/a//b', port: 70000}}),
  client({service: {namespace: 'a', name: 'b', path: '/a b'}}),
  client({url: 'https://example.com', caBundle: 'eA=='}),
  client({url: 'https://example.com', caBundle: ''}),
];

const metadatas: readonly JsonObject[] = [
  {name: 'other.parts.example.com'},
  {name: 'Things.parts.example.com'},
  {name: ''},
  {generateName: 'a-'},
  {name: `things.${group}`, namespace: 'default'},
  {name: `things.${group}`, annotations: {'api-approved.kubernetes.io': 'https://example.com'}},
];

/** That of the definition which is changed. */
const changedGroup = 'changes.example.com';
const whole = (spec: JsonObject): JsonObject => definition(group, [plain], spec);
const about = (kind: string, spec: JsonObject) => `${kind} ${JSON.stringify(spec).slice(0, 160)}`;

function newDefinitions(): DefinitionRequest[] {
  const post = (body: JsonObject, text: string): DefinitionRequest => ({
    method: 'POST',
    path: `${definitionsPath}?dryRun=All`,
    body,
    about: text,
  });
  return [
    ...specs.map((spec) => post(whole(spec), about('definition', spec))),
    ...specs
      .slice(0, 60)
      .map((spec, at) => post(whole({...specs[(at * 7 + 3) % specs.length]!, ...spec}), about('definition twice', spec))),
    ...metadatas.map((metadata) => post({...whole({}), metadata}, about('metadata', metadata))),
    ...approvals().map((body) => post(body, about('approval', body['metadata'] as JsonObject))),
  ];
}

function approvals(): JsonObject[] {
  return ['a.k8s.io', 'k8s.io', 'b.kubernetes.io', 'kubernetes.io', 'xk8s.io'].flatMap((protectedGroup) =>
    ['', 'unapproved, experimental', 'https://github.com/kubernetes/kubernetes/pull/1', 'maybe', 'http:/x', undefined].map((approval) => {
      const body = definition(protectedGroup, [plain]);
      const annotations = approval === undefined ? {} : {'api-approved.kubernetes.io': approval};
      return {...body, metadata: {...(body['metadata'] as JsonObject), annotations}};
    }),
  );
}

/** Each part as a change of a stored definition, by a patch. */
function changedDefinitions(): DefinitionRequest[] {
  const path = `${definitionsPath}/things.${changedGroup}`;
  const patch = (body: JsonObject, text: string, more: Partial<DefinitionRequest> = {}): DefinitionRequest => ({
    method: 'PATCH',
    path: `${path}?dryRun=All`,
    body,
    about: text,
    ...more,
  });
  const status = (body: JsonObject) => patch({status: body}, about('status', body), {path: `${path}/status?dryRun=All`});
  return [
    ...specs.map((spec) => patch({spec}, about('change', spec))),
    ...approvals()
      .slice(0, 6)
      .map((body) => patch({metadata: {annotations: (body['metadata'] as JsonObject)['annotations']!}}, 'approval later')),
    status({storedVersions: []}),
    status({storedVersions: ['v2']}),
    status({storedVersions: ['v1', 'v2']}),
    status({storedVersions: null}),
    status({acceptedNames: {plural: 'A', kind: 'a b'}}),
    status({conditions: [{type: 'Established', status: 'Odd'}]}),
    status({conditions: [{type: 'Other', status: 'True', reason: 'a b', message: 'm'}]}),
    {method: 'GET', path, about: 'stored definition'},
    {method: 'PUT', path: `${path}?dryRun=All`, body: definition(changedGroup, [plain]), about: 'update without version'},
  ];
}

export function definitionScenarios(): Scenario[] {
  return [
    {name: 'new definitions', requests: newDefinitions()},
    {name: 'changed definitions', requests: [...setUp(changedGroup, definition(changedGroup, [plain])), ...changedDefinitions()]},
  ];
}
