import type {JsonObject} from '../../../sdk/index.js';
import {
  changeVersions,
  definition,
  definitionsPath,
  setUp,
  specVersion,
  tableType,
  thing,
  things,
  withMarker,
  type DefinitionRequest,
  type Scenario,
} from './scenario.js';

const properties = {a: {type: 'string'}};
const plain = specVersion(properties);
const get = (path: string, about: string, more: Partial<DefinitionRequest> = {}): DefinitionRequest => ({
  method: 'GET',
  path,
  about,
  ...more,
});
const post = (body: JsonObject, about: string): DefinitionRequest => ({method: 'POST', path: definitionsPath, body, about});
const pathOf = (name: string) => `${definitionsPath}/${name}`;

/** Conditions of definitions whose names are taken, that are not approved or that no longer exist. */
function conditionScenarios(): Scenario[] {
  const taken = (plural: string, kind: string, more: JsonObject = {}): JsonObject => ({
    ...definition('names.example.com', [plain], {names: {plural, kind, ...more}}),
    metadata: {name: `${plural}.names.example.com`},
  });
  const conflicts: readonly (readonly [string, string, JsonObject?])[] = [
    ['firsts', 'First', {shortNames: ['f', 'fi'], categories: ['all']}],
    ['seconds', 'First'],
    ['thirds', 'Third', {shortNames: ['f', 'fi', 'th']}],
    ['fourths', 'Fourth', {singular: 'first'}],
    ['fifths', 'Fifth', {listKind: 'FirstList'}],
    ['first', 'Sixth'],
    ['sevenths', 'FirstList', {listKind: 'Sevenths'}],
  ];
  const shows = (text: string) => ({settles: {shows: text}}) as const;
  const names = conflicts.flatMap(([plural, kind, more]) => [
    post(taken(plural, kind, more), `names ${plural} ${kind}`),
    get(pathOf(`${plural}.names.example.com`), `conditions of ${plural}`, shows('NamesAccepted')),
  ]);
  const approvals = ['https://example.com/1', 'unapproved, test'].flatMap((approval, at) => {
    const group = `approval${at}.k8s.io`;
    const body = definition(group, [plain]);
    return [
      post(
        {...body, metadata: {...(body['metadata'] as JsonObject), annotations: {'api-approved.kubernetes.io': approval}}},
        `approval ${approval}`,
      ),
      get(`/apis/${group}/v1/namespaces/default/things`, 'objects', {settles: 'served'}),
      get(pathOf(`things.${group}`), `conditions with approval ${approval}`, shows('KubernetesAPIApprovalPolicyConformant')),
    ];
  });
  const cluster = 'cluster.example.com';
  return [
    {name: 'names', requests: [...names, get('/apis/names.example.com/v1', 'discovery', {settles: {shows: 'fourths'}})]},
    {name: 'approvals', requests: approvals},
    {
      name: 'cluster',
      requests: [
        post(
          definition(cluster, [plain], {
            scope: 'Cluster',
            names: {plural: 'things', kind: 'Thing', shortNames: ['tg'], categories: ['all', 'mine']},
          }),
          'cluster scope',
        ),
        get(`/apis/${cluster}/v1/things`, 'objects', {settles: 'served'}),
        get(pathOf(`things.${cluster}`), 'definition', shows('Established')),
        get(pathOf(`things.${cluster}`), 'definition as a table', {accept: tableType}),
        get(`/apis/${cluster}/v1`, 'discovery'),
        get(things(cluster), 'namespaced path'),
        {
          method: 'POST',
          path: `/apis/${cluster}/v1/things?dryRun=All`,
          body: {...thing(cluster, 'o', {}), metadata: {name: 'o', namespace: 'default'}},
          about: 'namespace',
        },
        ...[
          {scope: 'Namespaced'},
          {names: {plural: 'things', kind: 'Other'}},
          {names: {plural: 'others', kind: 'Thing'}},
          {group: 'other.example.com'},
        ].map((spec): DefinitionRequest => ({
          method: 'PATCH',
          path: `${pathOf(`things.${cluster}`)}?dryRun=All`,
          body: {spec},
          about: `change ${JSON.stringify(spec)}`,
        })),
        {method: 'DELETE', path: `${pathOf(`things.${cluster}`)}?dryRun=All`, about: 'delete'},
      ],
    },
  ];
}

function versionScenario(): Scenario {
  const group = 'versions.example.com';
  const other = (name: string, more: JsonObject = {}): JsonObject => ({...plain, name, storage: false, ...more});
  const all = [
    {...plain, deprecated: true},
    other('v2', {deprecated: true, deprecationWarning: 'use v3 "now"'}),
    other('v1beta1', {served: false}),
    other('v3alpha1'),
    other('other'),
  ];
  const at = (name: string) => `/apis/${group}/${name}/namespaces/default/things`;
  const created = definition(
    group,
    all.map((one) => withMarker(one, 0)),
  );
  return {
    name: 'versions',
    requests: [
      ...setUp(group, created),
      {method: 'POST', path: at('v2'), body: {...thing(group, 'o', {spec: {a: 'b'}}), apiVersion: `${group}/v2`}, about: 'object'},
      ...['v1', 'v2', 'v1beta1', 'v3alpha1', 'other', 'v9'].map((name) => get(`${at(name)}/o`, `version ${name}`)),
      get(`/apis/${group}`, 'versions'),
      get(pathOf(`things.${group}`), 'definition'),
      ...changeVersions(group, 1, [plain, other('v2')]),
      get(`${at('v2')}/o`, 'version v2'),
      {
        method: 'PATCH',
        path: `${pathOf(`things.${group}`)}?dryRun=All`,
        body: {spec: {versions: [other('v2', {storage: true})]}},
        about: 'without a stored version',
      },
      {
        method: 'PATCH',
        path: pathOf(`things.${group}`),
        body: {spec: {versions: [{...plain, storage: false}, other('v2', {storage: true})]}},
        about: 'another storage version',
      },
      get(pathOf(`things.${group}`), 'definition'),
      {
        method: 'PATCH',
        path: `${pathOf(`things.${group}`)}/status?dryRun=All`,
        body: {status: {storedVersions: ['v2']}},
        about: 'stored versions',
      },
    ],
  };
}

/** A webhook that nobody serves. */
function conversionScenario(): Scenario {
  const group = 'conversion.example.com';
  const versions = [plain, {...plain, name: 'v2', storage: false}];
  const conversion = {strategy: 'Webhook', webhook: {clientConfig: {url: 'https://127.0.0.1:1/convert'}, conversionReviewVersions: ['v1']}};
  const at = (name: string, object = '') => `/apis/${group}/${name}/namespaces/default/things${object && `/${object}`}`;
  return {
    name: 'conversion',
    requests: [
      ...setUp(group, definition(group, versions, {conversion})),
      {method: 'POST', path: at('v1'), body: thing(group, 'o', {spec: {a: 'b'}}), about: 'object'},
      get(at('v1', 'o'), 'stored version'),
      get(at('v2', 'o'), 'version to convert to'),
      get(at('v2'), 'list to convert'),
      {method: 'POST', path: at('v2'), body: {...thing(group, 'p', {}), apiVersion: `${group}/v2`}, about: 'object to convert'},
      {method: 'PATCH', path: at('v2', 'o'), body: {spec: {a: 'c'}}, about: 'patch to convert'},
      {method: 'DELETE', path: at('v2', 'o'), about: 'delete to convert'},
    ],
  };
}

export function statusScenarios(): Scenario[] {
  return [...conditionScenarios(), versionScenario(), conversionScenario()];
}
