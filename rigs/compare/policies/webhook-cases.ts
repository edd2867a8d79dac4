import type {PolicyCase} from './policy-case.js';

/** Match conditions of webhooks: what a server says when they are written. No webhook is ever called: the operation is that of nothing. */
const conditions: readonly (readonly object[])[] = [
  [{name: 'a', expression: "object.metadata.namespace == 'x'"}],
  [{name: 'a', expression: 'true || object.x'}],
  [{name: 'a', expression: 'object.x'}],
  [{name: 'a', expression: '1'}],
  [{name: 'a', expression: '1 +'}],
  [{name: 'a', expression: 'unknown == 1'}],
  [{name: 'a', expression: 'params.x == 1'}],
  [{name: 'a', expression: 'variables.x == 1'}],
  [{name: 'a', expression: "namespaceObject.metadata.name == 'x'"}],
  [{name: 'a', expression: "authorizer.group('').resource('pods').check('get').allowed()"}],
  [{name: 'a', expression: "authorizer.requestResource.check('breakglass').allowed()"}],
  [{name: 'a', expression: "request.userInfo.username != 'x'"}],
  [{name: 'a', expression: "request.nothing != 'x'"}],
  [{name: 'a', expression: ''}],
  [{name: '', expression: 'true'}],
  [{name: 'not a name', expression: 'true'}],
  [
    {name: 'a', expression: 'true'},
    {name: 'a', expression: 'false'},
  ],
  Array.from({length: 65}, (_, index) => ({name: `c${index}`, expression: 'true'})),
];

export const webhookCases: readonly PolicyCase[] = conditions.map((matchConditions, index) => ({
  name: `webhook-${index}`,
  kind: 'Webhook',
  spec: {
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: {url: 'https://127.0.0.1:1/x'},
        rules: [{operations: ['CREATE'], apiGroups: ['nothing.example.com'], apiVersions: ['v1'], resources: ['nothing']}],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        matchConditions,
      },
    ],
  },
}));
