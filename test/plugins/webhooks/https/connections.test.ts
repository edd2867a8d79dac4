import test from 'ava';
import {makeAuthority} from '../../../helpers/test-certificates.js';
import {answer, webhookService, type WebhookHandler} from '../../../helpers/webhook-service.js';
import {caller, failure, target} from './caller.js';

const good: WebhookHandler = (_body, response) => answer(response, {});

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setImmediate(resolve));
}

test('calls share connections that stay open, as long as they trust the same authorities', async (t) => {
  const {url, ca, connections} = await webhookService(t, good);
  const webhooks = caller(t);
  for (let count = 0; count < 5; count += 1) await webhooks.call(target(url, {caBundle: ca}), {});
  t.is(connections.made, 1);
  const bundle = `${ca}${(await makeAuthority('more')).certificate}`;
  await webhooks.call(target(url, {caBundle: bundle}), {});
  t.is(connections.made, 2);
  // An authority that is trusted no longer ends the use of connections that it made possible.
  t.like(await failure(webhooks.call(target(url, {caBundle: (await makeAuthority('other')).certificate}), {})), {code: 'Untrusted'});
});

test('many calls at once open a bounded number of connections, and few of them stay', async (t) => {
  const waiting: (() => void)[] = [];
  const {url, ca, connections} = await webhookService(t, (_body, response) => void waiting.push(() => answer(response, {})));
  const webhooks = caller(t);
  const calls = Array.from({length: 200}, () => webhooks.call(target(url, {caBundle: ca}), {}));
  let answered = 0;
  const all = Promise.all(calls.map(async (call) => (await call, (answered += 1))));
  await until(() => waiting.length === 64);
  t.is(connections.open, 64);
  while (answered < 200) {
    waiting.splice(0).forEach((release) => release());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  t.is(connections.made, 64);
  await until(() => connections.open <= 8);
  t.true(connections.open <= 8);
});

test('a connection that the service closed while it was idle is replaced without a failure', async (t) => {
  let open: {destroy(): void} | undefined;
  const {url, ca, connections, requests} = await webhookService(t, (_body, response, {socket}) => {
    open = socket;
    answer(response, {});
  });
  const webhooks = caller(t);
  for (let count = 0; count < 20; count += 1) {
    await webhooks.call(target(url, {caBundle: ca}), {});
    // The caller has not noticed yet when the next call is made.
    open!.destroy();
  }
  t.is(requests.length, 20);
  t.true(connections.made > 10);
});

test('a fresh connection that breaks off is not tried again', async (t) => {
  const {url, ca, requests} = await webhookService(t, (_body, response) => void response.destroy());
  t.like(await failure(caller(t).call(target(url, {caBundle: ca}), {})), {code: 'Unreachable'});
  t.is(requests.length, 1);
});

test('a stop closes idle connections, lets calls under way end, and leaves none open', async (t) => {
  let release: (() => void) | undefined;
  const {url, ca, connections, requests} = await webhookService(t, (body, response) => {
    if (body === '{"wait":true}') release = () => answer(response, {late: true});
    else answer(response, {});
  });
  const webhooks = caller(t);
  const slow = webhooks.call(target(url, {caBundle: ca}), {wait: true});
  await until(() => requests.length === 1);
  await webhooks.call(target(url, {caBundle: ca}), {});
  t.is(connections.open, 2);
  await webhooks.stop();
  await until(() => connections.open === 1);
  release!();
  t.deepEqual(await slow, {late: true});
  await until(() => connections.open === 0);
  // A request that is still being answered may need one more.
  t.deepEqual(await webhooks.call(target(url, {caBundle: ca}), {}), {});
  await until(() => connections.open === 0);
  t.is(connections.made, 3);
});
