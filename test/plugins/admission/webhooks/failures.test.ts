import {makeAuthority} from '../../../helpers/test-certificates.js';
import {assertFailure} from '../../../semantics/answers.js';
import {eventually} from '../../../helpers/eventually.js';
import {patching, testHooksOnEachStore, type HookAnswer} from './hook-tests.js';

const eachStore = testHooksOnEachStore();
const configMap = (name: string) => ({metadata: {name}, data: {a: 'b'}});
const raw =
  (text: string | Buffer, status = 200): HookAnswer =>
  (_review, response) => {
    response.writeHead(status, {'content-type': 'application/json'});
    response.end(text);
    return undefined;
  };

const reset: HookAnswer = (_review, response) => {
  response.destroy();
  return undefined;
};
const cut: HookAnswer = (_review, response) => {
  response.writeHead(200, {'content-length': '100'});
  response.write('{', () => response.destroy());
  return undefined;
};

eachStore(
  'a call that fails fails the request, unless the policy is to ignore it [B-HOOK-36] [B-HOOK-37] [B-HOOK-51] [B-HOOK-52] [B-HOOK-53] [B-HOOK-56]',
  async (t, {client, path}, hooks) => {
    const review = (response: object | undefined, more: object = {}) =>
      JSON.stringify({apiVersion: 'admission.orch/v1', kind: 'AdmissionReview', response, ...more});
    const answered =
      (more: (uid: string) => object): HookAnswer =>
      ({request}, response) => (response.end(JSON.stringify(more(request.uid))), undefined);
    const whole = (uid: string, more: object = {}) => ({
      apiVersion: 'admission.orch/v1',
      kind: 'AdmissionReview',
      response: {uid, allowed: true, ...more},
    });
    const table: readonly [name: string, reply: HookAnswer, message: RegExp][] = [
      ['status', raw('{}', 500), /failed to call webhook: Post "https:.*\/[a-z0-9.-]+\?timeout=10s": the service answers with status 500$/],
      ['garbage', raw('<html>'), /the answer is not JSON$/],
      ['list', raw('[]'), /the answer is not a JSON object$/],
      ['empty', raw(''), /the answer is empty$/],
      ['absent', raw(review(undefined)), /received invalid webhook response: webhook response was absent$/],
      ['uid', raw(review({uid: 'other', allowed: true})), /expected response\.uid="[0-9a-f-]{36}", got "other"$/],
      ['no-uid', raw(review({allowed: true})), /expected response\.uid="[0-9a-f-]{36}", got ""$/],
      [
        'version',
        answered((uid) => ({...whole(uid), apiVersion: 'admission.orch/v1beta1'})),
        /expected webhook response of admission\.orch\/v1, Kind=AdmissionReview, got admission\.orch\/v1beta1, Kind=AdmissionReview$/,
      ],
      ['kind', answered((uid) => ({...whole(uid), kind: 'Review'})), /got admission\.orch\/v1, Kind=Review$/],
      ['type', answered((uid) => whole(uid, {patch: 'W10=', patchType: 'MergePatch'})), /unsupported patch type "MergePatch"$/],
      ['no-type', answered((uid) => whole(uid, {patch: 'W10='})), /webhook returned response\.patch but not response\.patchType$/],
      [
        'no-patch',
        answered((uid) => whole(uid, {patchType: 'JSONPatch'})),
        /webhook returned response\.patchType but not response\.patch$/,
      ],
      ['reset', reset, /the connection to 127\.0\.0\.1:\d+ broke off before the answer was complete/],
      ['cut', cut, /broke off/],
    ];
    for (const failurePolicy of ['Fail', 'Ignore'])
      await hooks.configure(
        'mutating',
        table.map(([name, answer]) => ({
          name: `${name}.${failurePolicy.toLowerCase()}.example.com`,
          failurePolicy,
          answer,
          objectSelector: {matchLabels: {case: name, policy: failurePolicy}},
        })),
      );
    for (const [name, , message] of table) {
      const make = (policy: string) =>
        client.post(path('configmaps'), {metadata: {name: `${name}-${policy.toLowerCase()}`, labels: {case: name, policy}}});
      const status = assertFailure(t, await make('Fail'), 500, 'InternalError', message);
      t.true(status.message.startsWith(`Internal error occurred: failed calling webhook "${name}.fail.example.com": `), status.message);
      t.is((await make('Ignore')).status, 201, name);
    }
  },
);

