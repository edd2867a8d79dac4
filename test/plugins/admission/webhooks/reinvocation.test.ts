import {recordingLogger} from '../../../helpers/recording-logger.js';
import {patching, testHooksOnEachStore, type HookAnswer} from './hook-tests.js';

const log = recordingLogger();
const eachStore = testHooksOnEachStore({logger: log.logger});

const add = (key: string) => patching([{op: 'add', path: `/data/${key}`, value: key}]);
/** Adds a key once: at the second call there is nothing left to do. */
const addOnce =
  (key: string): HookAnswer =>
  ({request}) =>
    Object.hasOwn(request.object!['data'] as object, key) ? {allowed: true} : add(key);
const data = {own: 'own'};

eachStore(
  'a webhook is called once, whatever later ones do, unless it wants to see later changes [B-HOOK-38] [B-HOOK-39]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('mutating', [
      {name: 'never.example.com', answer: addOnce('never')},
      {name: 'needed.example.com', answer: addOnce('needed'), reinvocationPolicy: 'IfNeeded'},
      {name: 'later.example.com', answer: addOnce('later')},
    ]);
    await client.post(path('configmaps'), {metadata: {name: 'one'}, data});
    const seen = (name: string) =>
      hooks.reviews(`${name}.example.com`).map(({request}) =>
        Object.keys(request.object!['data'] as object)
          .sort()
          .join(' '),
      );
    t.deepEqual(seen('never'), ['own']);
    t.deepEqual(seen('needed'), ['never own', 'later needed never own']);
    t.deepEqual(seen('later'), ['needed never own']);
  },
);

eachStore('a webhook behind which nothing changed is not called again', async (t, {client, path}, hooks) => {
  await hooks.configure('mutating', [
    {name: 'first.example.com', answer: addOnce('first'), reinvocationPolicy: 'IfNeeded'},
    {name: 'last.example.com', answer: addOnce('last'), reinvocationPolicy: 'IfNeeded'},
    {name: 'idle.example.com', reinvocationPolicy: 'IfNeeded'},
  ]);
  await client.post(path('configmaps'), {metadata: {name: 'one'}, data});
  t.deepEqual(
    ['first', 'last', 'idle'].map((name) => hooks.reviews(`${name}.example.com`).length),
    [2, 1, 1],
  );
});

eachStore('there are two rounds and no more, even if a webhook never has enough', async (t, {client, path}, hooks) => {
  let calls = 0;
  const greedy: HookAnswer = () => patching([{op: 'add', path: `/data/k${++calls}`, value: 'x'}]);
  await hooks.configure('mutating', [
    {name: 'a.example.com', answer: greedy, reinvocationPolicy: 'IfNeeded'},
    {name: 'b.example.com', answer: greedy, reinvocationPolicy: 'IfNeeded'},
  ]);
  t.is((await client.post(path('configmaps'), {metadata: {name: 'one'}, data})).status, 201);
  // In the second round the first changes the object again, which the second one has not seen.
  t.is(calls, 4);
});

eachStore(
  'each mutating call leaves a note with round and place; what it patched is no part of the log [B-AUDIT-1] [B-AUDIT-3] [B-AUDIT-4]',
  async (t, {client, path}, hooks) => {
    const configuration = await hooks.configure('mutating', [
      {name: 'again.example.com', reinvocationPolicy: 'IfNeeded'},
      {name: 'patches.example.com', answer: addOnce('secret')},
      {name: 'broken.example.com', failurePolicy: 'Ignore', answer: (_review, response) => (response.end('x'), undefined)},
    ]);
    await hooks.configure('validating', [
      {name: 'open.example.com', failurePolicy: 'Ignore', answer: (_review, response) => (response.end('x'), undefined)},
    ]);
    await client.post(path('configmaps'), {metadata: {name: 'noted'}, data});
    const line = log.lines.find(({fields}) => {
      const text = JSON.stringify(fields['annotations'] ?? {});
      return text.includes(configuration) && text.includes('\\"mutated\\":true');
    });
    const notes = line!.fields['annotations'] as Record<string, string>;
    const own = Object.entries(notes)
      .filter(([, value]) => value.includes(configuration))
      .map(([key, value]) => [key, JSON.parse(value) as {webhook: string; mutated: boolean}] as const);
    const places = own.map(([key]) => /^mutation\.webhook\.admission\.orch\/round_(\d)_index_(\d+)$/.exec(key)!.slice(1).map(Number));
    const base = places[0]![1]!;
    t.deepEqual(
      own.map(([, {webhook, mutated}], index) => [places[index]![0], places[index]![1]! - base, webhook, mutated]),
      [
        [0, 0, 'again.example.com', false],
        [0, 1, 'patches.example.com', true],
        [0, 2, 'broken.example.com', false],
        [1, 0, 'again.example.com', false],
      ],
    );
    t.is(notes[`failed-open.mutating.webhook.admission.orch/round_0_index_${base + 2}`], 'broken.example.com');
    t.is(notes['failed-open.validating.webhook.admission.orch/round_0_index_0'], 'open.example.com');
    t.false(Object.keys(notes).some((key) => key.startsWith('patch.')));
  },
);

eachStore('a webhook that fails is told in the log once, and again when it answers', async (t, {client, path, namespace}, hooks) => {
  const name = `told-${namespace}.example.com`;
  let works = false;
  await hooks.configure('validating', [
    {
      name,
      failurePolicy: 'Ignore',
      answer: (_review, response) => (works ? {allowed: true} : (response.end('x'), undefined)),
    },
  ]);
  const configuration = log.lines.length;
  const told = () =>
    log.lines
      .slice(configuration)
      .filter(({fields}) => fields['webhook'] === name)
      .map(({level, message}) => `${level} ${message}`);
  for (let index = 0; index < 5; index += 1) await client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'one'}});
  t.deepEqual(told(), ['warn an admission webhook fails']);
  works = true;
  for (let index = 0; index < 2; index += 1) await client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'one'}});
  t.deepEqual(told(), ['warn an admission webhook fails', 'info an admission webhook is responding again']);
});
