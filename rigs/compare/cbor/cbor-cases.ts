import {Hex, item, Pairs, Tagged, Text} from './cbor-items.js';

/** A request in CBOR, or for it. */
export interface CborCase {
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
  readonly contentType?: string;
  readonly accept?: string;
}

const cbor = 'application/cbor';
const applied = 'application/apply-patch+cbor';
const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const dry = '?dryRun=All';

type Members = Record<string, unknown>;

const configMap = (name: string, more: Members = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, ...more});
const withData = (data: unknown) => configMap('data', {data});
const secret = (value: unknown) => ({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'secret'}, data: {a: value}});
const deployment = (spec: Members, container: Members = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'one'},
  spec: {
    selector: {matchLabels: {a: 'b'}},
    template: {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'i', ...container}]}},
    ...spec,
  },
});
const widget = (name: string, spec: unknown) => ({apiVersion: 'example.com/v1', kind: 'Widget', metadata: {name}, spec});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'widgets.example.com'},
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: {plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  text: {type: 'string', default: 'given'},
                  count: {type: 'integer'},
                  share: {type: 'number', maximum: 5},
                  bytes: {type: 'string', format: 'byte'},
                  any: {'x-kubernetes-preserve-unknown-fields': true},
                },
              },
            },
          },
        },
      },
    ],
  },
};

const hex = (text: string) => Buffer.from(text, 'hex');

/** Bodies that are no items, or none that is accepted, whatever they are sent to. */
const malformed: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'an object that is cut off': hex('a1'),
  'a text that is cut off': hex('456162'),
  'a number': hex('01'),
  'a list': hex('80'),
  'a text': hex('6161'),
  bytes: hex('4161'),
  'a float': hex('f93c00'),
  true: hex('f5'),
  'a number behind the tag of CBOR': hex('d9d9f701'),
  'bytes behind the item': Buffer.concat([item(configMap('x')), hex('0000')]),
  'a length of no known form': hex('bc'),
  'an end of nothing': hex('ff'),
  'an object that ends behind a name': hex('bf4161ff'),
  'a tag without an item': hex('c0'),
  'a tag of indefinite length': hex('df01'),
  'a simple value in two bytes that fits one': hex('f810'),
  'a text in parts that are bytes': hex('5f6161ff'),
  'a text in parts that have parts': hex('5f5fffff'),
  JSON: Buffer.from('{"kind":"ConfigMap"}'),
};

