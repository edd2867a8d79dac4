import {assertFailure} from '../../../semantics/answers.js';
import {eventually} from '../../../helpers/eventually.js';
import {patching, testHooksOnEachStore, type HookAnswer} from './hook-tests.js';

const eachStore = testHooksOnEachStore();
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

eachStore(
  'a webhook that hangs holds up a bounded number of writes, no others, and leaves nothing behind',
  async (t, {client, path}, hooks) => {
    let asked = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const hang: HookAnswer = async () => {
      asked += 1;
      await released;
      return {allowed: true};
    };
    await hooks.configure('validating', [{name: 'hangs.example.com', timeoutSeconds: 30, answer: hang}]);
    const before = {timers: timers(), sockets: hooks.connections.open};
    const writes = Array.from({length: 180}, (_, index) => client.post(path('configmaps'), {metadata: {name: `c${index}`}}));
    // 64 are asked about, 64 wait, and the others are told at once.
    const refused: Awaited<(typeof writes)[number]>[] = [];
    for (const write of writes) void write.then((response) => response.status === 500 && refused.push(response));
    await eventually(
      () => refused.length,
      (count) => count === 52,
    );
    const full = /"hangs\.example\.com": failed to call webhook: 64 calls are under way and 64 are waiting$/;
    for (const response of refused) assertFailure(t, response, 500, 'InternalError', full);
    for (let index = 0; index < 20; index += 1) t.is((await client.post(path('secrets'), {metadata: {name: `s${index}`}})).status, 201);
    await eventually(
      () => asked,
      (count) => count >= 64,
    );
    t.is(asked, 64);
    release();
    const statuses = (await Promise.all(writes)).map(({status}) => status);
    t.is(statuses.filter((status) => status === 201).length, 128);
    t.is(statuses.filter((status) => status === 500).length, 52);
    t.is(asked, 128);
    await eventually(
      () => hooks.connections.open,
      (open) => open <= before.sockets + 8,
    );
    await eventually(timers, (now) => now <= before.timers + 10);
  },
);

eachStore(
  'an answer of 100 MB, a trickle and a reset fail the write that waits for them, and no socket stays',
  async (t, {client, path}, hooks) => {
    const megabyte = Buffer.alloc(1024 * 1024, 32);
    let sent = 0;
    const huge: HookAnswer = (_review, response) => {
      response.writeHead(200, {'content-type': 'application/json'});
      const more = () => {
        while (sent < 100 && !response.destroyed) {
          sent += 1;
          if (!response.write(megabyte)) return void response.once('drain', more);
        }
        if (!response.destroyed) response.end();
      };
      more();
      return undefined;
    };
    const trickle: HookAnswer = (_review, response) => {
      response.writeHead(200, {'content-type': 'application/json'});
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
      return undefined;
    };
    const reset: HookAnswer = (_review, response) => {
      response.destroy();
      return undefined;
    };
    const cases: Record<string, readonly [HookAnswer, RegExp]> = {
      huge: [huge, /the answer is larger than 6291456 bytes$/],
      trickle: [trickle, /no answer within 1 s$/],
      reset: [reset, /broke off before the answer was complete/],
    };
    await hooks.configure(
      'validating',
      Object.entries(cases).map(([name, [answer]]) => ({
        name: `${name}.example.com`,
        answer,
        timeoutSeconds: name === 'trickle' ? 1 : 10,
        objectSelector: {matchLabels: {case: name}},
      })),
    );
    const before = hooks.connections.open;
    await Promise.all(
      Object.entries(cases).map(async ([name, [, message]]) => {
        assertFailure(t, await client.post(path('configmaps'), {metadata: {name, labels: {case: name}}}), 500, 'InternalError', message);
      }),
    );
    t.true(sent < 100, `${sent} MB were taken`);
    await eventually(
      () => hooks.connections.open,
      (open) => open <= before + 8,
    );
  },
);

eachStore(
  'a webhook answers with no more values than a body may have, in its patch neither: the write fails, and others do not wait for it',
  async (t, {client, path}, hooks) => {
    const many = `[${'{},'.repeat(100_000)}{}]`;
    await hooks.configure('mutating', [
      {
        name: 'patch.example.com',
        answer: () => ({...patching(''), patch: Buffer.from(many).toString('base64')}),
        objectSelector: {matchLabels: {case: 'patch'}},
      },
      {
        name: 'warnings.example.com',
        answer: () => ({
          allowed: true,
          auditAnnotations: Object.fromEntries(Array.from({length: 160_000}, (_, index) => [`k${index}`, ''])),
        }),
        objectSelector: {matchLabels: {case: 'values'}},
      },
    ]);
    const create = (name: string) => client.post(path('configmaps'), {metadata: {name, labels: {case: name}}});
    assertFailure(t, await create('patch'), 500, 'InternalError', /response\.patch is no JSON: the answer has more than 150000 values$/);
    assertFailure(t, await create('values'), 500, 'InternalError', /failed to call webhook: .*the answer has more than 150000 values$/);
  },
);
