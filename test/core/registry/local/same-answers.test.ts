import test, {type ExecutionContext} from 'ava';
import {join} from 'node:path';
import {orch} from '../../../../core/api/naming/orch.js';
import {LocalClient} from '../../../../core/registry/local/local-client.js';
import {createServer, type Server} from '../../../../core/server/index.js';
import {
  StatusError,
  type ApiObject,
  type DeleteCallOptions,
  type ListOptions,
  type ResourceRef,
  type WatchEvent,
} from '../../../../sdk/index.js';
import {TestClient, type TestResponse} from '../../../../sdk/testing/test-client.js';
import {definition, definitionsPath, version} from '../../../plugins/resources/apiextensions/definition-fixture.js';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';

/** One operation, to be asked for from outside and from inside. */
type Case = {readonly ref?: ResourceRef; readonly title: string} & (
  | {readonly verb: 'get'; readonly name: string; readonly resourceVersion?: string}
  | {readonly verb: 'list' | 'watch'; readonly options?: ListOptions}
  | {readonly verb: 'create'; readonly object: object}
  | {readonly verb: 'update'; readonly object: {readonly metadata: {readonly name: string}}; readonly subresource?: string}
  | {readonly verb: 'patch'; readonly name: string; readonly patch: object; readonly subresource?: string}
  | {readonly verb: 'delete'; readonly name: string; readonly options?: DeleteCallOptions}
  | {readonly verb: 'deleteCollection'; readonly options?: ListOptions & DeleteCallOptions}
);

const configMaps: ResourceRef = {group: '', version: 'v1', resource: 'configmaps'};
const deployments: ResourceRef = {group: 'apps', version: 'v1', resource: 'deployments'};
const leases: ResourceRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};
const widgets: ResourceRef = {group: 'same.example.com', version: 'v1', resource: 'widgets'};
const reviews: ResourceRef = {group: 'authorization.orch', version: 'v1', resource: 'selfsubjectaccessreviews'};
const unknown: ResourceRef = {group: '', version: 'v1', resource: 'nones'};

const configMap = (name: string, more: object = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, ...more});
const template = {metadata: {labels: {app: 'one'}}, spec: {containers: [{name: 'main', image: 'example.com/main:1'}]}};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'one'},
  spec: {replicas: 2, selector: {matchLabels: {app: 'one'}}, template},
};
const widget = (name: string, more: object = {}) => ({apiVersion: 'same.example.com/v1', kind: 'Widget', metadata: {name}, ...more});
const scale = (name: string, replicas: number) => ({apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name}, spec: {replicas}});
const lease = (name: string, metadata: object = {}) => ({apiVersion: 'coordination.orch/v1', kind: 'Lease', metadata: {name, ...metadata}});

/** What both namespaces hold before a case. */
const stored: readonly (readonly [ResourceRef, object])[] = [
  [configMaps, configMap('one', {metadata: {name: 'one', labels: {tier: 'front'}}, data: {a: '1'}})],
  [configMaps, configMap('two', {metadata: {name: 'two', labels: {tier: 'back'}}})],
  [configMaps, configMap('held', {metadata: {name: 'held', finalizers: ['example.com/hold']}})],
  [deployments, deployment],
  [widgets, widget('one', {spec: {size: 1}})],
];

