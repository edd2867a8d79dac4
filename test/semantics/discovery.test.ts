import {decodeYaml} from '../../core/api/codec/yaml.js';
import {openEnvelope} from '../../core/api/protobuf/envelope.js';
import {decodeCarried} from '../helpers/decode-carried.js';
import {SchemaCatalog} from '../../core/api/object-schema/schema-catalog.js';
import type {JsonObject} from '@orch-api/orch/sdk';
import {testOnEachStore} from '../helpers/each-store.js';
import {httpsClient} from '../helpers/https-client.js';
import {readKubeconfig} from '../helpers/kubeconfig.js';
import {isOnInTestRelease, testRelease} from '../helpers/test-release.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

interface Group {
  readonly name: string;
  readonly versions: readonly {groupVersion: string; version: string}[];
  readonly preferredVersion: {groupVersion: string; version: string};
}

interface Resource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
}

const inOrder = ['v10', 'v2', 'v1', 'v11beta10', 'v11beta2', 'v11beta1', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];

eachStore(
  'versions of a group stand in order of preference: kube-like ones first, stable before beta before alpha, higher before lower; others by their text [A-CRD-55] [A-CRD-56] [A-CRD-57]',
  async (t, {client}) => {
    const {groups} = answer<{groups: Group[]}>(t, await client.get('/apis'), 200);
    const listed = groups.find(({name}) => name === 'ordering.example.com')!;
    t.deepEqual(
      listed.versions.map(({version}) => version),
      inOrder,
    );
    t.is(listed.preferredVersion.version, 'v10');
    t.deepEqual(answer<Group>(t, await client.get('/apis/ordering.example.com'), 200).versions, listed.versions);
    for (const version of ['v2', 'v2beta1']) {
      const accept = `application/json;g=apidiscovery.orch;v=${version};as=APIGroupDiscoveryList`;
      const response = await client.get('/apis', {headers: {accept}});
      if (version === 'v2beta1' && isOnInTestRelease('AggregatedDiscoveryRemoveBetaType')) {
        t.is(response.status, 406);
        continue;
      }
      t.is(response.headers['content-type'], accept);
      const {items} = answer<{items: {metadata: {name: string}; versions: {version: string}[]}[]}>(t, response, 200);
      t.deepEqual(
        items.find(({metadata}) => metadata.name === 'ordering.example.com')?.versions.map((entry) => entry.version),
        inOrder,
      );
    }
    for (const version of inOrder) answer(t, await client.get(`/apis/ordering.example.com/${version}/orderings`), 200);
  },
);

eachStore('core resources are under /api/v1 [A-PATH-1]', async (t, {client, namespace}) => {
  const roots = answer<{kind: string; versions: string[]}>(t, await client.get('/api'), 200);
  t.deepEqual([roots.kind, roots.versions], ['APIVersions', ['v1']]);
  const list = answer<ReadList>(t, await client.get('/api/v1/namespaces'), 200);
  t.true(list.items.some(({metadata}) => metadata.name === namespace));
  t.is(answer<ReadObject>(t, await client.get(`/api/v1/namespaces/${namespace}`), 200).metadata.name, namespace);
});

eachStore('cluster-scoped types: collection, item and subresource [A-PATH-2] [A-PATH-3] [A-PATH-4]', async (t, {client}) => {
  const body = gadget();
  const made = answer<ReadObject>(t, await client.post('/apis/semantics.example.com/v1/gadgets', body), 201);
  t.true(
    answer<ReadList>(t, await client.get('/apis/semantics.example.com/v1/gadgets'), 200).items.some(
      ({metadata}) => metadata.uid === made.metadata.uid,
    ),
  );
  t.deepEqual(answer<ReadObject>(t, await client.get(`/apis/semantics.example.com/v1/gadgets/${body.metadata.name}`), 200), made);
  const status = answer<ReadObject>(
    t,
    await client.patch(`/apis/semantics.example.com/v1/gadgets/${body.metadata.name}/status`, {status: {phase: 'Done'}}),
    200,
  );
  t.deepEqual(answer<ReadObject>(t, await client.get(`/apis/semantics.example.com/v1/gadgets/${body.metadata.name}/status`), 200), status);
  t.deepEqual(status.status, {phase: 'Done'});
});

