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
  /** Brings a server from one number to the next. */
  grow(server: GrowingServer, from: number, to: number): Promise<void>;
  /** How many objects requests pick among. */
  objects?(count: number): number;
}

export interface GrowthWork {
  readonly name: RequestJob['work'] | 'event to a watch';
  /** Whether it may take more with the number: what every request or object has more of. Whatever else grows is a fault. */
  readonly mayGrow?: boolean;
}

export interface GrowingServer {
  readonly client: HttpsClient;
  readonly load: LoadProcess;
}

const usual: readonly GrowthWork[] = [{name: 'get'}, {name: 'list of 20'}, {name: 'update'}];

/** Requests at a time while a server grows. */
const lanes = 16;

async function each(from: number, to: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = from;
  const lane = async () => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({length: lanes}, lane));
}

async function post({client}: GrowingServer, path: string, body: object): Promise<void> {
  const {status, text} = await client.post(path, body);
  if (status !== 201) throw new Error(`${path}: status ${status} ${text}`);
}

const configMaps = `/api/v1/namespaces/${measuredNamespace}/configmaps`;
const admission = '/apis/admissionregistration.k8s.io/v1';

export const growthPlans: readonly GrowthPlan[] = [
  {
    name: 'objects',
    points: [100, 1_000, 10_000],
    large: [100_000],
    works: [...usual, {name: 'list by label', mayGrow: true}],
    objects: (count) => count,
    async grow({load}, from, to) {
      const count = to - Math.max(from, leastObjects);
      if (count <= 0) return;
      const job = {kind: 'requests', work: 'create', namespace: measuredNamespace, first: to - count, count, maxSeconds: 110} as const;
      const {failures, firstFailure, operations} = await load.run({...job, objects: count});
      if (failures > 0 || operations < count) throw new Error(`making objects: ${firstFailure ?? 'too slow'}`);
    },
  },
  {
    name: 'watches',
    points: [1, 10, 100, 1_000],
    large: [5_000],
    works: [{name: 'get'}, {name: 'event to a watch'}],
    grow: ({load}, _from, to) => load.run({kind: 'watchers', namespace: measuredNamespace, count: to}).then(() => undefined),
  },
  {
    name: 'definitions',
    points: [0, 30, 100, 300],
    large: [1_000, 3_000],
    works: usual,
    async grow(server, from, to) {
      await each(from, to, (index) => post(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(index)));
      // Until all are served, and what that costs is over.
      if (to > 0) await untilServed(server.client, `/apis/${definitionGroup(to - 1)}/v1/things`);
    },
  },
  {
    name: 'policies and webhooks for other types',
    points: [0, 10, 50, 200],
    large: [1_000],
    works: usual,
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
    works: [{name: 'get'}, {name: 'update', mayGrow: true}],
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
    works: usual,
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