/** Objects with something wrong, or odd, in them. */
const odd: Readonly<Record<string, unknown>> = {
  'a member twice': new Pairs([
    ['apiVersion', 'v1'],
    ['kind', 'ConfigMap'],
    ['metadata', {name: 'q'}],
    ['metadata', {name: 'q'}],
  ]),
  'a kind twice': new Pairs([
    ['apiVersion', 'v1'],
    ['kind', 'ConfigMap'],
    ['kind', 'ConfigMap'],
  ]),
  'an unknown member twice': new Pairs([
    ['apiVersion', 'v1'],
    ['zz', 1],
    ['zz', 2],
    ['kind', 'ConfigMap'],
  ]),
  'a key twice': withData(
    new Pairs([
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ]),
  ),
  'a name twice': {
    ...configMap('x'),
    metadata: new Pairs([
      ['name', 'q'],
      ['name', 'r'],
    ]),
  },
  'no number': withData({a: new Hex('f97e00')}),
  infinity: withData({a: new Hex('fb7ff0000000000000')}),
  undefined: withData({a: new Hex('f7')}),
  'a simple value': withData({a: new Hex('f0')}),
  'a simple value of two bytes': withData({a: new Hex('f8ff')}),
  'a large number': withData({a: new Hex('c24101')}),
  'a time that is a number': withData({a: new Hex('c001')}),
  'a time': withData({a: new Tagged(0, new Text('2013-03-21T20:04:00Z'))}),
  'a time that is none': withData({a: new Tagged(0, new Text('abc'))}),
  seconds: withData({a: new Tagged(1, 1)}),
  'bytes for base64url': withData({a: new Hex('d542fffe')}),
  'bytes for base64': withData({a: new Tagged(22, 'abc')}),
  'bytes for hexadecimal digits': withData({a: new Hex('d742fffe')}),
  'an object of bytes for base64': withData(new Tagged(22, {a: 'abc'})),
  'a tag that is not known': withData({a: new Tagged(100, 'abc')}),
  'a text that is no UTF-8': withData({a: new Hex('62fffe')}),
  'a key that is no UTF-8': withData(new Hex('a162fffe4161')),
  'a number where a text is wanted': withData({a: 1}),
  'a list where an object is wanted': withData([]),
  'bytes where an object is wanted': withData('x'),
  'a text where an object is wanted': withData(new Text('x')),
  'a list for a struct': {...configMap('x'), metadata: []},
  'a number for a struct': {...configMap('x'), metadata: 3},
  'bytes for a boolean': configMap('x', {immutable: 'x'}),
  'a number for a name': {...configMap('x'), metadata: {name: 3}},
  'a number for the kind': {apiVersion: 'v1', kind: 3},
  'an object for the version': {apiVersion: {}, kind: 'ConfigMap'},
  'no kind': {metadata: {name: 'x'}},
  'no name': {apiVersion: 'v1', kind: 'ConfigMap'},
  'null for the whole': null,
  'items of no definite length': new Hex(
    'bf5f436b696e4164ff49436f6e6669674d61704a61706956657273696f6e427631486d65746164617461bf446e616d655f42696e426466ffffff',
  ),
  'an unknown field': configMap('x', {bar: 1, data: {a: 'b'}, foo: 2}),
  'an unknown field within': {...configMap('x'), metadata: {name: 'x', zz: 1}},
  'a number for a time': {...configMap('x'), metadata: {name: 'x', deletionTimestamp: 1}},
  'a text that is no time': {...configMap('x'), metadata: {name: 'x', deletionTimestamp: 'x'}},
  'a number for a boolean in a list': {...configMap('x'), metadata: {name: 'x', ownerReferences: [{controller: 1}]}},
  'a float for an integer': {...configMap('x'), metadata: {name: 'x', generation: new Hex('f93e00')}},
  'null for a label': {...configMap('x'), metadata: {name: 'x', labels: {a: null}}},
  'a text and not bytes': new Hex(
    Buffer.from(
      item(
        new Pairs([
          [new Text('apiVersion'), new Text('v1')],
          [new Text('kind'), new Text('ConfigMap')],
          [new Text('metadata'), new Pairs([[new Text('name'), new Text('x')]])],
        ]),
      ),
    ).toString('hex'),
  ),
};

const mistyped: Readonly<Record<string, unknown>> = {
  nothing: deployment({}),
  'bytes for replicas': deployment({replicas: 'x'}),
  'a text for replicas': deployment({replicas: new Text('x')}),
  'too many replicas': deployment({replicas: 3_000_000_000}),
  'half a replica': deployment({replicas: new Hex('f93e00')}),
  'bytes for a port': deployment({}, {ports: [{containerPort: 'x'}]}),
  'a number for a quantity': deployment({}, {resources: {limits: {cpu: 1}}}),
  'a quantity': deployment({}, {resources: {limits: {cpu: '1'}}}),
  'no quantity': deployment({}, {resources: {limits: {cpu: 'zz'}}}),
  'an object for a number or text': deployment({strategy: {rollingUpdate: {maxSurge: {}}}}),
  'a large number for a number or text': deployment({strategy: {rollingUpdate: {maxSurge: 4_000_000_000}}}),
  'a number or text': deployment({strategy: {rollingUpdate: {maxSurge: '10%'}}}),
  'an object for a list': deployment({template: {spec: {containers: {}}}}),
  'a number for a template': deployment({template: 1}),
  'a number for a named text': deployment({template: {spec: {containers: [], restartPolicy: 1}}}),
  'an unknown field': deployment({}, {zz: 1}),
  'unknown fields of two places': deployment({yy: 2}, {zz: 1}),
};

