import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {
  applyType,
  definition,
  definitionsPath,
  setUp,
  specVersion,
  tableType,
  thing,
  things,
  type DefinitionRequest,
  type Scenario,
} from './scenario.js';

const text = {type: 'string'};
const get = (path: string, about: string, more: Partial<DefinitionRequest> = {}): DefinitionRequest => ({
  method: 'GET',
  path,
  about,
  ...more,
});
const query = (selector: string) => `fieldSelector=${encodeURIComponent(selector)}`;

function selectorScenario(): Scenario {
  const group = 'selectors.example.com';
  const created = definition(group, [
    specVersion(
      {
        color: text,
        size: {type: 'integer'},
        on: {type: 'boolean'},
        deep: {type: 'object', properties: {x: text}},
        big: {type: 'integer', format: 'int64'},
      },
      {selectableFields: [{jsonPath: '.spec.color'}, {jsonPath: '.spec.size'}, {jsonPath: '.spec.on'}, {jsonPath: '.spec.deep.x'}]},
    ),
  ]);
  const objects: JsonObject[] = [
    {color: 'red', size: 1, on: true},
    {color: 'blue', size: 2, on: false, deep: {x: 'y'}},
    {color: 'a,b=c', size: -1},
    {},
    {color: '', size: 0, on: false},
  ];
  const selectors = [
    'spec.color=red',
    'spec.color==red',
    'spec.color!=red',
    'spec.color=',
    'spec.color!=',
    'spec.size=1',
    'spec.size=01',
    'spec.size=-1',
    'spec.size=0',
    'spec.size!=1',
    'spec.size=x',
    'spec.on=true',
    'spec.on=false',
    'spec.on=TRUE',
    'spec.on=',
    'spec.deep.x=y',
    'spec.deep=y',
    'spec.color=red,spec.size=1',
    'spec.color=red,spec.size=2',
    'spec.color=a\\,b\\=c',
    'metadata.name=o0',
    'metadata.namespace=default',
    'metadata.namespace=other',
    'metadata.name=o1,spec.color=blue',
    'spec.big=1',
    'spec.missing=1',
    '.spec.color=red',
    'spec=1',
    'status.x=1',
    'metadata.uid=1',
    'spec.color>1',
    'spec.color in (a)',
    'spec.color',
    '=',
    ',',
    'spec.color=red,,spec.size=1',
  ];
  const list = (selector: string) => things(group, '', query(selector));
  const published = `/openapi/v3/apis/${group}/v1`;
  return {
    name: 'selectors',
    requests: [
      ...setUp(group, created),
      ...objects.map((spec, at): DefinitionRequest => ({
        method: 'POST',
        path: things(group),
        body: thing(group, `o${at}`, {spec}),
        about: 'object',
      })),
      ...selectors.map((selector) => get(list(selector), `selector ${selector}`)),
      ...selectors.slice(0, 12).map((selector) => get(`/apis/${group}/v1/things?${query(selector)}`, `selector everywhere ${selector}`)),
      ...selectors.slice(0, 4).map((selector) => get(list(selector), `selector of a table ${selector}`, {accept: tableType})),
      get(`${definitionsPath}/things.${group}`, 'definition'),
      get(published, 'published selectable fields', {settles: {shows: 'x-kubernetes-selectable-fields'}, named: group}),
      ...selectors.slice(0, 8).map((selector): DefinitionRequest => ({
        method: 'DELETE',
        path: `${list(selector)}&dryRun=All`,
        about: `delete collection ${selector}`,
      })),
      {method: 'DELETE', path: list('spec.size=1'), about: 'delete collection'},
      {method: 'DELETE', path: list('spec.missing=1'), about: 'delete collection of a field that cannot select'},
      get(things(group), 'what is left'),
    ],
  };
}

