import {assertFailure} from '../../../semantics/answers.js';
import {eventually} from '../../../helpers/eventually.js';
import {testHooksOnEachStore, type HookAnswer} from './hook-tests.js';

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
      20_000,
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
      30_000,
    );
    await eventually(timers, (now) => now <= before.timers + 10, 30_000);
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
      huge: [huge, /the answer is larger than 16777216 bytes$/],
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
      30_000,
    );
  },
);