eachStore('a rejection counts whatever the failure policy is [B-HOOK-37]', async (t, {client, path}, hooks) => {
  await hooks.configure('validating', [{name: 'no.example.com', failurePolicy: 'Ignore', answer: () => ({allowed: false})}]);
  t.is((await client.post(path('configmaps'), configMap('one'))).status, 400);
});

eachStore(
  "a patch that cannot be read or does not apply fails the request, whatever the policy is; one that breaks rules is the client's fault [B-HOOK-57]",
  async (t, {client, path}, hooks) => {
    const encoded = (text: string) => ({allowed: true, patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64')});
    const table: readonly [name: string, reply: object, code: number, message: RegExp][] = [
      ['text', encoded('no json'), 500, /response\.patch is no JSON/],
      ['object', encoded('{}'), 500, /must be an array of operations/],
      [
        'path',
        patching([{op: 'remove', path: '/none'}]),
        500,
        /admission webhook "path\.example\.com": its patch cannot be applied: .*JSON patch operation 0/,
      ],
      ['op', patching([{op: 'none'}]), 500, /unknown op/],
      [
        'many',
        patching(Array.from({length: 10_001}, () => ({op: 'test', path: '/data/a', value: 'b'}))),
        500,
        /allowed maximum operations in a JSON patch is 10000, got 10001/,
      ],
      ['kind', patching([{op: 'replace', path: '/kind', value: 'Secret'}]), 500, /its patch cannot be applied/],
      ['rule', patching([{op: 'add', path: '/data/bad key', value: 'x'}]), 422, /data\[bad key\]/],
    ];
    await hooks.configure(
      'mutating',
      table.map(([name, reply]) => ({
        name: `${name}.example.com`,
        failurePolicy: 'Ignore',
        answer: () => reply as never,
        objectSelector: {matchLabels: {case: name}},
      })),
    );
    for (const [name, , code, message] of table) {
      const response = await client.post(path('configmaps'), {...configMap(name), metadata: {name, labels: {case: name}}});
      assertFailure(t, response, code, code === 500 ? 'InternalError' : 'Invalid', message);
    }
    const cleared = await hooks.configure('mutating', [{name: 'empty.example.com', answer: () => encoded('[]')}]);
    t.truthy(cleared);
    t.is((await client.post(path('configmaps'), configMap('fine'))).status, 201);
  },
);

eachStore(
  'a webhook that does not answer in time counts as failed [B-HOOK-35] [B-HOOK-36] [B-HOOK-37]',
  async (t, {client, path}, hooks) => {
    const hang: HookAnswer = () => undefined;
    await hooks.configure('validating', [{name: 'ignored.example.com', timeoutSeconds: 1, failurePolicy: 'Ignore', answer: hang}]);
    const began = performance.now();
    t.is((await client.post(path('configmaps'), configMap('one'))).status, 201);
    t.true(performance.now() - began >= 990);
    await hooks.configure('validating', [{name: 'hangs.example.com', timeoutSeconds: 1, answer: hang}]);
    assertFailure(
      t,
      await client.post(path('configmaps'), configMap('two')),
      500,
      'InternalError',
      /"hangs\.example\.com": failed to call webhook: Post ".*timeout=1s": no answer within 1 s$/,
    );
  },
);

eachStore('a webhook has no more time than the request that waits for it', async (t, {client, path}, hooks) => {
  await hooks.configure('validating', [{name: 'hangs.example.com', timeoutSeconds: 30, failurePolicy: 'Ignore', answer: () => undefined}]);
  const began = performance.now();
  assertFailure(t, await client.post(`${path('configmaps')}?timeout=1s`, configMap('one')), 504, 'Timeout');
  t.true(performance.now() - began < 10_000);
  await eventually(
    () => hooks.connections.open,
    (open) => open <= 16,
  );
});

eachStore('a webhook is trusted by its bundle, else by the roots of the system [B-HOOK-28]', async (t, {client, path}, hooks) => {
  const other = Buffer.from((await makeAuthority('other')).certificate).toString('base64');
  const url = (name: string) => `${hooks.url}/${name}`;
  await hooks.configure('validating', [
    {name: 'other.example.com', clientConfig: {url: url('a'), caBundle: other}, objectSelector: {matchLabels: {case: 'other'}}},
    {name: 'none.example.com', clientConfig: {url: url('b')}, objectSelector: {matchLabels: {case: 'none'}}},
  ]);
  for (const name of ['other', 'none'])
    assertFailure(
      t,
      await client.post(path('configmaps'), {metadata: {name, labels: {case: name}}}),
      500,
      'InternalError',
      /"(other|none)\.example\.com": failed to call webhook: .*unknown authority/,
    );
});
