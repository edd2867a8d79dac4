import {assertFailure} from '../../../semantics/answers.js';
import {pathOf, testHooksOnEachStore, type HookKind} from './hook-tests.js';

const eachStore = testHooksOnEachStore();
const kinds: readonly HookKind[] = ['mutating', 'validating'];
let next = 0;

const faultless = {
  name: 'a.example.com',
  clientConfig: {url: 'https://hooks.example.com/path'},
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

eachStore(
  'faults of a configuration are refused with the field that has them [B-HOOK-8] [B-HOOK-25] [B-HOOK-26] [B-HOOK-29] [B-HOOK-32] [B-HOOK-34]',
  async (t, {client}) => {
    const service = {namespace: 'a', name: 'b'};
    const table: readonly [fault: object, field: string | undefined][] = [
      [{}, undefined],
      [{clientConfig: {url: 'http://hooks.example.com'}}, 'webhooks[0].clientConfig.url'],
      [{clientConfig: {url: 'https://me:secret@hooks.example.com'}}, 'webhooks[0].clientConfig.url'],
      [{clientConfig: {url: 'https://hooks.example.com/#part'}}, 'webhooks[0].clientConfig.url'],
      [{clientConfig: {url: 'https://hooks.example.com/?a=b'}}, 'webhooks[0].clientConfig.url'],
      [{clientConfig: {service}}, undefined],
      [{clientConfig: {service: {name: 'b'}}}, 'webhooks[0].clientConfig.service.namespace'],
      [{clientConfig: {service: {namespace: 'a'}}}, 'webhooks[0].clientConfig.service.name'],
      [{clientConfig: {service: {...service, port: 0}}}, 'webhooks[0].clientConfig.service.port'],
      [{clientConfig: {service, url: 'https://a.example.com'}}, 'webhooks[0].clientConfig'],
      [{admissionReviewVersions: undefined}, 'webhooks[0].admissionReviewVersions'],
      [{admissionReviewVersions: ['v2', 'v3']}, 'webhooks[0].admissionReviewVersions'],
      [{admissionReviewVersions: ['v2', 'v1beta1']}, undefined],
      [{sideEffects: 'NoneOnDryRun'}, undefined],
      [{sideEffects: 'Some'}, 'webhooks[0].sideEffects'],
      [{sideEffects: 'Unknown'}, 'webhooks[0].sideEffects'],
      [{sideEffects: undefined}, 'webhooks[0].sideEffects'],
      [{timeoutSeconds: 1}, undefined],
      [{timeoutSeconds: 30}, undefined],
      [{timeoutSeconds: 0}, 'webhooks[0].timeoutSeconds'],
      [{timeoutSeconds: 31}, 'webhooks[0].timeoutSeconds'],
    ];
    for (const kind of kinds) {
      for (const [fault, field] of table) {
        const response = await client.post(`${pathOf(kind)}?dryRun=All`, {
          metadata: {name: `faults-${next++}`},
          webhooks: [{...faultless, ...fault}],
        });
        if (field === undefined) t.is(response.status, 201, response.body.toString());
        else
          t.true(
            assertFailure(t, response, 422, 'Invalid').details!.causes!.some((cause) => cause.field === field),
            `${kind} ${JSON.stringify(fault)}`,
          );
      }
      const twice = await client.post(pathOf(kind), {metadata: {name: 'twice'}, webhooks: [faultless, faultless]});
      assertFailure(t, twice, 422, 'Invalid', /webhooks\[1\]\.name: Duplicate value: "a\.example\.com"/);
      assertFailure(t, await client.post(pathOf(kind), {metadata: {name: 'No_Name'}}), 422, 'Invalid', /metadata\.name/);
    }
  },
);

eachStore('what a configuration leaves out is filled in [B-HOOK-26] [B-HOOK-34] [B-HOOK-36] [B-HOOK-38]', async (t, {client}) => {
  for (const kind of kinds) {
    const name = `defaults-${next++}`;
    const made = await client.post(`${pathOf(kind)}?dryRun=All`, {
      metadata: {name},
      webhooks: [
        {
          ...faultless,
          clientConfig: {service: {namespace: 'a', name: 'b'}},
          rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['x']}],
        },
      ],
    });
    const [webhook] = made.json<{webhooks: Record<string, unknown>[]}>().webhooks;
    t.like(webhook, {
      clientConfig: {service: {namespace: 'a', name: 'b', port: 443}},
      timeoutSeconds: 10,
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      rules: [{scope: '*'}],
    });
    t.is(webhook!['reinvocationPolicy'], kind === 'mutating' ? 'Never' : undefined);
  }
});

eachStore('only mutating webhooks have a reinvocation policy [B-HOOK-40]', async (t, {client}) => {
  const body = {metadata: {name: 'again'}, webhooks: [{...faultless, reinvocationPolicy: 'IfNeeded'}]};
  t.is((await client.post(`${pathOf('mutating')}?dryRun=All&fieldValidation=Strict`, body)).status, 201);
  assertFailure(
    t,
    await client.post(`${pathOf('validating')}?dryRun=All&fieldValidation=Strict`, body),
    400,
    'BadRequest',
    /unknown field "webhooks\[0\]\.reinvocationPolicy"/,
  );
});