eachStore(
  'namespaced types: collection, item, subresource, and all namespaces at once [A-PATH-5] [A-PATH-6] [A-PATH-7] [A-PATH-8]',
  async (t, {client, namespace}) => {
    const collection = `/apis/booking.example.com/v1/namespaces/${namespace}/reservations`;
    const made = answer<ReadObject>(
      t,
      await client.post(collection, {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z'}}),
      201,
    );
    t.deepEqual(answer<ReadList>(t, await client.get(collection), 200).items, [made]);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one`), 200), made);
    const status = answer<ReadObject>(t, await client.patch(`${collection}/one/status`, {status: {phase: 'Confirmed'}}), 200);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one/status`), 200), status);
    const everywhere = '/apis/booking.example.com/v1/reservations';
    t.true(answer<ReadList>(t, await client.get(everywhere), 200).items.some(({metadata}) => metadata.uid === made.metadata.uid));
    const events = client.watch(
      `${everywhere}?watch=1&resourceVersion=${made.metadata.resourceVersion}&fieldSelector=metadata.namespace%3D${namespace}`,
    );
    t.deepEqual((await events.next()).value, {type: 'MODIFIED', object: status});
    await events.return(undefined);
  },
);

eachStore('the resources of a group version are listed with their names, scope, kind, verbs and subresources', async (t, {client}) => {
  const core = answer<{kind: string; groupVersion: string; resources: Resource[]}>(t, await client.get('/api/v1'), 200);
  t.deepEqual([core.kind, core.groupVersion], ['APIResourceList', 'v1']);
  const find = (name: string) => core.resources.find((resource) => resource.name === name)!;
  const {name, singularName, namespaced, kind, verbs, shortNames} = find('configmaps');
  t.deepEqual(
    {name, singularName, namespaced, kind, shortNames},
    {name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', shortNames: ['cm']},
  );
  t.deepEqual(verbs, ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']);
  t.deepEqual(
    [find('namespaces').namespaced, find('namespaces/status').kind, find('namespaces/finalize').verbs],
    [false, 'Namespace', ['update']],
  );
  const own = answer<{apiVersion: string; groupVersion: string; resources: Resource[]}>(
    t,
    await client.get('/apis/semantics.example.com/v1'),
    200,
  );
  t.deepEqual([own.apiVersion, own.groupVersion], ['v1', 'semantics.example.com/v1']);
  t.deepEqual(
    own.resources.filter(({kind: other}) => other === 'Gadget').map((resource) => [resource.name, resource.verbs.length]),
    [
      ['gadgets', 8],
      ['gadgets/status', 3],
    ],
  );
  const older = answer<{resources: Resource[]}>(t, await client.get('/apis/semantics.example.com/v1beta1'), 200);
  t.deepEqual(
    older.resources.map((resource) => resource.name),
    ['gadgets'],
  );
});

eachStore('the aggregated document says of all groups at once what the single ones say', async (t, {client}) => {
  interface Aggregated {
    readonly kind: string;
    readonly apiVersion: string;
    readonly items: readonly {
      metadata: {name?: string};
      versions: readonly {
        version: string;
        freshness: string;
        resources: readonly {resource: string; scope: string; verbs: string[]; responseKind: {kind: string}}[];
      }[];
    }[];
  }
  const accept =
    'application/json;g=apidiscovery.orch;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.orch;v=v2beta1;as=APIGroupDiscoveryList,application/json';
  for (const root of ['/api', '/apis']) {
    const document = answer<Aggregated>(t, await client.get(root, {headers: {accept}}), 200);
    t.deepEqual([document.kind, document.apiVersion], ['APIGroupDiscoveryList', 'apidiscovery.orch/v2']);
    for (const {metadata, versions} of document.items) {
      for (const {version, resources, freshness} of versions) {
        t.is(freshness, 'Current');
        const single = answer<{resources: Resource[]}>(
          t,
          await client.get(root === '/api' ? `/api/${version}` : `/apis/${metadata.name}/${version}`),
          200,
        );
        t.deepEqual(
          resources.map(({resource, scope, verbs, responseKind}) => [resource, scope, verbs, responseKind.kind]),
          single.resources
            .filter(({name}) => !name.includes('/'))
            .map(({name, namespaced, verbs, kind}) => [name, namespaced ? 'Namespaced' : 'Cluster', [...verbs], kind]),
        );
      }
    }
  }
  assertFailure(
    t,
    await client.get('/apis', {headers: {accept: 'application/json;g=apidiscovery.orch;v=v9;as=APIGroupDiscoveryList'}}),
    406,
    'NotAcceptable',
  );
});

eachStore('documents of discovery are given as protobuf and as YAML, too', async (t, {client}) => {
  const kinds = {
    '/api': 'APIVersions',
    '/apis': 'APIGroupList',
    '/apis/semantics.example.com': 'APIGroup',
    '/api/v1': 'APIResourceList',
    '/apis/semantics.example.com/v1': 'APIResourceList',
  };
  const catalog = new SchemaCatalog();
  for (const [target, kind] of Object.entries(kinds)) {
    const plain = answer<JsonObject>(t, await client.get(target), 200);
    for (const accept of [
      'application/vnd.orch.protobuf',
      'application/vnd.orch.protobuf,application/json',
      'application/json;g=apidiscovery.orch;v=v7;as=APIGroupDiscoveryList,application/vnd.orch.protobuf',
    ]) {
      const response = await client.get(target, {headers: {accept}});
      t.deepEqual([response.status, response.headers['content-type']], [200, 'application/vnd.orch.protobuf'], `${target} ${accept}`);
      const envelope = openEnvelope(response.body);
      t.deepEqual([envelope.apiVersion, envelope.kind], ['v1', kind]);
      t.deepEqual(withoutEmpty(decodeCarried(envelope, catalog.node(`meta.orch/v1#/definitions/${kind}`))), {
        apiVersion: 'v1',
        ...withoutEmpty(plain),
      });
    }
    const yaml = await client.get(target, {headers: {accept: 'application/yaml'}});
    t.deepEqual([yaml.headers['content-type'], decodeYaml(yaml.body, {}).value], ['application/yaml', plain]);
    assertFailure(t, await client.get(target, {headers: {accept: 'image/png'}}), 406, 'NotAcceptable');
  }
});

/** Empty texts and false are not told from absent ones in messages. */
function withoutEmpty(value: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) => (member === '' || member === false ? undefined : member)),
  ) as JsonObject;
}

