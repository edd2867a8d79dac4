import test from 'ava';
import type {FlowControlConfiguration, FlowSchemaDefinition, FlowSubject, UserInfo} from '../../../../sdk/index.js';
import {RequestFlowControl} from '../../../../core/http/flow-control/request-flow-control.js';
import {parseRequestInfo, type RequestInfo} from '../../../../core/http/request/request-info.js';
import {silentLogger} from '../../../../core/logs/silent-logger.js';
import {random} from './random.js';

const noQuery = new URLSearchParams();
const request = (method: string, path: string) => parseRequestInfo(method, path, noQuery);
const limited = {nominalConcurrencyShares: 10, lendablePercent: 0};
const all = {verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']};
const user = (username: string, ...groups: string[]): UserInfo => ({username, groups});

function flowControl(configuration: FlowControlConfiguration): RequestFlowControl {
  const control = new RequestFlowControl({enabled: true, seats: 600, headerPrefix: 'X-Orch', logger: silentLogger});
  control.configure(configuration);
  return control;
}

function schema(
  name: string,
  matchingPrecedence: number,
  subject: FlowSubject,
  more: Partial<FlowSchemaDefinition> = {},
): FlowSchemaDefinition {
  return {
    name,
    matchingPrecedence,
    priorityLevel: 'some',
    rules: [{subjects: [subject], resourceRules: [all], nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}]}],
    ...more,
  };
}

const some = [{name: 'some', uid: 'level-uid', limited}];
const everybody: FlowSubject = {kind: 'Group', name: 'system:authenticated'};

test('of the schemas that match that with the lowest precedence counts, then the first by name', (t) => {
  const control = flowControl({
    priorityLevels: some,
    flowSchemas: [schema('c', 20, everybody), schema('b', 10, everybody), schema('a', 30, everybody), schema('d', 10, everybody)],
  });
  t.is(control.classify(user('jane', 'system:authenticated'), request('GET', '/api/v1/pods')).schema.name, 'b');
});

test('administrators are exempt, and what nothing matches is caught, also when nothing says so', (t) => {
  for (const configuration of [
    {priorityLevels: [], flowSchemas: []},
    {priorityLevels: [], flowSchemas: [schema('lost', 1, everybody, {priorityLevel: 'gone'})]},
  ]) {
    const control = flowControl(configuration);
    const masters = control.classify(user('root', 'system:masters'), request('DELETE', '/api/v1/nodes'));
    t.deepEqual([masters.schema.name, masters.schema.level.queues], ['exempt', undefined]);
    const jane = control.classify(user('jane', 'system:authenticated'), request('GET', '/api/v1/pods'));
    t.deepEqual([jane.schema.name, jane.schema.level.name, jane.distinguisher], ['catch-all', 'catch-all', 'jane']);
    t.deepEqual(jane.schema.level.queues!.state.seats, 600);
    // Whatever an authenticator has made of it.
    t.is(control.classify(user('nobody'), request('GET', '/')).schema.name, 'catch-all');
  }
});

test('flows are told apart by user, by namespace or not at all', (t) => {
  const control = flowControl({
    priorityLevels: some,
    flowSchemas: [
      schema('by-user', 10, {kind: 'User', name: 'jane'}, {distinguisher: 'ByUser'}),
      schema('by-user-too', 11, {kind: 'User', name: 'joe'}, {distinguisher: 'ByUser'}),
      schema('by-namespace', 20, {kind: 'Group', name: 'team'}, {distinguisher: 'ByNamespace'}),
      schema('one', 30, everybody),
    ],
  });
  const flow = (who: UserInfo, path: string) => control.classify(who, request('GET', path));
  t.is(flow(user('jane'), '/api/v1/namespaces/a/pods').distinguisher, 'jane');
  t.is(flow(user('jane'), '/version'), flow({...user('jane')}, '/api/v1/namespaces/a/pods'));
  const team = user('x', 'team');
  t.is(flow(team, '/api/v1/namespaces/a/pods').distinguisher, 'a');
  t.not(flow(team, '/api/v1/namespaces/a/pods'), flow(team, '/api/v1/namespaces/b/pods'));
  t.is(flow(team, '/api/v1/pods').distinguisher, '');
  t.is(flow(user('a', 'system:authenticated'), '/version'), flow(user('b', 'system:authenticated'), '/api/v1/pods'));
});

