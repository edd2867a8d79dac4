import {setTimeout as sleep} from 'node:timers/promises';
import type {HttpsClient} from '../../test/helpers/https-client.js';
import type {LoadProcess} from '../bench/load-process.js';
import type {RequestJob} from '../bench/work.js';

/** The namespace that all measured requests are about. */
export const measuredNamespace = 'growth';
/** Objects that are there from the start. */
export const leastObjects = 100;

/** What a server has ever more of, and what is measured meanwhile. */
export interface GrowthPlan {
  readonly name: string;
  /** Numbers at which is measured, the least first; those of `large` are added on demand. */
  readonly points: readonly number[];
  readonly large: readonly number[];
  readonly works: readonly GrowthWork[];
  /** Further flags of the server. */
  readonly flags?: readonly string[];
  /** Connections of HTTP/2 that all requests and watches share at a number; without it each has one of HTTP/1.1. */
  sessions?(count: number): number;
  /** Brings a server from one number to the next. Without it each number has a server of its own, whose store has so many objects when it starts. @returns how many it has made */
  grow?(server: GrowingServer, from: number, to: number): Promise<number>;
}

export interface GrowthWork {
  readonly name: RequestJob['work'] | 'event to a watch' | typeof oneMore;
  /** What is asked for by the work `path`. */
  readonly path?: string;
  readonly accept?: string;
  /** What it is called, where that is not its name. */
  readonly title?: string;
  /** Whether it may take more with the number: what every request or object has more of. Whatever else grows is a fault. */
  readonly mayGrow?: boolean;
}

/** What it costs to make one more of what grows, with all that follows from it. */
export const oneMore = 'one more';

export interface GrowingServer {
  readonly client: HttpsClient;
  readonly load: LoadProcess;
}

const usual: readonly GrowthWork[] = [{name: 'get'}, {name: 'list of 20'}, {name: 'update'}];

/** Requests at a time while a server grows. */
const lanes = 16;

async function each(from: number, to: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let next = from;
  const lane = async () => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({length: lanes}, lane));
  return to - from;
}

async function post({client}: GrowingServer, path: string, body: object): Promise<void> {
  const {status, text} = await client.post(path, body);
  if (status !== 201) throw new Error(`${path}: status ${status} ${text}`);
}

const watched: readonly GrowthWork[] = [{name: 'get'}, {name: 'event to a watch'}, {name: oneMore, title: 'one more watch'}];

/** Anew each time: those of before are closed. */
async function openWatches({load}: GrowingServer, _from: number, to: number): Promise<number> {
  await load.run({kind: 'watchers', namespace: measuredNamespace, count: to});
  return to;
}

const aggregatedDiscovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const configMaps = `/api/v1/namespaces/${measuredNamespace}/configmaps`;
const admission = '/apis/admissionregistration.k8s.io/v1';