const cases: readonly Case[] = [
  {title: 'an object', verb: 'get', name: 'one'},
  {title: 'an object at any version', verb: 'get', name: 'one', resourceVersion: '0'},
  {title: 'no object', verb: 'get', name: 'none'},
  {title: 'an object at what is no version', verb: 'get', name: 'one', resourceVersion: 'x'},
  {title: 'an object of no type', verb: 'get', ref: unknown, name: 'one'},

  {title: 'all', verb: 'list'},
  {title: 'all of a definition', verb: 'list', ref: widgets},
  {title: 'those with a label', verb: 'list', options: {labelSelector: 'tier=front'}},
  {title: 'those with a field', verb: 'list', options: {fieldSelector: 'metadata.name=two'}},
  {title: 'those with a field that cannot be selected by', verb: 'list', options: {fieldSelector: 'data.a=1'}},
  {title: 'those of a wrong label selector', verb: 'list', options: {labelSelector: 'a in ('}},
  {title: 'those of a wrong field selector', verb: 'list', options: {fieldSelector: 'a'}},
  {title: 'the first', verb: 'list', options: {limit: 1}},
  {title: 'without a limit', verb: 'list', options: {limit: 0}},
  {title: 'with a negative limit', verb: 'list', options: {limit: -1}},
  {title: 'behind a token that is none', verb: 'list', options: {limit: 1, continue: 'none'}},
  {title: 'behind a token and at a version', verb: 'list', options: {limit: 1, continue: 'none', resourceVersion: '7'}},
  {title: 'at any version', verb: 'list', options: {resourceVersion: '0'}},
  {title: 'at what is no version', verb: 'list', options: {resourceVersion: '-1'}},

  {title: 'a new object', verb: 'create', object: configMap('new', {data: {b: '2'}})},
  {title: 'a new object without kind', verb: 'create', object: {metadata: {name: 'new'}}},
  {title: 'an object of a name that is taken', verb: 'create', object: configMap('one')},
  {title: 'an object without name', verb: 'create', object: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {}}},
  {title: 'an object with a bad name', verb: 'create', object: configMap('Not Good')},
  {title: 'an object of another kind', verb: 'create', object: {...configMap('new'), kind: 'Secret'}},
  {title: 'an object of another version', verb: 'create', object: {...configMap('new'), apiVersion: 'v2'}},
  {title: 'an object with an unknown field', verb: 'create', object: configMap('new', {datum: {}})},
  {title: 'an object with a value of a wrong type', verb: 'create', object: configMap('new', {data: {a: 1}})},
  {title: 'an object with a version', verb: 'create', object: configMap('new', {metadata: {name: 'new', resourceVersion: '7'}})},
  {title: 'an object of another namespace', verb: 'create', object: configMap('new', {metadata: {name: 'new', namespace: 'other'}})},
  {
    title: 'an object that is too large',
    verb: 'create',
    object: configMap('new', {data: {a: 'x'.repeat(1_100_000), b: 'x'.repeat(500_000)}}),
  },
  {title: 'an object of a definition', verb: 'create', ref: widgets, object: widget('new', {spec: {size: 7}, status: {a: 1}})},
  {title: 'an object of a definition without kind', verb: 'create', ref: widgets, object: {metadata: {name: 'new'}}},
  {title: 'an object of a definition of another kind', verb: 'create', ref: widgets, object: {...widget('new'), kind: 'Gadget'}},
  {title: 'an object of a definition that does not fit', verb: 'create', ref: widgets, object: widget('new', {spec: {size: 'x'}})},
  {
    title: 'a review, of which nothing is stored',
    verb: 'create',
    ref: reviews,
    object: {
      apiVersion: 'authorization.orch/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {nonResourceAttributes: {path: '/version', verb: 'get'}},
    },
  },

  {title: 'other data', verb: 'update', object: configMap('one', {data: {c: '3'}})},
  {title: 'the same', verb: 'update', object: configMap('two', {metadata: {name: 'two', labels: {tier: 'back'}}})},
  {title: 'no object', verb: 'update', object: configMap('none')},
  {title: 'no object, with a uid', verb: 'update', object: configMap('none', {metadata: {name: 'none', uid: 'other'}}) as never},
  {title: 'another uid', verb: 'update', object: configMap('one', {metadata: {name: 'one', uid: 'other'}}) as never},
  {title: 'an old version', verb: 'update', object: configMap('one', {metadata: {name: 'one', resourceVersion: '1'}}) as never},
  {title: 'an object that a PUT may create', verb: 'update', ref: leases, object: lease('new')},
  {title: 'an object that a PUT may not create with a uid', verb: 'update', ref: leases, object: lease('new', {uid: 'other'})},
  {title: 'an object of a definition without version', verb: 'update', ref: widgets, object: widget('one')},
  {title: 'the status', verb: 'update', ref: deployments, subresource: 'status', object: {...deployment, status: {replicas: 1}} as never},
  {title: 'the scale', verb: 'update', ref: deployments, subresource: 'scale', object: scale('one', 5)},
  {title: 'the scale of another', verb: 'update', ref: deployments, subresource: 'scale', object: scale('two', 5)},
  {title: 'a scale that cannot be', verb: 'update', ref: deployments, subresource: 'scale', object: scale('one', -5)},
  {title: 'the scale by an object of another kind', verb: 'update', ref: deployments, subresource: 'scale', object: deployment},
  {title: 'the scale of a definition', verb: 'update', ref: widgets, subresource: 'scale', object: scale('one', 3)},
  {title: 'a subresource that there is not', verb: 'update', ref: deployments, subresource: 'none', object: deployment},

  {title: 'data', verb: 'patch', name: 'one', patch: {data: {a: null, d: '4'}}},
  {title: 'nothing', verb: 'patch', name: 'one', patch: {}},
  {title: 'no object', verb: 'patch', name: 'none', patch: {}},
  {title: 'the name', verb: 'patch', name: 'one', patch: {metadata: {name: 'other'}}},
  {title: 'the name away', verb: 'patch', name: 'one', patch: {metadata: {name: null}}},
  {title: 'the uid', verb: 'patch', name: 'one', patch: {metadata: {uid: 'other'}}},
  {title: 'the kind', verb: 'patch', name: 'one', patch: {kind: 'Secret'}},
  {title: 'an unknown field', verb: 'patch', name: 'one', patch: {datum: 1}},
  {title: 'by what is no patch', verb: 'patch', name: 'one', patch: []},
  {title: 'the status', verb: 'patch', ref: widgets, subresource: 'status', name: 'one', patch: {spec: {size: 9}, status: {a: 2}}},
  {title: 'the scale', verb: 'patch', ref: deployments, subresource: 'scale', name: 'one', patch: {spec: {replicas: 6}}},

  {title: 'an object', verb: 'delete', name: 'one'},
  {title: 'an object that is held', verb: 'delete', name: 'held'},
  {title: 'no object', verb: 'delete', name: 'none'},
  {title: 'another uid', verb: 'delete', name: 'one', options: {uid: 'other'}},
  {title: 'another version', verb: 'delete', name: 'one', options: {resourceVersion: '1'}},
  {title: 'an object and leave its dependents', verb: 'delete', name: 'two', options: {propagationPolicy: 'Orphan'}},

  {title: 'those with a label', verb: 'deleteCollection', options: {labelSelector: 'tier'}},
  {title: 'those of a wrong selector', verb: 'deleteCollection', options: {labelSelector: '=='}},
  {title: 'those with another uid', verb: 'deleteCollection', options: {labelSelector: 'tier', uid: 'other'}},

  {title: 'what there is', verb: 'watch'},
  {title: 'those with a label', verb: 'watch', options: {labelSelector: 'tier=back'}},
  {title: 'at what is no version', verb: 'watch', options: {resourceVersion: 'x'}},
  {title: 'those of a wrong selector', verb: 'watch', options: {fieldSelector: 'data.a=1'}},
];

