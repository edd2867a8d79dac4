import {assertFailure} from '../../../semantics/answers.js';
import {pathOf, testHooksOnEachStore} from './hook-tests.js';
import {startTestServer} from '@orch-api/orch/testing';
import test from 'ava';

const eachStore = testHooksOnEachStore({release: '1.30'});
const conditions = (...expressions: string[]) => expressions.map((expression, index) => ({name: `c${index}.example.com`, expression}));
const configMap = (name: string, data: object = {}) => ({metadata: {name}, data});

eachStore('a webhook is called when all its conditions hold, which see object, oldObject and request', async (t, {client, path}, hooks) => {
  await hooks.configure('validating', [
    {name: 'named.example.com', matchConditions: conditions('object.metadata.name == "one"', 'request.operation == "CREATE"')},
    {
      name: 'old.example.com',
      matchConditions: conditions('request.operation == "UPDATE" && oldObject.data.a == "1" && object.data.a == "2"'),
    },
    {name: 'user.example.com', matchConditions: conditions('!("system:masters" in request.userInfo.groups)')},
  ]);
  await client.post(path('configmaps'), configMap('one', {a: '1'}));
  await client.post(path('configmaps'), configMap('two', {a: '1'}));
  await client.patch(`${path('configmaps')}/one`, {data: {a: '2'}});
  await client.patch(`${path('configmaps')}/two`, {data: {a: '3'}});
  const seen = (name: string) => hooks.reviews(name).map(({request}) => `${request.operation} ${request.name}`);
  t.deepEqual(seen('named.example.com'), ['CREATE one']);
  t.deepEqual(seen('old.example.com'), ['UPDATE one']);
  t.deepEqual(seen('user.example.com'), []);
});

eachStore(
  'a condition that cannot be evaluated refuses the write or leaves the webhook out; one that does not hold is enough',
  async (t, {client, path}, hooks) => {
    const failing = 'object.data.none == "x"';
    // What waits for the configuration to have effect is no business of theirs.
    const objectSelector = {matchExpressions: [{key: 'probe', operator: 'DoesNotExist'}]};
    await hooks.configure('validating', [
      {
        name: 'ignored.example.com',
        objectSelector,
        failurePolicy: 'Ignore',
        matchConditions: conditions(failing),
        answer: () => ({allowed: false}),
      },
      {
        name: 'spared.example.com',
        objectSelector,
        matchConditions: conditions(failing, 'object.metadata.name != "one"'),
        answer: () => ({allowed: false}),
      },
      {
        name: 'strict.example.com',
        objectSelector,
        matchConditions: conditions('object.metadata.name != "two" ? false : object.data.none == "x"'),
      },
    ]);
    t.is((await client.post(path('configmaps'), configMap('one', {a: 'b'}))).status, 201);
    const refused = await client.post(path('configmaps'), configMap('two', {a: 'b'}));
    assertFailure(t, refused, 403, 'Forbidden', /configmaps "two" is forbidden: expression '.*' resulted in error: no such key: none$/);
  },
);

eachStore('faults of conditions are refused with their place', async (t, {client}, hooks) => {
  const post = (matchConditions: object) =>
    client.post(`${pathOf('validating')}?dryRun=All`, {
      metadata: {name: 'faulty'},
      webhooks: [hooks.define({name: 'a.example.com', matchConditions})],
    });
  const at = String.raw`webhooks\[0\]\.matchConditions`;
  assertFailure(
    t,
    await post([{name: 'a', expression: 'object.'}]),
    422,
    'Invalid',
    new RegExp(String.raw`${at}\[0\]\.expression: Invalid value: "object\."`),
  );
  assertFailure(t, await post([{name: 'a', expression: '"text"'}]), 422, 'Invalid', /must evaluate to bool$/);
  assertFailure(t, await post([{name: 'a', expression: 'unknown == 1'}]), 422, 'Invalid', new RegExp(String.raw`${at}\[0\]\.expression`));
  assertFailure(t, await post([{name: 'a b', expression: 'true'}]), 422, 'Invalid', new RegExp(String.raw`${at}\[0\]\.name`));
  assertFailure(
    t,
    await post([
      {name: 'a', expression: 'true'},
      {name: 'a', expression: 'true'},
    ]),
    422,
    'Invalid',
    new RegExp(String.raw`${at}\[1\]`),
  );
  assertFailure(
    t,
    await post([{name: 'a', expression: ' '}]),
    422,
    'Invalid',
    new RegExp(String.raw`${at}\[0\]\.expression: Required value`),
  );
  assertFailure(
    t,
    await post(Array.from({length: 65}, (_, index) => ({name: `n${index}`, expression: 'true'}))),
    422,
    'Invalid',
    /must have at most 64 items/,
  );
});

const webhook = {
  name: 'a.example.com',
  clientConfig: {url: 'https://hooks.example.com'},
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  matchConditions: conditions('true'),
};

for (const release of ['1.26', '1.27'])
  test(`without the feature conditions are left out: ${release}`, async (t) => {
    await using server = await startTestServer({release});
    const made = await server.client.post(pathOf('mutating'), {metadata: {name: 'off'}, webhooks: [webhook]});
    t.is(made.status, 201);
    t.false(Object.hasOwn(made.json<{webhooks: object[]}>().webhooks[0]!, 'matchConditions'));
  });

test('conditions are kept and checked where the feature has no gate any more', async (t) => {
  await using server = await startTestServer({release: '1.33'});
  const post = (matchConditions: object[]) =>
    server.client.post(pathOf('validating'), {metadata: {name: 'new'}, webhooks: [{...webhook, matchConditions}]});
  assertFailure(t, await post([{expression: ''}]), 422, 'Invalid', /matchConditions\[0\]\.expression: Required value/);
  t.deepEqual((await post(webhook.matchConditions)).json<{webhooks: {matchConditions: object[]}[]}>().webhooks[0]!.matchConditions, [
    {name: 'c0.example.com', expression: 'true'},
  ]);
});