const secretValues: Readonly<Record<string, unknown>> = {
  'bytes with base64': 'YWJj',
  bytes: new Tagged(22, 'abc'),
  'bytes for another encoding': new Tagged(21, 'abc'),
  'bytes without base64': '!!',
  'bytes with a part of base64': 'YWJ',
  'a number': 3,
};

const widgetSpecs: Readonly<Record<string, unknown>> = {
  'a value of the wrong type': {count: 'x', text: 3},
  seconds: {any: new Tagged(1, 1)},
  'half seconds': {any: new Tagged(1, new Hex('fb3ff8000000000000'))},
  'seconds of no year': {any: new Hex('c13b7fffffffffffffff')},
  'a time': {any: new Tagged(0, new Text('2020-01-01T00:00:00+01:00'))},
  'a time that is none': {any: new Tagged(0, new Text('abc'))},
  bytes: {bytes: new Tagged(22, 'abc')},
  'a member twice': new Pairs([
    ['count', 1],
    ['count', 2],
  ]),
  'a whole float': {count: new Hex('f93c00')},
  'a text that is no UTF-8': {text: new Hex('62fffe')},
  'a number for a name': new Pairs([[1, 2]]),
  undefined: {any: new Hex('f7')},
  'a number beyond 64 bits': {any: new Hex('1b8000000000000000')},
  null: null,
};

const forms = [
  cbor,
  'application/cbor-seq',
  'application/cbor;stream=watch',
  'application/cbor;as=Table;g=meta.k8s.io;v=v1',
  'application/cbor;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'image/png',
  'application/yaml;stream=watch, application/cbor',
];

function casesOfTable(
  name: string,
  table: Readonly<Record<string, unknown>>,
  made: (value: unknown) => Omit<CborCase, 'about'>,
): CborCase[] {
  return Object.entries(table).map(([about, value]) => ({about: `${name}: ${about}`, ...made(value)}));
}

const sent = (path: string, body: unknown, method = 'POST') => ({
  method,
  path,
  contentType: cbor,
  body: Buffer.isBuffer(body) ? body : item(body),
});

