// What a server of the fuzz has around it, on this machine: an aggregated API server, an issuer of tokens, a collector of traces and a backend of
// the audit log.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ServerOptions} from '@orch-api/orch';
import type {TestClient} from '@orch-api/orch/testing';
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {traceCollector} from '../../../test/helpers/trace-collector.js';
import {answer, webhookService, type WebhookService} from '../../../test/helpers/webhook-service.js';
import {issuerKeys, issuerUrl} from '../../../test/helpers/fixed-issuer.js';

/** The group that the aggregated server serves. */
const group = 'extension.example';
const groupVersion = `${group}/v1`;

const gadgets = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [
    {
      name: 'gadgets',
      singularName: 'gadget',
      namespaced: true,
      kind: 'Gadget',
      verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'],
    },
  ],
};

/** Answers what an API server would, and everything else with what it was asked. */
function extensionServer(t: Teardown): Promise<WebhookService> {
  return webhookService(
    t,
    (body, response, {method, url = '/'}) => {
      const path = url.split('?')[0];
      if (path === `/apis/${groupVersion}`) answer(response, gadgets);
      else if (path?.startsWith('/openapi')) answer(response, {}, 404);
      else if (method === 'GET' && path?.endsWith('/gadgets'))
        answer(response, {kind: 'GadgetList', apiVersion: groupVersion, metadata: {resourceVersion: '1'}, items: []});
      else answer(response, {kind: 'Gadget', apiVersion: groupVersion, metadata: {name: 'one'}, asked: body.slice(0, 1000)});
    },
    {names: ['extension.default.svc', 'localhost']},
  );
}

async function issuerOfTokens(t: Teardown): Promise<WebhookService> {
  const issuer: WebhookService = await webhookService(t, (_body, response, {url}) =>
    answer(response, url === '/keys' ? issuerKeys : {issuer: issuerUrl, jwks_uri: `${issuer.url}/keys`}),
  );
  return issuer;
}

export interface Surroundings {
  readonly options: ServerOptions;
  /** To be called once the server has started. */
  furnish(client: TestClient): Promise<void>;
}

/** Starts all of it. @param folder for files that the server reads and writes */
export async function surroundingsOf(t: Teardown, folder: string): Promise<Surroundings> {
  const [extension, issuer, backend, collector] = await Promise.all([
    extensionServer(t),
    issuerOfTokens(t),
    webhookService(t, (_body, response) => answer(response, {})),
    traceCollector(t),
  ]);
  const forgetful = setInterval(() => {
    for (const {requests} of [extension, issuer, backend]) requests.length = 0;
    collector.spans.length = collector.paths.length = 0;
  }, 500).unref();
  t.teardown(() => clearInterval(forgetful));
  const file = (name: string, value: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return path;
  };
  const config = 'apiserver.config.k8s.io';
  return {
    options: {
      enableTestingApi: true,
      auditPolicyFile: file('audit-policy.yaml', {
        apiVersion: 'audit.k8s.io/v1',
        kind: 'Policy',
        rules: [{level: 'Metadata', resources: [{group: '', resources: ['secrets']}]}, {level: 'RequestResponse'}],
      }),
      tracingConfigFile: file('tracing.yaml', {
        apiVersion: `${config}/v1alpha1`,
        kind: 'TracingConfiguration',
        endpoint: collector.endpoint,
        samplingRatePerMillion: 200_000,
      }),
      flags: {
        'audit-log-path': join(folder, 'audit.log'),
        'audit-log-maxsize': 5,
        'audit-log-maxbackup': 1,
        'audit-webhook-config-file': file('audit-webhook.yaml', {
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [
            {
              name: 'backend',
              cluster: {server: backend.url, 'certificate-authority-data': Buffer.from(backend.ca).toString('base64')},
            },
          ],
          users: [{name: 'me', user: {}}],
          contexts: [{name: 'it', context: {cluster: 'backend', user: 'me'}}],
          'current-context': 'it',
        }),
        'authentication-config': file('authentication.yaml', {
          apiVersion: `${config}/v1beta1`,
          kind: 'AuthenticationConfiguration',
          jwt: [
            {
              issuer: {url: issuerUrl, discoveryURL: `${issuer.url}/document`, audiences: ['orch'], certificateAuthority: issuer.ca},
              claimMappings: {
                username: {expression: '"issued:" + claims.sub'},
                groups: {claim: 'groups', prefix: 'issued:'},
                extra: [{key: 'issuer.example/email', valueExpression: 'has(claims.email) ? claims.email : "none"'}],
              },
              userValidationRules: [{expression: '!user.groups.exists(group, group.startsWith("system:"))', message: 'no system groups'}],
            },
          ],
        }),
        'token-auth-file': file('tokens.csv', 'sesame,ursula,1,"readers,writers"\n'),
      },
      configuration: {plugins: {aggregator: {config: {proxyToLoopback: true}}}},
    },
    async furnish(client) {
      await client.post('/api/v1/namespaces/default/services', {
        metadata: {name: 'extension'},
        spec: {type: 'ExternalName', externalName: '127.0.0.1'},
      });
      const made = await client.post('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: {name: `v1.${group}`},
        spec: {
          group,
          version: 'v1',
          groupPriorityMinimum: 1000,
          versionPriority: 10,
          service: {namespace: 'default', name: 'extension', port: extension.port},
          caBundle: Buffer.from(extension.ca).toString('base64'),
        },
      });
      if (made.status !== 201) throw new Error(`the aggregated server cannot be announced: ${made.body.toString()}`);
    },
  };
}
