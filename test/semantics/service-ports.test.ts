import test from 'ava';
import {definition, definitionsPath} from '../plugins/resources/apiextensions/definition-fixture.js';
import {causesOf, servedGroup} from '../plugins/resources/served-group.js';
import {uniqueName} from './fixtures.js';

const client = servedGroup(test);

const ports = [
  [0, 422],
  [65_536, 422],
  [-1, 422],
  [1, 201],
  [65_535, 201],
] as const;

test('[B-LIM-4] the port of the service of a webhook is 1 to 65535', async (t) => {
  for (const resource of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
    for (const [port, status] of ports) {
      const service = {namespace: 'default', name: 'hook', port};
      const webhooks = [{name: 'check.team.example', clientConfig: {service}, sideEffects: 'None', admissionReviewVersions: ['v1']}];
      const response = await client().post(`/apis/admissionregistration.orch/v1/${resource}?dryRun=All`, {
        metadata: {name: uniqueName('hook')},
        webhooks,
      });
      t.is(response.status, status, `${resource} ${port}: ${response.body.toString()}`);
      if (status === 422) t.true(causesOf(response).some((text) => text.startsWith('webhooks[0].clientConfig.service.port: ')));
    }
  }
});

test('[B-LIM-4] the port of the service that converts custom resources is 1 to 65535', async (t) => {
  for (const [port, status] of ports) {
    const service = {namespace: 'default', name: 'convert', port};
    const conversion = {strategy: 'Webhook', webhook: {clientConfig: {service}, conversionReviewVersions: ['v1']}};
    const response = await client().post(
      `${definitionsPath}?dryRun=All`,
      definition(`${uniqueName('ports')}.example.com`, undefined, {conversion}),
    );
    t.is(response.status, status, `${port}: ${response.body.toString()}`);
    if (status === 422) t.true(causesOf(response).some((text) => /clientConfig\.service\.port: /i.test(text)));
  }
});