eachStore('documents of discovery are asked for again with their tag and then not sent', async (t, {client}) => {
  for (const target of ['/api', '/apis', '/api/v1', '/apis/semantics.example.com', '/apis/semantics.example.com/v1']) {
    const first = await client.get(target);
    const {etag} = first.headers;
    t.regex(etag!, /^"[0-9A-F]{64}"$/);
    const second = await client.get(target, {headers: {'if-none-match': etag!}});
    t.deepEqual([second.status, second.body.length], [304, 0]);
    t.is((await client.get(target, {headers: {'if-none-match': '"other"'}})).status, 200);
    t.deepEqual((await client.get(`${target}/`)).json(), first.json(), target);
  }
});

eachStore('a target may be given with scheme and host before the path', async (t, {server}) => {
  const client = httpsClient(t, readKubeconfig(server.kubeconfig));
  t.deepEqual((await client.get('https://elsewhere:1/api/v1')).json(), (await client.get('/api/v1')).json());
  t.is((await client.get('https://elsewhere/livez?verbose')).status, 200);
});

eachStore('health is plain text, one check or all of them, with and without credentials', async (t, {client}) => {
  for (const endpoint of ['livez', 'readyz', 'healthz']) {
    for (const anonymous of [false, true]) {
      const response = await client.get(`/${endpoint}`, {anonymous});
      t.deepEqual([response.status, response.body.toString(), response.headers['content-type']], [200, 'ok', 'text/plain; charset=utf-8']);
    }
    const verbose = (await client.get(`/${endpoint}?verbose`)).body.toString();
    t.regex(verbose, new RegExp(`^\\[\\+\\]ping ok\\n(.*\\n)*${endpoint} check passed\\n$`));
    t.is((await client.get(`/${endpoint}/ping`)).body.toString(), 'ok');
    t.is((await client.get(`/${endpoint}/nonsense`)).status, 404);
    assertFailure(t, await client.post(`/${endpoint}`, {}), 405, 'MethodNotAllowed');
  }
  const ready = (await client.get('/readyz?verbose&exclude=store')).body.toString();
  t.regex(ready, /\[\+\]store excluded: ok/);
});

eachStore('/version tells the release of the API', async (t, {client}) => {
  const version = answer<Record<string, string>>(t, await client.get('/version'), 200);
  t.is(`${version['major']}.${version['minor']}`, testRelease);
  t.true(version['gitVersion']!.startsWith(`v${testRelease}.`), version['gitVersion']);
  const root = answer<{paths: string[]}>(t, await client.get('/'), 200);
  for (const path of ['/api', '/api/v1', '/apis', '/apis/semantics.example.com', '/apis/semantics.example.com/v1', '/livez', '/version'])
    t.true(root.paths.includes(path), path);
  assertFailure(t, await client.post('/', {}), 405, 'MethodNotAllowed');
  t.is((await client.post(`${gadgets.replace('gadgets', 'nothing')}`, configMap('x'))).status, 404);
});
