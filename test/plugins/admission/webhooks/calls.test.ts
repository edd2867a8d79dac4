import {assertFailure} from '../../../semantics/answers.js';
import {pathOf, patching, testHooksOnEachStore, type HookService} from './hook-tests.js';

const eachStore = testHooksOnEachStore();

const deny = {allowed: false, status: {message: 'no'}};
const labelled = (key: string, value = 'yes') => patching([{op: 'add', path: '/metadata/labels', value: {[key]: value}}]);
const configMap = (name: string, more: object = {}) => ({metadata: {name}, ...more});
const stored = async ({context: {client, path}}: HookService, name: string) =>
  (await client.get(`${path('configmaps')}/${name}`)).json<{metadata: {labels?: object}; data?: object}>();

eachStore(
  'a webhook is called for requests that its rules name, and for no others [B-HOOK-1] [B-HOOK-7]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('validating', [
      {name: 'a.example.com', rules: [{operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}]},
    ]);
    await client.post(path('secrets'), configMap('one'));
    await client.post(path('configmaps'), configMap('one'));
    t.is(hooks.reviews('a.example.com').length, 0);
    await client.patch(`${path('configmaps')}/one`, {data: {a: 'b'}});
    t.is(hooks.reviews('a.example.com').length, 1);
    await client.delete(`${path('configmaps')}/one`);
    t.is(hooks.reviews('a.example.com').length, 1);
  },
);

eachStore(
  'mutating webhooks are called one after the other, and each sees what the one before left; the result is stored and is what validating ones see [B-HOOK-2] [B-HOOK-3] [B-HOOK-4]',
  async (t, {client, path}, hooks) => {
    const add = (key: string) => patching([{op: 'add', path: `/data/${key}`, value: key}]);
    await hooks.configure('validating', [{name: 'judge.example.com'}]);
    await hooks.configure('mutating', [
      {name: 'first.example.com', answer: () => add('first')},
      {name: 'second.example.com', answer: () => add('second')},
    ]);
    const made = await client.post(path('configmaps'), configMap('one', {data: {own: 'own'}}));
    t.is(made.status, 201, made.body.toString());
    const all = {own: 'own', first: 'first', second: 'second'};
    const seen = (name: string) => hooks.reviews(name).map(({request}) => request.object!['data']);
    t.deepEqual(seen('first.example.com'), [{own: 'own'}]);
    t.deepEqual(seen('second.example.com'), [{own: 'own', first: 'first'}]);
    t.deepEqual(seen('judge.example.com'), [all]);
    t.deepEqual((await stored(hooks, 'one')).data, all);
  },
);

eachStore(
  'a validating webhook cannot change the object: an answer with a patch counts as failed [B-HOOK-4]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('validating', [{name: 'a.example.com', answer: () => labelled('a')}]);
    assertFailure(
      t,
      await client.post(path('configmaps'), configMap('one')),
      500,
      'InternalError',
      /received invalid webhook response: validating webhook may not return response\.patch/,
    );
  },
);

eachStore('validating webhooks of a request are called at the same time [B-HOOK-5]', async (t, {client, path}, hooks) => {
  let waiting = 0;
  let release = () => {};
  const both = new Promise<void>((resolve) => (release = resolve));
  const wait = async () => {
    if (++waiting === 2) release();
    await both;
    return {allowed: true};
  };
  await hooks.configure('validating', [
    {name: 'a.example.com', answer: wait},
    {name: 'b.example.com', answer: wait},
  ]);
  t.is((await client.post(path('configmaps'), configMap('one'))).status, 201);
  t.is(waiting, 2);
});

eachStore(
  'one webhook that rejects is enough: the request fails and nothing is stored [B-HOOK-6] [B-HOOK-54]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('validating', [
      {name: 'yes.example.com'},
      {name: 'no.example.com', answer: () => deny},
      {name: 'also.example.com'},
    ]);
    const refused = await client.post(path('configmaps'), configMap('one'));
    const status = assertFailure(t, refused, 400, undefined);
    t.is(status.message, 'admission webhook "no.example.com" denied the request: no');
    t.is((await client.get(`${path('configmaps')}/one`)).status, 404);
  },
);

eachStore('a mutating webhook that rejects ends the request: no later one is called [B-HOOK-6]', async (t, {client, path}, hooks) => {
  await hooks.configure('mutating', [{name: 'no.example.com', answer: () => deny}, {name: 'later.example.com'}]);
  t.is((await client.post(path('configmaps'), configMap('one'))).status, 400);
  t.is(hooks.reviews('later.example.com').length, 0);
});