/** What an operation came to: what it answers, or the Status of its failure. */
type Outcome = {readonly answer: unknown} | {readonly failure: unknown};

const manager = 'same';
const cleanups: (() => void | Promise<void>)[] = [];
let server: Server;
let client: TestClient;
let local: LocalClient;

test.before(async () => {
  const dataDir = tempFolder({teardown: (work) => void cleanups.push(work)});
  server = await createServer({store: 'memory', securePort: 0, dataDir, controllers: ['*', '-garbagecollector']});
  await server.start();
  client = await TestClient.open(server.url, join(server.paths.dataDir, 'pki'));
  local = new LocalClient({username: manager, groups: ['system:masters', 'system:authenticated']}, orch, {registry: () => server.registry});
  const spec = {type: 'object', properties: {size: {type: 'integer'}, replicas: {type: 'integer'}}};
  const scaled = {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'};
  await client.post(definitionsPath, definition('same.example.com', [version(spec, {subresources: {status: {}, scale: scaled}})]));
  await eventually(
    async () => (await client.get('/apis/same.example.com/v1')).status,
    (status) => status === 200,
  );
});
test.after.always(async () => {
  client.close();
  await server.stop();
  for (const work of cleanups) await work();
});

for (const [index, one] of cases.entries()) {
  test(`${one.verb}: ${one.title}: the answer is the same from outside and from inside (${index + 1}) [HSE-3]`, async (t) => {
    const [outside, inside] = [`space-${index}-outside`, `space-${index}-inside`];
    for (const namespace of [outside, inside]) await prepare(t, namespace);
    const answers = [neutral(await fromOutside(one, outside), outside), neutral(await fromInside(one, inside), inside)];
    t.deepEqual(answers[1], answers[0]);
    t.deepEqual(await stateOf(inside), await stateOf(outside), 'what is there afterwards');
  });
}

async function prepare(t: ExecutionContext, namespace: string): Promise<void> {
  t.is((await client.post('/api/v1/namespaces', {metadata: {name: namespace}})).status, 201);
  for (const [ref, object] of stored) t.is((await client.post(pathOf(ref, namespace), object)).status, 201);
}

/** All that a namespace holds, without what differs from one namespace to the other. */
async function stateOf(namespace: string): Promise<unknown> {
  const lists = [configMaps, deployments, widgets, leases].map(async (ref) => (await local.list(ref, namespace)).items);
  return neutral({answer: (await Promise.all(lists)).flat().filter(({metadata}) => !metadata.name?.includes('root-ca'))}, namespace);
}

function pathOf({group, version: name, resource}: ResourceRef, namespace: string, ...more: string[]): string {
  const root = group === '' ? `/api/${name}` : `/apis/${group}/${name}`;
  const scope = resource === reviews.resource ? '' : `/namespaces/${namespace}`;
  return [`${root}${scope}/${resource}`, ...more.filter((part) => part !== '')].join('/');
}

function queryOf(parameters: object): string {
  const entries = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return `?${new URLSearchParams(entries).toString()}`;
}

async function fromOutside(one: Case, namespace: string): Promise<Outcome> {
  const {ref = configMaps} = one;
  const path = (...more: string[]) => pathOf(ref, namespace, ...more);
  const writing = queryOf({fieldManager: manager, fieldValidation: 'Strict'});
  const outcome = (response: TestResponse): Outcome => (response.status < 300 ? {answer: response.json()} : {failure: response.json()});
  switch (one.verb) {
    case 'get':
      return outcome(await client.get(path(one.name) + queryOf(one.resourceVersion ? {resourceVersion: one.resourceVersion} : {})));
    case 'list':
      return outcome(await client.get(path() + queryOf(one.options ?? {})));
    case 'create':
      return outcome(await client.post(path() + writing, one.object));
    case 'update':
      return outcome(await client.put(path(one.object.metadata.name, one.subresource ?? '') + writing, one.object));
    case 'patch':
      return outcome(await client.patch(path(one.name, one.subresource ?? '') + writing, one.patch));
    case 'delete':
      return done(outcome(await client.delete(path(one.name) + queryOf(one.options ?? {}))));
    case 'deleteCollection':
      return done(outcome(await client.delete(path() + queryOf(one.options ?? {}))));
    case 'watch': {
      const response = await client.get(path() + queryOf({...one.options, watch: true, timeoutSeconds: 1}));
      if (response.status !== 200) return {failure: response.json()};
      const lines = response.body
        .toString()
        .split('\n')
        .filter((line) => line !== '');
      return {answer: lines.map((line) => JSON.parse(line) as unknown)};
    }
  }
}

async function fromInside(one: Case, namespace: string): Promise<Outcome> {
  const {ref = configMaps} = one;
  const ask = async (): Promise<unknown> => {
    switch (one.verb) {
      case 'get':
        return local.get(ref, namespace, one.name, one.resourceVersion ? {resourceVersion: one.resourceVersion} : {});
      case 'list':
        return local.list(ref, namespace, one.options);
      case 'create':
        return local.create(ref, namespace, one.object as ApiObject);
      case 'update':
        return local.update(ref, namespace, one.object as ApiObject, one.subresource);
      case 'patch':
        return local.patch(ref, namespace, one.name, one.patch, one.subresource);
      case 'delete':
        return local.delete(ref, namespace, one.name, one.options);
      case 'deleteCollection':
        return local.deleteCollection(ref, namespace, one.options);
      case 'watch':
        return watched(local.watch(ref, namespace, {...one.options, signal: AbortSignal.timeout(1000)}));
    }
  };
  try {
    const answer = await ask();
    return one.verb === 'delete' || one.verb === 'deleteCollection' ? done({answer}) : {answer};
  } catch (error) {
    if (!StatusError.is(error)) throw error;
    return {failure: error.toStatus()};
  }
}

/** From inside a deletion answers nothing. */
function done(outcome: Outcome): Outcome {
  return 'failure' in outcome ? outcome : {answer: 'done'};
}

async function watched(events: AsyncIterable<WatchEvent>): Promise<WatchEvent[]> {
  const seen: WatchEvent[] = [];
  for await (const event of events) if (event.type !== 'BOOKMARK') seen.push(event);
  return seen;
}

const passing = new Set(['creationTimestamp', 'deletionTimestamp', 'time', 'lastTransitionTime', 'lastUpdateTime']);

/** An outcome without what is never the same twice: times, versions, uids, the namespace. */
function neutral(outcome: Outcome, namespace: string): unknown {
  const text = JSON.stringify(outcome, (name, value: unknown) => {
    if (passing.has(name)) return 'a time';
    if (name === 'resourceVersion') return value === '' ? '' : 'a version';
    if (name === 'continue') return 'a token';
    // Their order depends on the second in which they were written.
    if (name === 'managedFields') return (value as {manager: string}[]).toSorted((a, b) => (a.manager < b.manager ? -1 : 1));
    return value;
  });
  const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return JSON.parse(
    text
      .replaceAll(uid, 'a uid')
      .replaceAll(namespace, 'the namespace')
      .replaceAll(/(?<=object meta: )\d+/g, 'a version'),
  );
}