/** In order: later ones read what earlier ones made. */
export const cborCases: readonly CborCase[] = [
  {about: 'a config map is made', ...sent(configMaps, configMap('kept', {data: {a: 'b', c: 'ß'}})), accept: cbor},
  {about: 'it is there already', ...sent(configMaps, configMap('kept')), accept: cbor},
  {about: 'it is replaced', ...sent(`${configMaps}/kept`, configMap('kept', {data: {a: 'c'}}), 'PUT'), accept: cbor},
  {
    about: 'the metadata of a list',
    method: 'GET',
    path: `${configMaps}?fieldSelector=metadata.name%3Dkept`,
    accept: 'application/cbor;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  },
  ...forms.flatMap((accept): CborCase[] => [
    {about: `an object as ${accept}`, method: 'GET', path: `${configMaps}/kept`, accept},
    {about: `a list as ${accept}`, method: 'GET', path: `${configMaps}?fieldSelector=metadata.name%3Dkept`, accept},
    {
      about: `a watch as ${accept}`,
      method: 'GET',
      path: `${configMaps}?fieldSelector=metadata.name%3Dkept&watch=1&timeoutSeconds=1&resourceVersion=0`,
      accept,
    },
  ]),
  {about: 'a watch from long ago', method: 'GET', path: `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=1000000000`, accept: cbor},
  {about: 'what is not there', method: 'GET', path: `${configMaps}/none`, accept: cbor},
  {about: 'a body of another form', ...sent(configMaps, hex('00')), contentType: 'image/png'},
  {about: 'a sequence as a body', ...sent(configMaps, hex('00')), contentType: 'application/cbor-seq'},
  {about: 'a patch of another form', ...sent(`${configMaps}/kept`, hex('a0'), 'PATCH'), contentType: 'application/merge-patch+cbor'},
  ...['/apis/apps/v1', '/statusz', '/flagz'].map((path): CborCase => ({about: `${path} as CBOR`, method: 'GET', path, accept: cbor})),
  {about: 'a page as an object', method: 'GET', path: '/statusz', accept: 'application/cbor;v=v1beta1;g=config.k8s.io;as=Statusz'},
  ...casesOfTable('a config map of', malformed, (body) => sent(`${configMaps}${dry}`, body)),
  ...casesOfTable('a config map with', odd, (body) => sent(`${configMaps}${dry}`, body)),
  ...casesOfTable('a strict config map with', odd, (body) => sent(`${configMaps}${dry}&fieldValidation=Strict`, body)),
  ...casesOfTable('a lax config map with', odd, (body) => sent(`${configMaps}${dry}&fieldValidation=Ignore`, body)),
  ...casesOfTable('a secret with', secretValues, (value) => ({...sent(`${secrets}${dry}`, secret(value)), accept: cbor})),
  ...casesOfTable('a deployment with', mistyped, (body) => ({...sent(`${deployments}${dry}&fieldValidation=Strict`, body), accept: cbor})),
  {
    about: 'a config map is applied',
    ...sent(`${configMaps}/applied?fieldManager=m`, configMap('applied', {data: {a: 'b'}}), 'PATCH'),
    contentType: applied,
    accept: cbor,
  },
  ...casesOfTable('applied:', malformed, (body) => ({
    ...sent(`${configMaps}/data${dry}&fieldManager=m`, body, 'PATCH'),
    contentType: applied,
  })),
  ...casesOfTable('applied with', odd, (body) => ({
    ...sent(`${configMaps}/data${dry}&fieldManager=m`, body, 'PATCH'),
    contentType: applied,
  })),
  ...casesOfTable('deletion with options of', malformed, (body) => sent(`${configMaps}/kept${dry}`, body, 'DELETE')),
  {
    about: 'deletion with options',
    ...sent(`${configMaps}/kept${dry}`, {kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0}, 'DELETE'),
    accept: cbor,
  },
  {about: 'deletion with bytes for seconds', ...sent(`${configMaps}/kept${dry}`, {gracePeriodSeconds: 'x'}, 'DELETE'), accept: cbor},
  {
    about: 'deletion with a member twice',
    ...sent(
      `${configMaps}/kept${dry}`,
      {
        preconditions: new Pairs([
          ['uid', 'a'],
          ['uid', 'b'],
        ]),
      },
      'DELETE',
    ),
  },
  {
    about: 'a review',
    ...sent('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {nonResourceAttributes: {path: '/'}},
    }),
    accept: cbor,
  },
  {about: 'a definition is made', ...sent(definitions, definition), accept: cbor},
  {
    about: 'a widget is made',
    ...sent(widgets, widget('kept', {text: 'x', share: new Hex('f93e00'), bytes: 'YWJj', any: {a: null, l: [1, {b: 'c'}]}})),
    accept: cbor,
  },
  ...forms.flatMap((accept): CborCase[] => [
    {about: `a widget as ${accept}`, method: 'GET', path: `${widgets}/kept`, accept},
    {about: `widgets as ${accept}`, method: 'GET', path: widgets, accept},
    {about: `a watch of widgets as ${accept}`, method: 'GET', path: `${widgets}?watch=1&timeoutSeconds=1`, accept},
  ]),
  {
    about: 'a widget is applied',
    ...sent(`${widgets}/applied?fieldManager=m`, widget('applied', {count: 3}), 'PATCH'),
    contentType: applied,
    accept: cbor,
  },
  {about: 'a widget in a form of none', ...sent(widgets, hex('00')), contentType: 'image/png'},
  {about: 'a patch of a widget in a form of none', ...sent(`${widgets}/kept`, hex('00'), 'PATCH'), contentType: 'image/png'},
  ...casesOfTable('a widget of', malformed, (body) => sent(`${widgets}${dry}`, body)),
  ...casesOfTable('a widget with', widgetSpecs, (spec) => sent(`${widgets}${dry}`, widget('x', spec))),
  {about: 'all widgets are deleted', ...sent(widgets, {kind: 'DeleteOptions', apiVersion: 'v1'}, 'DELETE'), accept: cbor},
];