function tableScenarios(): Scenario[] {
  const group = 'tables.example.com';
  const paths: readonly (readonly [string, string, JsonObject?])[] = [
    ['string', '.spec.text'],
    ['string', '.spec.number'],
    ['string', '.spec.list'],
    ['string', '.spec.list[*]'],
    ['string', '.spec.list[0]'],
    ['string', '.spec.object'],
    ['string', '.spec.object.a'],
    ['string', '.spec.items[*].name'],
    ['string', '.spec.items[?(@.name=="b")].value'],
    ['string', '.spec.flag'],
    ['string', '.spec.missing'],
    ['string', '.spec.null'],
    ['integer', '.spec.number'],
    ['integer', '.spec.text'],
    ['integer', '.spec.fraction'],
    ['integer', '.spec.list'],
    ['integer', '.spec.items[*].value'],
    ['number', '.spec.fraction'],
    ['number', '.spec.number'],
    ['number', '.spec.text'],
    ['boolean', '.spec.flag'],
    ['boolean', '.spec.text'],
    ['date', '.spec.date'],
    ['date', '.spec.text'],
    ['date', '.spec.future'],
    ['date', '.spec.number'],
    ['date', '.metadata.creationTimestamp'],
    ['string', '.metadata.labels.a\\.b/c'],
    ['string', ".metadata.labels['a\\.b/c']"],
    ['string', '.kind'],
    ['string', '.spec.text', {priority: 1, description: 'wide'}],
    ['string', '.spec.text', {format: 'password'}],
    ['string', '.spec.list[-1:]'],
    ['string', '.spec.list[0,1]'],
    ['string', '.spec..name'],
  ];
  const columns = paths.map(([type, jsonPath, more], at) => ({name: `C${at}`, type, jsonPath, ...more}));
  const free = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const specs: JsonObject[] = [
    {
      text: 'a text',
      number: 5,
      fraction: 1.5,
      list: ['x', 'y', 'z'],
      object: {a: 'b', c: [1, {d: null}]},
      items: [
        {name: 'a', value: 1},
        {name: 'b', value: 2},
      ],
      flag: true,
      null: null,
      date: '2001-02-03T04:05:06Z',
      future: '2199-01-01T00:00:00Z',
    },
    {},
    {text: '', number: 0, fraction: 0.1, list: [], object: {}, items: [], flag: false, date: ''},
    {text: 'a\nb', number: 1e21, fraction: -1e-7, list: [[1], {a: 2}], object: 'no', items: 'no', flag: 'true', date: 'yesterday'},
    {text: 'x'.repeat(300), number: 9_007_199_254_740_992, list: [1, 2.5, true, null], date: '2001-02-03'},
  ];
  const wide = (path: string) => get(path, 'table', {accept: tableType});
  const plainGroup = 'plain.example.com';
  return [
    {
      name: 'tables',
      requests: [
        ...setUp(
          group,
          definition(group, [
            {...specVersion({}), schema: {openAPIV3Schema: {type: 'object', properties: {spec: free}}}, additionalPrinterColumns: columns},
          ]),
        ),
        ...specs.map((spec, at): DefinitionRequest => ({
          method: 'POST',
          path: things(group),
          body: {...thing(group, `o${at}`, {spec}), metadata: {name: `o${at}`, labels: {'a.b/c': 'label'}}},
          about: 'object',
        })),
        wide(things(group)),
        ...specs.map((_spec, at) => wide(things(group, `o${at}`))),
        wide(things(group, '', 'includeObject=None')),
        wide(things(group, '', 'includeObject=Object&limit=2')),
        wide(things(group, '', 'includeObject=Odd')),
        wide(things(group, 'missing')),
        get(things(group), 'list'),
        ...setUp(plainGroup, definition(plainGroup, [specVersion({a: text})])),
        {method: 'POST', path: things(plainGroup), body: thing(plainGroup, 'o', {}), about: 'object'},
        wide(things(plainGroup)),
        get(things(plainGroup), 'metadata', {accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'}),
        get(things(plainGroup), 'protobuf', {accept: 'application/vnd.kubernetes.protobuf'}),
      ],
    },
  ];
}

function subresourceScenario(): Scenario {
  const group = 'scales.example.com';
  const part = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const created = definition(group, [
    {
      ...specVersion({}),
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {marker: {type: 'integer'}, spec: {...part, properties: {n: {type: 'integer', maximum: 9}}}, status: part},
        },
      },
      subresources: {
        status: {},
        scale: {specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.selector'},
      },
    },
  ]);
  const object = things(group, 'o');
  const put = (path: string, body: JsonObject, about: string): DefinitionRequest => ({method: 'PATCH', path, body, about});
  const scaleBodies: JsonObject[] = [
    {spec: {replicas: 3}},
    {spec: {replicas: -1}},
    {spec: {replicas: 100}},
    {spec: {replicas: 'x'}},
    {spec: {replicas: null}},
    {spec: null},
    {spec: {replicas: 3_000_000_000}},
    {status: {replicas: 7}},
    {metadata: {labels: {a: 'b'}}},
    {metadata: {name: 'other'}},
    {metadata: {resourceVersion: '1'}},
    {kind: 'Other'},
    {unknown: 1},
  ];
  const objectBodies: JsonObject[] = [
    {spec: {n: -1}},
    {spec: {n: 3_000_000_000}},
    {spec: {n: null}},
    {status: {n: -1}},
    {status: {n: 'x', selector: 5}},
    {status: {selector: {a: 1}}},
    {metadata: {generation: 50}},
    {marker: 1},
    {spec: {free: {a: [1]}}, status: {free: 1}},
  ];
  return {
    name: 'subresources',
    requests: [
      ...setUp(group, created),
      {method: 'POST', path: things(group), body: thing(group, 'o', {spec: {n: 1}, status: {n: 5}}), about: 'object'},
      get(object, 'object'),
      get(`${object}/scale`, 'scale'),
      put(`${object}/status`, {status: {n: 1, selector: 'a=b'}, spec: {n: 8}, metadata: {labels: {c: 'd'}}}, 'status'),
      get(`${object}/scale`, 'scale'),
      ...scaleBodies.map((body) => put(`${object}/scale?dryRun=All`, body, `scale ${JSON.stringify(body)}`)),
      ...objectBodies.flatMap((body) => [
        put(`${object}?dryRun=All`, body, `object ${JSON.stringify(body)}`),
        put(`${object}/status?dryRun=All`, body, `status ${JSON.stringify(body)}`),
      ]),
      put(`${object}/scale`, {spec: {replicas: 4}}, 'scale'),
      get(object, 'object'),
      {
        method: 'PUT',
        path: `${object}/scale`,
        body: {apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name: 'o', namespace: 'default'}, spec: {replicas: 2}},
        about: 'scale',
      },
      {
        method: 'PUT',
        path: `${object}/scale`,
        body: {apiVersion: 'v1', kind: 'Scale', metadata: {name: 'o'}, spec: {replicas: 2}},
        about: 'scale of another kind',
      },
      {
        method: 'PATCH',
        path: `${object}/scale?fieldManager=m`,
        type: applyType,
        body: {apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name: 'o'}, spec: {replicas: 2}},
        about: 'apply of scale',
      },
      {method: 'POST', path: `${object}/scale`, body: {}, about: 'method of scale'},
      {method: 'DELETE', path: `${object}/status`, about: 'method of status'},
      get(`${object}/other`, 'subresource that there is not'),
      get(`${things(group, 'missing')}/scale`, 'scale of nothing'),
      get(`/apis/${group}/v1`, 'discovery'),
      get(`/apis/${group}`, 'discovery of the group'),
      get(`/apis/${group}/v2`, 'discovery of a version that there is not'),
      get(`/apis/${group}/v1/namespaces/default/others`, 'resource that there is not'),
    ],
  };
}

