import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

// The controller that counts would put right what the tests write into a status.
const client = servedGroup(test, {controllers: ['*', '-resource-quota']});
const ranges = '/api/v1/namespaces/default/limitranges';
const quotas = '/api/v1/namespaces/default/resourcequotas';

interface Answer extends ApiObject {
  spec: {limits: Record<string, unknown>[]};
  status: Record<string, unknown>;
}

const range = (name: string, ...limits: object[]) => ({apiVersion: 'v1', kind: 'LimitRange', metadata: {name}, spec: {limits}});
const quota = (name: string, spec: object) => ({apiVersion: 'v1', kind: 'ResourceQuota', metadata: {name}, spec});

test('limits of containers default to each other', async (t) => {
  const made = (
    await client().post(
      ranges,
      range('defaults', {type: 'Container', max: {cpu: '2'}, min: {memory: '1Mi'}, default: {'ephemeral-storage': '1Gi'}}),
    )
  ).json<Answer>();
  t.like(made.spec.limits[0], {
    default: {cpu: '2', 'ephemeral-storage': '1Gi'},
    defaultRequest: {cpu: '2', memory: '1Mi', 'ephemeral-storage': '1Gi'},
  });
});

test('a limit range without a name gets one', async (t) => {
  const {metadata: _metadata, ...nameless} = range('');
  t.regex((await client().post(ranges, nameless)).json<Answer>().metadata.name!, /^[0-9a-f-]{36}$/);
});

const faultyRanges: [string, object[], string[]][] = [
  ['names each type once', [{type: 'Container'}, {type: 'Container'}, {type: 'Cup'}], ['spec.limits[1].type', 'spec.limits[2].type']],
  [
    'has no defaults for pods',
    [{type: 'Pod', default: {cpu: '1'}, defaultRequest: {cpu: '1'}}],
    ['spec.limits[0].default', 'spec.limits[0].defaultRequest'],
  ],
  ['bounds the size of claims', [{type: 'PersistentVolumeClaim', max: {cpu: '1'}}], ['spec.limits[0].limits']],
  [
    'has known resources',
    [{type: 'Container', max: {storage: '1'}}],
    ['spec.limits[0].max[storage]', 'spec.limits[0].default[storage]', 'spec.limits[0].defaultRequest[storage]'],
  ],
  [
    'keeps its bounds in order',
    [{type: 'Container', min: {cpu: '4'}, defaultRequest: {cpu: '3'}, default: {cpu: '2'}, max: {cpu: '1'}}],
    [
      'spec.limits[0].min[cpu]',
      'spec.limits[0].defaultRequest[cpu]',
      'spec.limits[0].defaultRequest[cpu]',
      'spec.limits[0].defaultRequest[cpu]',
      'spec.limits[0].default[cpu]',
      'spec.limits[0].default[cpu]',
    ],
  ],
  [
    'has a ratio that the bounds allow',
    [{type: 'Pod', min: {cpu: '1'}, max: {cpu: '2'}, maxLimitRequestRatio: {cpu: '3', memory: '500m'}}],
    ['spec.limits[0].maxLimitRequestRatio[cpu]', 'spec.limits[0].maxLimitRequestRatio[memory]'],
  ],
  [
    'gives all or nothing of what cannot be shared',
    [{type: 'Container', default: {'example.com/gpu': '2'}, defaultRequest: {'example.com/gpu': '1'}}],
    ['spec.limits[0].defaultRequest[example.com/gpu]'],
  ],
];
for (const [title, limits, fields] of faultyRanges) {
  test(`a limit range ${title}`, async (t) => {
    t.deepEqual(faultyFields(await client().post(ranges, range('faulty', ...limits))), fields);
  });
}

test('a quota limits what can be counted', async (t) => {
  const hard = {
    pods: '3',
    'count/deployments.apps': '2',
    'requests.example.com/gpu': '1',
    'gold.storageclass.storage.orch/requests.storage': '1Gi',
    'requests.hugepages-2Mi': '2Mi',
    'services.nodeports': '0',
  };
  t.is((await client().post(quotas, quota('good', {hard}))).status, 201);
  t.deepEqual(
    causesOf(await client().post(quotas, quota('faulty', {hard: {pods: '1.5', secrets: '-1', thumbs: '1', 'count/x': '500m'}}))),
    [
      'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      'spec.hard[secrets]: Invalid value: "-1": must be greater than or equal to 0',
      'spec.hard[thumbs]: Invalid value: "thumbs": must be a standard resource type or fully qualified',
      'spec.hard[thumbs]: Invalid value: "thumbs": must be a standard resource for quota',
      'spec.hard[count/x]: Invalid value: "500m": must be an integer',
    ],
  );
});

const faultyQuotas: [string, object, string[]][] = [
  ['has scopes that do not contradict each other', {scopes: ['BestEffort', 'NotBestEffort']}, ['spec.scopes']],
  ['has known scopes', {scopes: ['Old']}, ['spec.scopes']],
  ['counts pods alone within scopes', {hard: {secrets: '1', cpu: '1'}, scopes: ['BestEffort']}, ['spec.scopes', 'spec.scopes']],
  [
    'asks for classes by name',
    {
      scopeSelector: {
        matchExpressions: [
          {scopeName: 'PriorityClass', operator: 'In'},
          {scopeName: 'Terminating', operator: 'In', values: ['x']},
          {scopeName: 'PriorityClass', operator: 'Exists', values: ['x']},
        ],
      },
    },
    [
      'spec.scopeSelector.matchExpressions[0].values',
      'spec.scopeSelector.matchExpressions[1].operator',
      'spec.scopeSelector.matchExpressions[2].values',
    ],
  ],
];
for (const [title, spec, fields] of faultyQuotas) {
  test(`a quota ${title}`, async (t) => {
    t.deepEqual(faultyFields(await client().post(quotas, quota('faulty', spec))), fields);
  });
}

test('the scopes of a quota stay', async (t) => {
  await client().post(quotas, quota('scoped', {hard: {pods: '1'}, scopes: ['Terminating', 'NotBestEffort']}));
  t.is((await client().patch(`${quotas}/scoped`, {spec: {hard: {pods: '2'}, scopes: ['NotBestEffort', 'Terminating']}})).status, 200);
  t.deepEqual(faultyFields(await client().patch(`${quotas}/scoped`, {spec: {scopes: ['Terminating']}})), ['spec.scopes']);
});

test('the use of a quota is reported through its status, and shown', async (t) => {
  const made = (await client().post(quotas, {...quota('used', {hard: {pods: '3'}}), status: {used: {pods: '9'}}})).json<Answer>();
  t.deepEqual(made.status, {});
  const status = {hard: {pods: '3', 'limits.cpu': '4', 'requests.cpu': '2'}, used: {pods: '1', 'limits.cpu': '1500m'}};
  t.is((await client().patch(`${quotas}/used/status`, {status, spec: {hard: {pods: '99'}}})).status, 200);
  const row = (await tableRows(client(), quotas)).find(({Name: name}) => name === 'used');
  t.like(row, {Request: 'pods: 1/3, requests.cpu: 0/2', Limit: 'limits.cpu: 1500m/4'});
  t.deepEqual(faultyFields(await client().patch(`${quotas}/used/status`, {status: {used: {pods: '-1'}}})), ['status.used[pods]']);
});