eachStore("status, message and reason of a rejection are the webhook's own [B-HOOK-55] [B-ERR-5]", async (t, {client, path}, hooks) => {
  const results: readonly [given: object | undefined, code: number, reason: string | undefined, message: string][] = [
    [{code: 403, reason: 'Forbidden', message: 'not you'}, 403, 'Forbidden', ': not you'],
    [{code: 409, reason: 'Conflict'}, 409, 'Conflict', ': Conflict'],
    [{code: 200, message: 'low'}, 400, undefined, ': low'],
    [{message: 'plain'}, 400, undefined, ': plain'],
    [{}, 400, undefined, ' without explanation'],
    [undefined, 400, undefined, ' without explanation'],
    [
      {code: 418, message: 7, reason: [], details: {causes: ['x', {message: 'm', field: 3}], name: 4, kind: 'K'}},
      418,
      undefined,
      ' without explanation',
    ],
  ];
  let next = 0;
  await hooks.configure('validating', [
    {
      name: 'no.example.com',
      answer: ({request}) => {
        const status = results[Number(request.object!.metadata.name.slice(1))]?.[0];
        return {allowed: false, ...(status ? {status} : {})};
      },
    },
  ]);
  for (const [, code, reason, message] of results) {
    const status = assertFailure(t, await client.post(path('configmaps'), configMap(`n${next++}`)), code, reason);
    t.is(status.message, `admission webhook "no.example.com" denied the request${message}`);
    if (code === 418) t.deepEqual(status.details, {kind: 'K', causes: [{message: 'm'}]} as never);
  }
});

eachStore(
  'warnings of webhooks reach the client, each in a header of its own, of rejections too [B-HOOK-58] [B-ERR-7]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('mutating', [{name: 'm.example.com', answer: () => ({allowed: true, warnings: ['mind "this"', 'and that']})}]);
    await hooks.configure('validating', [
      {name: 'v.example.com', answer: ({request}) => ({allowed: request.object?.metadata.name !== 'no', warnings: ['last']})},
    ]);
    for (const [name, code] of [
      ['yes', 201],
      ['no', 400],
    ] as const) {
      const response = await client.post(`${path('configmaps')}?fieldValidation=Warn`, configMap(name, {unknown: 1}));
      t.is(response.status, code);
      t.is(
        response.headers['warning'],
        String.raw`299 - "unknown field \"unknown\"", 299 - "mind \"this\"", 299 - "and that", 299 - "last"`,
      );
    }
  },
);

eachStore(
  'of long warnings the first 256 characters arrive, and of many no more than 4096 characters [B-LIM-2] [B-LIM-3]',
  async (t, {client, path}, hooks) => {
    const long = `${'x'.repeat(256)}${'y'.repeat(100)}`;
    const warnings = [long, ...Array.from({length: 30}, (_, index) => `${String(index).padStart(3, '0')}${'z'.repeat(253)}`)];
    await hooks.configure('validating', [{name: 'v.example.com', answer: () => ({allowed: true, warnings})}]);
    const text = String((await client.post(path('configmaps'), configMap('one'))).headers['warning']);
    const told = [...text.matchAll(/299 - "([^"]*)"/g)].map(([, warning]) => warning!);
    t.is(told[0], 'x'.repeat(256));
    t.is(told.length, 16);
    t.is(told.join('').length, 4096);
  },
);

eachStore(
  'a new, changed or deleted configuration has effect without a restart, in the order of names [B-HOOK-9]',
  async (t, {client, path}, hooks) => {
    const order: string[] = [];
    const note = (name: string) => ({
      name: `${name}.example.com`,
      answer: () => ({allowed: order.push(name) > 0}),
    });
    const second = await hooks.configure('mutating', [note('second')], {
      name: `${hooks.context.namespace}-${hooks.context.store}-b`,
    });
    await hooks.configure('mutating', [note('first')], {name: `${hooks.context.namespace}-${hooks.context.store}-a`});
    await client.post(path('configmaps'), configMap('one'));
    t.deepEqual(order, ['first', 'second']);
    const at = `${pathOf('mutating')}/${second}`;
    await client.patch(at, {webhooks: [hooks.define({name: 'changed.example.com', answer: () => deny})]});
    const deadline = performance.now() + 2000;
    let status = 0;
    while (status !== 400 && performance.now() < deadline)
      ({status} = await client.post(`${path('configmaps')}?dryRun=All`, configMap('two')));
    t.is(status, 400);
    await client.delete(at);
    while (status !== 201 && performance.now() < deadline)
      ({status} = await client.post(`${path('configmaps')}?dryRun=All`, configMap('two')));
    t.is(status, 201);
  },
);
