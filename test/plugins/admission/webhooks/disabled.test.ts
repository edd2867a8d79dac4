import {pathOf, testHooksOnEachStore, type HookKind} from './hook-tests.js';

const plugins: Readonly<Record<HookKind, string>> = {mutating: 'MutatingAdmissionWebhook', validating: 'ValidatingAdmissionWebhook'};

for (const [disabled, other] of [
  ['mutating', 'validating'],
  ['validating', 'mutating'],
] as const) {
  const eachStore = testHooksOnEachStore({disableAdmissionPlugins: [plugins[disabled]]});

  eachStore(
    `with ${plugins[disabled]} disabled its webhooks are not called, and who configures one is told; ${other} ones are called [B-ADM-4]`,
    async (t, {client, path}, hooks) => {
      const off = hooks.define({name: 'off.example.com', answer: () => ({allowed: false})});
      const made = await client.post(pathOf(disabled), {metadata: {name: hooks.context.namespace}, webhooks: [off]});
      t.is(made.status, 201, made.body.toString());
      t.regex(String(made.headers['warning']), /has no effect on this server: no admission webhook is called/);
      await hooks.configure(other, [{name: 'on.example.com'}]);
      t.is((await client.post(path('configmaps'), {metadata: {name: 'one'}})).status, 201);
      t.is(hooks.reviews('on.example.com').length, 1);
      t.is(hooks.reviews('off.example.com').length, 0);
    },
  );
}