const bodiesOf = (group: string): readonly (readonly [string, JsonValue])[] => [
  ['apply', thing(group, 'o', {spec: {list: [{k: 'a', v: '1'}], map: {x: '1'}, set: ['a']}})],
  ['apply', thing(group, 'o', {spec: {list: [{k: 'a', v: '2'}, {k: 'b'}], set: ['b', 'a']}})],
  ['apply', thing(group, 'o', {spec: {list: [{v: '2'}]}})],
  ['apply', thing(group, 'o', {spec: {list: [{k: 'a'}, {k: 'a'}]}})],
  ['apply', thing(group, 'o', {spec: {set: ['a', 'a']}})],
  ['apply', thing(group, 'o', {spec: {unknown: 1}})],
  ['apply', thing(group, 'o', {spec: {list: 'x'}})],
  ['apply', thing(group, 'o', {spec: {atomic: [{k: 'a', v: '1'}]}})],
  ['apply', thing(group, 'o', {spec: {number: 'x'}})],
  ['apply', thing(group, 'o', {spec: {map: {x: null}}})],
  ['apply', thing(group, 'other', {})],
  ['apply', {...thing(group, 'o', {}), kind: 'Other'}],
  ['apply', {...thing(group, 'o', {}), metadata: {name: 'o', managedFields: []}}],
];

function applyScenario(): Scenario {
  const group = 'applied.example.com';
  const item = {type: 'object', properties: {k: text, v: text}, required: ['k']};
  const created = definition(group, [
    specVersion({
      list: {type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k']},
      set: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
      atomic: {type: 'array', items: item},
      map: {type: 'object', additionalProperties: text},
      number: {type: 'integer'},
    }),
  ]);
  const requests = bodiesOf(group).flatMap(([about, body]) =>
    ['one', 'two'].flatMap((manager) =>
      ['', '&force=true', '&dryRun=All&fieldValidation=Strict'].map((options): DefinitionRequest => ({
        method: 'PATCH',
        path: things(group, 'o', `fieldManager=${manager}${options}`),
        type: applyType,
        body: body as JsonObject,
        about,
      })),
    ),
  );
  return {name: 'apply', requests: [...setUp(group, created), ...requests, get(things(group, 'o'), 'object')]};
}

export function objectScenarios(): Scenario[] {
  return [selectorScenario(), ...tableScenarios(), subresourceScenario(), applyScenario()];
}