test('subjects are users, groups and service accounts; a star is all of them', (t) => {
  const matches = (subject: FlowSubject, who: UserInfo) =>
    flowControl({priorityLevels: some, flowSchemas: [schema('x', 10, subject)]}).classify(who, request('GET', '/api')).schema.name === 'x';
  const account = user('system:serviceaccount:ns:builder', 'system:serviceaccounts');
  t.true(matches({kind: 'User', name: 'jane'}, user('jane')));
  t.false(matches({kind: 'User', name: 'jane'}, user('joe', 'jane')));
  t.true(matches({kind: 'User', name: '*'}, user('anybody')));
  t.true(matches({kind: 'Group', name: 'team'}, user('jane', 'a', 'team')));
  t.false(matches({kind: 'Group', name: 'team'}, user('team', 'a')));
  t.true(matches({kind: 'Group', name: '*'}, user('nobody')));
  t.true(matches({kind: 'ServiceAccount', namespace: 'ns', name: 'builder'}, account));
  t.true(matches({kind: 'ServiceAccount', namespace: 'ns', name: '*'}, account));
  t.false(matches({kind: 'ServiceAccount', namespace: 'n', name: '*'}, account));
  t.false(matches({kind: 'ServiceAccount', namespace: 'ns', name: 'other'}, account));
  t.false(matches({kind: 'ServiceAccount', namespace: 'ns', name: '*'}, user('ns:builder')));
});

test('resource rules look at verb, group, resource with subresource, namespace and scope; others at verb and path', (t) => {
  const rule = {
    verbs: ['get', 'list'],
    apiGroups: ['', 'apps'],
    resources: ['pods', 'deployments/scale'],
    clusterScope: false,
    namespaces: ['a', 'b'],
  };
  const control = flowControl({
    priorityLevels: some,
    flowSchemas: [
      schema('x', 10, everybody, {
        rules: [
          {
            subjects: [everybody],
            resourceRules: [rule, {...rule, resources: ['nodes'], clusterScope: true, namespaces: []}],
            nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['/healthz', '/logs/*']}],
          },
        ],
      }),
    ],
  });
  const matched = (method: string, path: string) =>
    control.classify(user('jane', 'system:authenticated'), request(method, path)).schema.name === 'x';
  const cases: [string, string, boolean][] = [
    ['GET', '/api/v1/namespaces/a/pods', true],
    ['GET', '/api/v1/namespaces/b/pods/x', true],
    ['GET', '/api/v1/namespaces/c/pods', false],
    ['POST', '/api/v1/namespaces/a/pods', false],
    ['GET', '/api/v1/namespaces/a/pods/x/status', false],
    ['GET', '/apis/apps/v1/namespaces/a/deployments/x/scale', true],
    ['GET', '/apis/apps/v1/namespaces/a/deployments/x', false],
    ['GET', '/apis/batch/v1/namespaces/a/pods', false],
    ['GET', '/api/v1/pods', false],
    ['GET', '/api/v1/nodes/x', true],
    ['GET', '/healthz', true],
    ['GET', '/healthz/ping', true],
    ['GET', '/healthzz', false],
    ['GET', '/logs/a/b', true],
    ['GET', '/logs', false],
    ['POST', '/healthz', false],
  ];
  for (const [method, path, expected] of cases) t.is(matched(method, path), expected, `${method} ${path}`);
});

test('headers tell the objects that a request matched, and nothing where there are none', (t) => {
  const control = flowControl({priorityLevels: some, flowSchemas: [schema('x', 10, everybody, {uid: 'schema-uid'})]});
  t.deepEqual(control.classify(user('jane', 'system:authenticated'), request('GET', '/api')).schema.headers, [
    'X-Orch-PF-FlowSchema-UID',
    'schema-uid',
    'X-Orch-PF-PriorityLevel-UID',
    'level-uid',
  ]);
  t.deepEqual(control.classify(user('root', 'system:masters'), request('GET', '/api')).schema.headers, []);
});

test('flows have a bound: who sends any number of names does not fill the memory', (t) => {
  const control = flowControl({priorityLevels: some, flowSchemas: [schema('x', 10, everybody, {distinguisher: 'ByNamespace'})]});
  const jane = user('jane', 'system:authenticated');
  const first = control.classify(jane, request('GET', '/api/v1/namespaces/first/pods'));
  t.is(control.classify(jane, request('GET', '/api/v1/namespaces/first/pods')), first);
  for (let index = 0; index < 5000; index += 1) control.classify(jane, request('GET', `/api/v1/namespaces/ns-${index}/pods`));
  const again = control.classify(jane, request('GET', '/api/v1/namespaces/first/pods'));
  t.not(again, first);
  t.deepEqual(again.hand(128, 6), first.hand(128, 6));
  const long = `/api/v1/namespaces/${'x'.repeat(300)}/pods`;
  t.not(control.classify(jane, request('GET', long)), control.classify(jane, request('GET', long)));
});

