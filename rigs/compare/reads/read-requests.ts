import {configMaps, deployments, pods, readGroup, widgets} from './read-fixtures.js';

/**
 * A request that is compared. In its path `{before}` and `{after}` are versions of `Places`, `{token PATH}` is the continue token of a list, and in its
 * headers `{etag PATH}` is what the same request was answered with.
 */
export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether only the head of the answer is compared: what is in it is another matter. */
  readonly headOnly?: boolean;
}

const get = (path: string, headers?: Record<string, string>, headOnly = false): ReadRequest => ({
  method: 'GET',
  path,
  ...(headers ? {headers} : {}),
  ...(headOnly ? {headOnly} : {}),
});

/** A query; members that are undefined are left out. */
function query(members: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value.startsWith('{') ? value : encodeURIComponent(value)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Every choice of one value for each name. */
function choices(of: Readonly<Record<string, readonly (string | undefined)[]>>): Record<string, string | undefined>[] {
  let all: Record<string, string | undefined>[] = [{}];
  for (const [name, values] of Object.entries(of)) all = all.flatMap((one) => values.map((value) => ({...one, [name]: value})));
  return all;
}

const nothing = undefined;
const farVersion = '900000000000';

function lists(): ReadRequest[] {
  const options = choices({
    resourceVersion: [nothing, '', '0', '{before}', '{after}', farVersion, 'abc', '-1', '1.5', '99999999999999999999'],
    resourceVersionMatch: [nothing, '', 'Exact', 'NotOlderThan', 'exact'],
    limit: [nothing, '2'],
  }).map((one) => get(`${configMaps}${query(one)}`));
  const token = `{token ${configMaps}?limit=2}`;
  const pages = choices({
    continue: [token, 'abc', `{token ${configMaps}?limit=2&labelSelector=app%3Dreads}`, `{token ${widgets}?limit=1}`, 'e30', ''],
    resourceVersion: [nothing, '0', '{after}'],
    resourceVersionMatch: [nothing, 'Exact'],
    limit: [nothing, '1', '2'],
  }).map((one) => get(`${configMaps}${query(one)}`));
  const odd = ['abc', '-1', '0', '1.5', '99999999999999999999', ' 1', '+1', '1e2', ''].map((limit) =>
    get(`${configMaps}${query({limit})}`),
  );
  return [...options, ...pages, ...odd];
}

function watches(): ReadRequest[] {
  const options = choices({
    sendInitialEvents: [nothing, 'true', 'false'],
    resourceVersionMatch: [nothing, 'NotOlderThan', 'Exact', 'bogus'],
    resourceVersion: [nothing, '0', '{before}', '{after}', 'abc', farVersion],
    allowWatchBookmarks: [nothing, 'true'],
  }).map((one) => get(`${configMaps}${query({watch: '1', timeoutSeconds: '1', ...one})}`));
  const odd = ['', '1', '0', 'T', 'yes', 'abc'].flatMap((value) => [
    get(
      `${configMaps}${query({watch: '1', timeoutSeconds: '1', sendInitialEvents: value, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true'})}`,
    ),
    get(`${configMaps}${query({watch: value, timeoutSeconds: '1', resourceVersion: '{after}'})}`),
    get(`${configMaps}${query({watch: '1', timeoutSeconds: '1', resourceVersion: '{after}', allowWatchBookmarks: value})}`),
  ]);
  const times = ['abc', '1.5', '-1', ''].map((timeoutSeconds) => get(`${configMaps}${query({watch: 'false', timeoutSeconds})}`));
  const wrongTimes = ['abc', '1.5'].map((timeoutSeconds) => get(`${configMaps}${query({watch: '1', timeoutSeconds})}`));
  const more = [
    query({sendInitialEvents: 'true'}),
    query({sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan', resourceVersion: '0'}),
    query({watch: '1', continue: 'abc', timeoutSeconds: '1', resourceVersion: '{after}'}),
    query({watch: '1', continue: 'abc', timeoutSeconds: '1', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan'}),
    query({watch: '1', limit: '1', timeoutSeconds: '1', resourceVersion: '0'}),
    query({watch: '1', limit: 'x', timeoutSeconds: '1', resourceVersion: '0'}),
  ].map((one) => get(configMaps + one));
  return [...options, ...odd, ...times, ...wrongTimes, ...more];
}

function histories(): ReadRequest[] {
  const forms = [
    'application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json',
    'application/vnd.kubernetes.protobuf',
  ];
  const selectors = [
    {},
    {labelSelector: 'tier=front'},
    {labelSelector: 'tier=back'},
    {fieldSelector: 'metadata.name=x'},
    {fieldSelector: 'metadata.name!=x'},
  ];
  return [
    ...forms.flatMap((accept) =>
      [configMaps, pods, widgets].flatMap((path) =>
        selectors.flatMap((selector) => [
          get(path + query({watch: '1', timeoutSeconds: '1', resourceVersion: '{before}', ...selector}), {accept}),
        ]),
      ),
    ),
    ...forms.flatMap((accept) =>
      [configMaps, widgets].map((path) =>
        get(
          path +
            query({
              watch: '1',
              timeoutSeconds: '1',
              sendInitialEvents: 'true',
              resourceVersionMatch: 'NotOlderThan',
              allowWatchBookmarks: 'true',
            }),
          {accept},
        ),
      ),
    ),
  ];
}

const accepts = [
  '',
  '*/*',
  'application/*',
  'text/plain',
  'text/*',
  'application/yaml',
  'application/json;charset=utf-8',
  'application/json;q=0.5,application/yaml',
  'application/yaml;q=0.1,application/json;q=0.2',
  'application/json;q=0',
  'application/json;q=abc',
  'application/xml, application/json;q=0.1',
  'application/json;stream=watch',
  'application/json;stream=bogus',
  'application/json;as=Table',
  'application/json;as=Table;v=v1',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io,application/json',
  'application/yaml;as=Table;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=Bogus;v=v1;g=meta.k8s.io',
  'application/json;g=apps;v=v1',
  'application/json;sv=v1',
  'application/json;export=1',
  'application/json;pretty=1',
  'application/json;profile=nopeer',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/cbor',
  'application/cbor,application/json',
  'application/cbor-seq',
  'bogus',
  '/',
  'application/json,',
  'APPLICATION/JSON',
];

function negotiations(): ReadRequest[] {
  const places = [
    `${configMaps}/a`,
    `${configMaps}?limit=1`,
    `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion={before}&fieldSelector=metadata.name%3Dx`,
    `${configMaps}/missing`,
    `${widgets}?limit=1`,
    `${widgets}/w2`,
    `${deployments}/shop/scale`,
    `${widgets}?watch=1&timeoutSeconds=1&resourceVersion={before}`,
  ];
  return places.flatMap((path) => accepts.map((accept) => get(path, {accept})));
}

function tables(): ReadRequest[] {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  return [configMaps, pods, widgets, deployments, `${pods}/two`, `${widgets}/w2`].flatMap((path) =>
    [nothing, '', 'None', 'Metadata', 'Object', 'Bogus'].flatMap((includeObject) => [
      get(path + query({includeObject}), {accept: table}),
      ...(path === pods || path === widgets
        ? [get(path + query({includeObject, watch: '1', timeoutSeconds: '1', resourceVersion: '0'}), {accept: table})]
        : []),
    ]),
  );
}

function selectors(): ReadRequest[] {
  const ofLabels = [
    'app=reads',
    'app==reads',
    'app!=reads',
    'app in (reads,x)',
    'app notin (x)',
    'tier',
    '!tier',
    'tier=front,app',
    'a b',
    'app in ()',
    'app=',
    '=x',
    'app>1',
    'app>x',
    'app in (reads',
    ',',
    'app,,tier',
    'a/b/c=d',
    'UPPER=x',
    `${'a'.repeat(64)}=x`,
    `app=${'x'.repeat(64)}`,
    'app=-x',
    'only-a=',
  ];
  const ofFields = [
    'metadata.name=a',
    'metadata.name==a',
    'metadata.name!=a',
    'metadata.namespace=reads',
    'metadata.name=a,metadata.name=b',
    'data.key=a',
    'metadata.labels.app=reads',
    'spec.nodeName=n',
    'a',
    '=a',
    'metadata.name',
    ',',
    'metadata.name=a\\,b',
    'metadata.name=a,',
    'metadata.name>a',
    'metadata.name=missing',
    'metadata.name=',
  ];
  return [
    ...ofLabels.map((labelSelector) => get(configMaps + query({labelSelector}))),
    ...ofFields.flatMap((fieldSelector) => [configMaps, pods, widgets].map((path) => get(path + query({fieldSelector})))),
    ...['app in (', 'a b'].map((labelSelector) => get(configMaps + query({labelSelector, watch: '1', timeoutSeconds: '1'}))),
    ...['data.key=a', 'a'].map((fieldSelector) => get(configMaps + query({fieldSelector, watch: '1', timeoutSeconds: '1'}))),
    get(`/api/v1/pods${query({labelSelector: 'app=reads'})}`),
    get(`/api/v1/configmaps${query({labelSelector: 'app=reads', limit: '2'})}`),
    get(`/api/v1/configmaps${query({fieldSelector: 'metadata.namespace=reads,metadata.name=a'})}`),
  ];
}

function singles(): ReadRequest[] {
  const options = choices({
    resourceVersion: [nothing, '', '0', '{before}', '{after}', farVersion, 'abc', '-1'],
    resourceVersionMatch: [nothing, 'Exact'],
  });
  return [
    ...options.flatMap((one) => [`${configMaps}/a`, `${configMaps}/missing`].map((path) => get(path + query(one)))),
    ...['true', 'false', 'abc'].map((value) => get(`${configMaps}/a${query({export: value})}`)),
    ...['1', '0', 'true', 'abc', ''].flatMap((pretty) => [
      get(`${configMaps}/a${query({pretty})}`),
      get(configMaps + query({pretty, limit: '1'})),
    ]),
    get(`${configMaps}/a?watch=1&timeoutSeconds=1`),
    get(`${configMaps}/a?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Db`),
    get(`${configMaps}/a?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=data.x%3Db`),
    get(`/api/v1/watch/namespaces/reads/configmaps?timeoutSeconds=1&resourceVersion={after}`),
    get(`/api/v1/watch/namespaces/reads/configmaps/a?timeoutSeconds=1&resourceVersion=0`),
    get(`/api/v1/watch/namespaces/reads/configmaps/a?timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Db`),
    get(`${configMaps}/A`),
    get(`${configMaps}/a/bogus`),
    get(`${configMaps}/a/status`),
    get('/api/v1/configmaps/a'),
    get('/api/v1/namespaces/reads/bogus'),
    get('/api/v1/namespaces/missing/configmaps'),
    get('/api/v9/configmaps'),
    get('/apis/bogus/v1/things'),
    get('/apis/apps/v9/deployments'),
    get(`/apis/${readGroup}/v1beta1/namespaces/reads/widgets/w2`),
    get(`/apis/${readGroup}/v2/namespaces/reads/widgets/w2`),
    get(`${deployments}/shop/scale`),
    get(`${widgets}/w2/status`),
    get(`${widgets}/w2/scale`),
    ...['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'].flatMap((method) => [configMaps, `${configMaps}/a`].map((path) => ({method, path}))),
    {method: 'POST', path: `${configMaps}/a`, body: {}},
    {method: 'PUT', path: configMaps, body: {}},
    {method: 'PATCH', path: configMaps, body: {}},
    {method: 'DELETE', path: '/api/v1/configmaps'},
    {method: 'POST', path: '/api/v1/configmaps', body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'z'}}},
  ];
}

function discoveries(): ReadRequest[] {
  const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
  const wanted = [
    'application/json',
    v2,
    v2beta1,
    `${v2},${v2beta1},application/json`,
    `${v2}, */*;q=0.1`,
    `${v2};profile=nopeer`,
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    'text/plain',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    '*/*',
    `application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`,
  ];
  const paths = ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', `/apis/${readGroup}`, `/apis/${readGroup}/v1`];
  return [
    ...paths.flatMap((path) => wanted.map((accept) => get(path, {accept}, true))),
    ...[
      '/apis/bogus',
      '/apis/bogus/v1',
      '/apis/apps/v9',
      '/api/v9',
      '/bogus',
      '/apis/apps/',
      '/api/',
      '/',
      '/version',
      '/version/',
      '/openapi/v3',
      '/openapi/v2',
      '/api/v1/bogus',
      '/apis/apps/v1/bogus',
    ].flatMap((path) => [get(path, undefined, path !== '/bogus' && !path.includes('bogus'))]),
    ...['/api', '/apis', '/apis/apps/v1'].flatMap((path) =>
      [v2, 'application/json'].map((accept) => get(path, {accept, 'if-none-match': `{etag ${path}}`}, true)),
    ),
    get('/api', {accept: v2, 'if-none-match': '"x"'}, true),
    ...['POST', 'DELETE', 'HEAD', 'OPTIONS'].flatMap((method) =>
      ['/api', '/apis/apps/v1', '/version', '/healthz', '/'].map((path) => ({
        method,
        path,
        headOnly: path === '/version' || method === 'HEAD',
      })),
    ),
  ];
}

function healths(): ReadRequest[] {
  return ['/healthz', '/livez', '/readyz'].flatMap((path) => [
    ...[
      '',
      '?verbose',
      '?verbose=false',
      '?exclude=ping',
      '?verbose&exclude=ping',
      '?verbose&exclude=bogus',
      '?verbose&exclude=bogus&exclude=other&exclude=ping',
      '?exclude=bogus',
      '/ping',
      '/ping?verbose',
      '/bogus',
      '/etcd',
      '/log',
      '/etcd-readiness',
      '/informer-sync',
      '/shutdown',
      '/poststarthook/start-apiextensions-informers',
      '/poststarthook/bogus',
      '/poststarthook',
      '/',
    ].map((end) => get(path + end)),
  ]);
}

function deletions(): ReadRequest[] {
  const bad = [
    query({resourceVersionMatch: 'Exact'}),
    query({limit: 'abc'}),
    query({fieldSelector: 'data.x=1'}),
    query({labelSelector: 'a b'}),
    query({sendInitialEvents: 'true'}),
    query({watch: '1', sendInitialEvents: 'true'}),
    query({resourceVersion: 'abc'}),
    query({continue: 'abc'}),
    query({propagationPolicy: 'Bogus'}),
    query({dryRun: 'Bogus'}),
    query({gracePeriodSeconds: 'x'}),
    query({orphanDependents: 'true', propagationPolicy: 'Orphan'}),
    query({dryRun: 'All', labelSelector: 'none=such'}),
  ];
  return [
    ...bad.map((one) => ({method: 'DELETE', path: configMaps + one})),
    ...bad
      .slice(8)
      .map((one) => ({method: 'DELETE', path: `${configMaps}/a${one.replace('dryRun=All&', 'dryRun=All&')}`}))
      .slice(0, 4),
    {method: 'DELETE', path: `${configMaps}/a?dryRun=All`},
    {method: 'DELETE', path: `${configMaps}/missing`},
    {
      method: 'DELETE',
      path: `${configMaps}/a`,
      body: {kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'], ignoreStoreReadErrorWithClusterBreakingPotential: true},
    },
    {method: 'DELETE', path: `${configMaps}/a?dryRun=All&ignoreStoreReadErrorWithClusterBreakingPotential=true`},
  ];
}

/** All requests, in order. They write nothing. */
export function readRequests(): ReadRequest[] {
  return [
    ...lists(),
    ...watches(),
    ...histories(),
    ...negotiations(),
    ...tables(),
    ...selectors(),
    ...singles(),
    ...discoveries(),
    ...healths(),
    ...deletions(),
  ];
}