export const growthPlans: readonly GrowthPlan[] = [
  {
    name: 'objects',
    points: [100, 1_000, 10_000],
    large: [100_000, 1_000_000],
    works: [...usual, {name: 'list of 20 by label'}, {name: 'create'}],
  },
  {
    name: 'watches',
    points: [1, 10, 100, 1_000],
    large: [5_000],
    works: watched,
    grow: openWatches,
  },
  {
    name: 'watches over HTTP/2',
    points: [1, 10, 100, 1_000],
    large: [5_000, 20_000],
    works: watched,
    flags: ['--disable-http2-serving=false', '--max-watches=25000'],
    // A server grants a hundred streams each, some of them for requests.
    sessions: (count) => Math.ceil(count / 95),
    grow: openWatches,
  },
  {
    name: 'definitions',
    points: [0, 30, 100, 300],
    large: [1_000, 5_000],
    works: [
      ...usual,
      {name: oneMore, title: 'one more definition'},
      {name: 'path', title: 'discovery', path: '/apis', accept: aggregatedDiscovery, mayGrow: true},
      {name: 'path', title: 'index of OpenAPI', path: '/openapi/v3', mayGrow: true},
    ],
    async grow(server, from, to) {
      const made = await each(from, to, (index) =>
        post(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(index)),
      );
      // Until all are served, and what that costs is over.
      if (to > 0) await untilServed(server.client, `/apis/${definitionGroup(to - 1)}/v1/things`);
      return made;
    },
  },
  {
    name: 'policies and webhooks for other types',
    points: [0, 10, 50, 200],
    large: [1_000],
    works: [...usual, {name: oneMore, title: 'one more of each'}],
    grow: (server, from, to) =>
      each(from, to, async (index) => {
        await post(server, `${admission}/validatingadmissionpolicies`, policy(index, 'secrets'));
        await post(server, `${admission}/validatingadmissionpolicybindings`, binding(index));
        await post(server, `${admission}/validatingwebhookconfigurations`, webhook(index));
      }),
  },
  {
    name: 'policies for the type',
    points: [0, 10, 50, 200],
    large: [],
    works: [{name: 'get'}, {name: 'update', mayGrow: true}, {name: oneMore, title: 'one more policy'}],
    grow: (server, from, to) =>
      each(from, to, async (index) => {
        await post(server, `${admission}/validatingadmissionpolicies`, policy(index, 'configmaps'));
        await post(server, `${admission}/validatingadmissionpolicybindings`, binding(index));
      }),
  },
  {
    name: 'namespaces',
    points: [10, 100, 1_000],
    large: [10_000],
    works: [...usual, {name: oneMore, title: 'one more with an object'}],
    grow: (server, from, to) =>
      each(from, to, async (index) => {
        await post(server, '/api/v1/namespaces', {metadata: {name: `other-${index}`}});
        await post(server, `/api/v1/namespaces/other-${index}/configmaps`, {metadata: {name: 'one'}, data: {a: 'b'}});
      }),
  },
  {
    name: 'labels of each object',
    points: [0, 10, 50, 100],
    large: [],
    works: [
      {name: 'get', mayGrow: true},
      {name: 'list of 20', mayGrow: true},
      {name: 'list by label', mayGrow: true},
      {name: 'merge patch', mayGrow: true},
    ],
    grow: ({client}, from, to) =>
      each(0, leastObjects, async (index) => {
        const labels = Object.fromEntries(Array.from({length: to - from}, (_, label) => [`label-${from + label}`, `value-${index}`]));
        const {status} = await client.patch(`${configMaps}/item-${String(index).padStart(6, '0')}`, {metadata: {labels}});
        if (status !== 200) throw new Error(`labels: status ${status}`);
      }),
  },
];

async function untilServed(client: HttpsClient, path: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(50)) {
    if ((await client.get(path)).status === 200) return;
  }
  throw new Error(`${path} is not served`);
}

const definitionGroup = (index: number) => `growth-${index}.example.com`;

function definition(index: number): object {
  const group = definitionGroup(index);
  const schema = {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer'}, name: {type: 'string'}}}}};
  return {
    metadata: {name: `things.${group}`},
    spec: {
      group,
      scope: 'Namespaced',
      names: {plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList'},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  };
}

function policy(index: number, resource: string): object {
  return {
    metadata: {name: `growth-${index}`},
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource]}]},
      validations: [{expression: `object.metadata.name != "name-${index}"`}],
    },
  };
}

function binding(index: number): object {
  return {metadata: {name: `growth-${index}`}, spec: {policyName: `growth-${index}`, validationActions: ['Deny']}};
}

/** Of a type that nothing writes: it is never called. */
function webhook(index: number): object {
  return {
    metadata: {name: `growth-${index}`},
    webhooks: [
      {
        name: `growth-${index}.example.com`,
        clientConfig: {url: 'https://127.0.0.1:1/'},
        rules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets']}],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  };
}