/** As the documentation of the fields says it, one rule after the other. */
function plainly(schemas: readonly FlowSchemaDefinition[], who: UserInfo, info: RequestInfo): string {
  const has = (list: readonly string[], value: string) => list[0] === '*' || list.includes(value);
  const inOrder = schemas.toSorted((a, b) => a.matchingPrecedence - b.matchingPrecedence || (a.name < b.name ? -1 : 1));
  const found = inOrder.find(({rules}) =>
    rules.some(
      ({subjects, resourceRules, nonResourceRules}) =>
        subjects.some((subject) => {
          if (subject.kind === 'ServiceAccount') {
            const prefix = `system:serviceaccount:${subject.namespace}:`;
            return subject.name === '*' ? who.username.startsWith(prefix) : who.username === `${prefix}${subject.name}`;
          }
          return subject.name === '*' || (subject.kind === 'User' ? who.username === subject.name : who.groups.includes(subject.name));
        }) &&
        (info.isResourceRequest
          ? resourceRules.some(
              (rule) =>
                has(rule.verbs, info.verb) &&
                has(rule.apiGroups, info.group) &&
                has(rule.resources, [info.resource, info.subresource].filter(Boolean).join('/')) &&
                (info.namespace === '' ? rule.clusterScope : has(rule.namespaces, info.namespace)),
            )
          : nonResourceRules.some((rule) => has(rule.verbs, info.verb) && has(rule.nonResourceURLs, info.path))),
    ),
  );
  return found?.name ?? 'catch-all';
}

test('any schemas choose as looking at one after the other would', (t) => {
  const {seed, next} = random();
  t.log(`seed ${seed}`);
  const one = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const several = (values: readonly string[]) => (next() < 0.3 ? ['*'] : values.filter(() => next() < 0.4));
  const names = ['jane', 'joe', 'system:serviceaccount:a:x', 'system:serviceaccount:b:x', 'system:serviceaccount:a:y'];
  const groups = ['g1', 'g2', 'system:authenticated'];
  const subject = (): FlowSubject =>
    next() < 0.3
      ? {kind: 'ServiceAccount', namespace: one(['a', 'b']), name: one(['x', 'y', '*'])}
      : next() < 0.5
        ? {kind: 'User', name: one([...names, '*'])}
        : {kind: 'Group', name: one([...groups, '*'])};
  const paths = [
    '/api/v1/namespaces/a/pods',
    '/api/v1/namespaces/b/pods/p/status',
    '/api/v1/pods',
    '/apis/apps/v1/namespaces/a/deployments/d',
    '/version',
    '/livez',
  ];
  for (let world = 0; world < 200; world += 1) {
    const schemas = Array.from({length: 6}, (_, index): FlowSchemaDefinition => ({
      name: `s${index}`,
      priorityLevel: 'some',
      matchingPrecedence: 2 + Math.floor(next() * 4),
      rules: Array.from({length: 1 + Math.floor(next() * 2)}, () => ({
        subjects: [subject(), subject()],
        resourceRules: [
          {
            verbs: several(['get', 'list', 'create']),
            apiGroups: several(['', 'apps']),
            resources: several(['pods', 'pods/status', 'deployments']),
            clusterScope: next() < 0.5,
            namespaces: several(['a', 'b']),
          },
        ],
        nonResourceRules: [{verbs: several(['get', 'post']), nonResourceURLs: several(['/version', '/livez'])}],
      })),
    }));
    const control = flowControl({priorityLevels: some, flowSchemas: schemas});
    const mandatory = {...schema('catch-all', 10_000, {kind: 'Group', name: '*'}), priorityLevel: 'catch-all'};
    for (let index = 0; index < 30; index += 1) {
      const who = user(one(names), ...groups.filter(() => next() < 0.5));
      const info = request(one(['GET', 'POST']), one(paths));
      t.is(control.classify(who, info).schema.name, plainly([...schemas, mandatory], who, info), `${world} ${who.username} ${info.path}`);
    }
  }
});
