import {assertFailure} from '../../../semantics/answers.js';
import {eventually} from '../../../helpers/eventually.js';
import {testHooksOnEachStore, type HookAnswer} from './hook-tests.js';

const eachStore = testHooksOnEachStore();
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

eachStore(
  'a webhook that hangs holds up a bounded number of writes, no others, and leaves nothing behind',
  async (t, {client, path}, hooks) => {
    let hanging = 0;
    const hang: HookAnswer = () => {
      hanging += 1;
      return undefined;
    };
    await hooks.configure('validating', [{name: 'hangs.example.com', timeoutSeconds: 3, answer: hang}]);
    const before = {timers: timers(), sockets: hooks.connections.open};
    const writes = Array.from({length: 180}, (_, index) => client.post(path('configmaps'), {metadata: {name: `c${index}`}}));
    // 64 are asked about, 64 wait, and the others are told at once.
    const early = await Promise.race(writes);
    assertFailure(
      t,
      early,
      500,
      'InternalError',
      /"hangs\.example\.com": failed to call webhook: 64 calls are under way and 64 are waiting$/,
    );
    await eventually(
      () => hanging,
      (count) => count >= 64,
    );
    const began = performance.now();
    for (let index = 0; index < 20; index += 1) t.is((await client.post(path('secrets'), {metadata: {name: `s${index}`}})).status, 201);
    t.true(performance.now() - began < 2500, 'other writes go on');
    t.is(hanging, 64);
    const messages = (await Promise.all(writes)).map((response) => assertFailure(t, response, 500, 'InternalError').message);
    const count = (part: string) => messages.filter((message) => message.includes(part)).length;
    t.is(count('64 are waiting'), 52);
    t.is(count('no answer within') + count('no turn within 3 s'), 128);
    await eventually(
      () => hooks.connections.open,
      (open) => open <= before.sockets + 8,
      10_000,
    );
    await eventually(timers, (now) => now <= before.timers + 10, 10_000);
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
      10_000,
    );
  },
);
