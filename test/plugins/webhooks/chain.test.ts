import test from 'ava';
import {defineRoute, defineWebhookCaller, definePlugin, Tokens, type WebhookError} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {answer, webhookService} from '../../helpers/webhook-service.js';

test('callers pass on what is not theirs, and the built-in one gets it with the headers that they add', async (t) => {
  const service = await webhookService(t, (body, response, {headers}) => {
    answer(response, {body: JSON.parse(body) as object, marked: headers['x-marked'], host: headers.host});
  });
  const plugin = definePlugin({name: 'callers'}, [
    defineWebhookCaller({
      name: 'Queue',
      order: 100,
      create: () => ({
        call: async (target, review, _signal, next) => (target.url?.startsWith('queue:') ? {queued: true} : next(target, review)),
      }),
    }),
    defineWebhookCaller({
      name: 'Marks',
      order: 200,
      create: () => ({
        call: (target, review, _signal, next) => next({...target, headers: {'x-marked': 'yes', host: 'forged.example.com'}}, review),
      }),
    }),
    defineRoute({
      path: '/call',
      methods: ['GET'],
      create: ({inject}) => {
        const webhooks = inject(Tokens.Webhooks);
        return {
          async handle({query}, response) {
            const called = webhooks.call({url: query.get('url')!, caBundle: service.ca, timeoutMillis: 5000}, {a: 1});
            response.end(JSON.stringify(await called.catch((error: WebhookError) => ({code: error.code, text: error.message}))));
          },
        };
      },
    }),
  ]);
  const server = await startTestServer({plugins: [plugin]});
  t.teardown(() => server.stop());
  const called = async (url: string) => (await server.client.get(`/call?url=${encodeURIComponent(url)}`)).json<object>();
  t.deepEqual(await called('queue://orders'), {queued: true});
  t.deepEqual(await called(`${service.url}/x`), {body: {a: 1}, marked: 'yes', host: new URL(service.url).host});

  const alone = await startTestServer({plugins: [plugin], disablePlugins: ['https-webhooks']});
  t.teardown(() => alone.stop());
  const refused = (await alone.client.get(`/call?url=${encodeURIComponent(service.url)}`)).json<object>();
  t.like(refused, {code: 'NoCaller'});
});
