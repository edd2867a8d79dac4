import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {httpsClient, type HttpsClient, type HttpsResponse} from '../../helpers/https-client.js';
import {userClient, userCredentials} from '../../helpers/user-client.js';
import {keyedRequest, nodeSubject, nodeUsages} from './certificate-signing/requests.js';

const containers = [{name: 'c', image: 'i'}];
const template = {metadata: {labels: {app: 'x'}}, spec: {containers}};
const selector = {matchLabels: {app: 'x'}};
const jobSpec = {template: {spec: {containers, restartPolicy: 'Never'}}};

/** What objects of each type have beside metadata. */
const bodies: Record<string, object> = {
  'configmaps@shop': {},
  'controllerrevisions.apps@shop': {revision: 1, data: {}},
  'cronjobs.batch@shop': {spec: {schedule: '* * * * *', jobTemplate: {spec: jobSpec}}},
  'daemonsets.apps@shop': {spec: {selector, template}},
  'deployments.apps@shop': {spec: {selector, template}},
  'endpoints@shop': {},
  'endpointslices.discovery.k8s.io@shop': {addressType: 'IPv4', endpoints: []},
  'events@shop': {involvedObject: {kind: 'Pod', name: 'x', namespace: 'shop'}, reason: 'Seen', source: {component: 'x'}},
  'horizontalpodautoscalers.autoscaling@shop': {
    spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'x'}},
  },
  'jobs.batch@shop': {spec: jobSpec},
  'persistentvolumeclaims@shop': {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}},
  'poddisruptionbudgets.policy@shop': {spec: {minAvailable: 1, selector}},
  'pods@shop': {spec: {containers}},
  'replicasets.apps@shop': {spec: {selector, template}},
  'replicationcontrollers@shop': {spec: {selector: {app: 'x'}, template}},
  'resourcequotas@shop': {spec: {hard: {'count/roses.garden.example': '1'}}},
  'secrets@shop': {},
  'serviceaccounts@shop': {},
  'services@shop': {spec: {ports: [{port: 80}]}},
  'statefulsets.apps@shop': {spec: {selector, template, serviceName: 'x'}},
  'clusterroles.rbac.authorization.k8s.io': {rules: []},
  namespaces: {},
  nodes: {},
  persistentvolumes: {spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce'], hostPath: {path: '/x'}}},
  'volumeattachments.storage.k8s.io': {spec: {attacher: 'a', nodeName: 'x', source: {persistentVolumeName: 'x'}}},
};

/**
 * What each controller of Kubernetes' controller manager asks under its account, and something that it may not. `VERB TYPE[.GROUP][/NAME[/SUB]][@NAMESPACE]`:
 * `update` writes back what is there, `delete` takes an object of its own, `own A B` creates an A that blocks the deletion of B.
 */
const table: Record<string, {allowed: string; refused: string}> = {
  'attachdetach-controller': {
    allowed:
      'list pods, watch persistentvolumes, get nodes/x, patch nodes/x/status, create volumeattachments.storage.k8s.io, delete volumeattachments.storage.k8s.io, create events@shop',
    refused: 'delete nodes, update pods/x@shop',
  },
  'certificate-controller': {
    allowed:
      'list certificatesigningrequests.certificates.k8s.io, watch certificatesigningrequests.certificates.k8s.io, update certificatesigningrequests.certificates.k8s.io/x/approval, update certificatesigningrequests.certificates.k8s.io/x/status, create subjectaccessreviews.authorization.k8s.io',
    refused: 'list secrets, update certificatesigningrequests.certificates.k8s.io/x',
  },
  'clusterrole-aggregation-controller': {
    allowed:
      'list clusterroles.rbac.authorization.k8s.io, watch clusterroles.rbac.authorization.k8s.io, update clusterroles.rbac.authorization.k8s.io/x, patch clusterroles.rbac.authorization.k8s.io/x',
    refused: 'create clusterroles.rbac.authorization.k8s.io, list secrets',
  },
  'cronjob-controller': {
    allowed:
      'list cronjobs.batch, update cronjobs.batch/x@shop, update cronjobs.batch/x/status@shop, own jobs.batch cronjobs.batch@shop, delete jobs.batch@shop, list pods@shop, delete pods@shop',
    refused: 'create pods@shop, delete cronjobs.batch@shop',
  },
  'daemon-set-controller': {
    allowed:
      'watch daemonsets.apps, update daemonsets.apps/x/status@shop, list nodes, own pods daemonsets.apps@shop, delete pods@shop, own controllerrevisions.apps daemonsets.apps@shop, update controllerrevisions.apps/x@shop',
    refused: 'update daemonsets.apps/x@shop, get secrets/x@shop',
  },
  'deployment-controller': {
    allowed:
      'list deployments.apps, update deployments.apps/x@shop, update deployments.apps/x/status@shop, own replicasets.apps deployments.apps@shop, patch replicasets.apps/x@shop, delete replicasets.apps@shop, create events@shop',
    refused: 'create pods@shop, delete deployments.apps@shop',
  },
  'disruption-controller': {
    allowed:
      'list poddisruptionbudgets.policy, update poddisruptionbudgets.policy/x/status@shop, get deployments.apps/x/scale@shop, get replicationcontrollers/x@shop, patch pods/x/status@shop',
    refused: 'update poddisruptionbudgets.policy/x@shop, delete pods@shop',
  },
  'endpoint-controller': {
    allowed: 'list services, watch pods, create endpoints@shop, update endpoints/x@shop, delete endpoints@shop, create events@shop',
    refused: 'update services/x@shop, create pods@shop',
  },
  'endpointslice-controller': {
    allowed:
      'list nodes, watch services, own endpointslices.discovery.k8s.io services@shop, update endpointslices.discovery.k8s.io/x@shop, delete endpointslices.discovery.k8s.io@shop',
    refused: 'create endpoints@shop, update services/x@shop',
  },
  'endpointslicemirroring-controller': {
    allowed:
      'list endpoints, watch services, own endpointslices.discovery.k8s.io endpoints@shop, update endpointslices.discovery.k8s.io/x@shop',
    refused: 'update endpoints/x@shop, list pods',
  },
  'ephemeral-volume-controller': {
    allowed: 'list pods, watch persistentvolumeclaims, own persistentvolumeclaims pods@shop, create events@shop',
    refused: 'delete persistentvolumeclaims@shop, update pods/x@shop',
  },
  'expand-controller': {
    allowed: 'list persistentvolumes, patch persistentvolumes/x, patch persistentvolumeclaims/x/status@shop',
    refused: 'get secrets/x@shop, list storageclasses.storage.k8s.io, patch persistentvolumeclaims/x@shop',
  },
  'generic-garbage-collector': {
    allowed: 'list pods, watch configmaps, get secrets/x@shop, patch configmaps/x@shop, update configmaps/x@shop, delete secrets@shop',
    refused: 'create configmaps@shop, create namespaces',
  },
  'horizontal-pod-autoscaler': {
    allowed:
      'list horizontalpodautoscalers.autoscaling, update horizontalpodautoscalers.autoscaling/x/status@shop, get deployments.apps/x/scale@shop, update deployments.apps/x/scale@shop, list pods@shop',
    refused: 'update deployments.apps/x@shop, delete pods@shop',
  },
  'job-controller': {
    allowed:
      'list jobs.batch, patch jobs.batch/x@shop, update jobs.batch/x/status@shop, own pods jobs.batch@shop, patch pods/x@shop, delete pods@shop',
    refused: 'create jobs.batch@shop, update pods/x@shop',
  },
  'namespace-controller': {
    allowed:
      'list namespaces, get namespaces/x, update namespaces/x/status, update namespaces/x/finalize, delete namespaces, list secrets@shop, delete configmaps@shop',
    refused: 'create namespaces, update namespaces/x',
  },
  'node-controller': {
    allowed: 'list nodes, patch nodes/x, update nodes/x/status, delete nodes, update pods/x/status@shop, delete pods@shop',
    refused: 'create nodes, update pods/x@shop',
  },
  'persistent-volume-binder': {
    allowed:
      'list persistentvolumes, create persistentvolumes, update persistentvolumes/x, update persistentvolumes/x/status, delete persistentvolumes, update persistentvolumeclaims/x@shop, update persistentvolumeclaims/x/status@shop, list nodes, watch nodes',
    refused: 'create persistentvolumeclaims@shop, get secrets/x@shop',
  },
  'pod-garbage-collector': {
    allowed: 'list pods, watch pods, delete pods@shop, get nodes/x, list nodes, patch pods/x/status@shop',
    refused: 'delete nodes, patch pods/x@shop',
  },
  'pv-protection-controller': {
    allowed: 'list persistentvolumes, watch persistentvolumes, update persistentvolumes/x, create events@shop',
    refused: 'delete persistentvolumes, list pods',
  },
  'pvc-protection-controller': {
    allowed: 'list persistentvolumeclaims, update persistentvolumeclaims/x@shop, list pods@shop, get pods/x@shop',
    refused: 'delete persistentvolumeclaims@shop, update pods/x@shop',
  },
  'replicaset-controller': {
    allowed:
      'list replicasets.apps, update replicasets.apps/x/status@shop, own pods replicasets.apps@shop, patch pods/x@shop, delete pods@shop, create events@shop',
    refused: 'update pods/x@shop, create replicasets.apps@shop',
  },
  'replication-controller': {
    allowed:
      'list replicationcontrollers, update replicationcontrollers/x/status@shop, own pods replicationcontrollers@shop, delete pods@shop',
    refused: 'update pods/x@shop, create replicationcontrollers@shop',
  },
  'resourcequota-controller': {
    allowed: 'list secrets, watch pods, list resourcequotas, update resourcequotas/x/status@shop, create events@shop',
    refused: 'update resourcequotas/x@shop, create configmaps@shop',
  },
  'root-ca-cert-publisher': {
    allowed: 'create configmaps@shop, update configmaps/x@shop, create events@shop',
    refused: 'delete configmaps@shop, create secrets@shop',
  },
  'route-controller': {
    allowed: 'list nodes, watch nodes, patch nodes/x/status, create events@shop',
    refused: 'patch nodes/x, delete nodes',
  },
  'service-account-controller': {
    allowed: 'create serviceaccounts@shop, create events@shop',
    refused: 'delete serviceaccounts@shop, create secrets@shop',
  },
  'service-controller': {
    allowed: 'list services, watch services, patch services/x/status@shop, update services/x/status@shop, list nodes, create events@shop',
    refused: 'delete services@shop, create pods@shop',
  },
  'statefulset-controller': {
    allowed:
      'list statefulsets.apps, update statefulsets.apps/x/status@shop, own pods statefulsets.apps@shop, update pods/x@shop, patch pods/x@shop, own controllerrevisions.apps statefulsets.apps@shop, create persistentvolumeclaims@shop, get persistentvolumeclaims/x@shop, delete persistentvolumeclaims@shop',
    refused: 'patch persistentvolumeclaims/x@shop, update statefulsets.apps/x@shop',
  },
  'ttl-after-finished-controller': {
    allowed: 'list jobs.batch, watch jobs.batch, get jobs.batch/x@shop, delete jobs.batch@shop, create events@shop',
    refused: 'create jobs.batch@shop, delete pods@shop',
  },
  'ttl-controller': {
    allowed: 'list nodes, watch nodes, patch nodes/x, update nodes/x, create events@shop',
    refused: 'delete nodes, list pods',
  },
};

let server: TestServer;
test.before(async () => {
  server = await startTestServer({
    platform: 'kubernetes',
    controllers: ['-*'],
    enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'],
  });
  const {client} = server;
  await created(client.post('/api/v1/namespaces', {metadata: {name: 'shop'}}));
  await created(client.post('/api/v1/namespaces/shop/serviceaccounts', {metadata: {name: 'default'}}));
  for (const [type, body] of Object.entries(bodies)) await created(client.post(pathOf(type), {metadata: {name: 'x'}, ...body}));
  const {request} = await keyedRequest(nodeSubject);
  const spec = {request, signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: nodeUsages};
  await created(client.post(pathOf('certificatesigningrequests.certificates.k8s.io'), {metadata: {name: 'x'}, spec}));
});
test.after.always(() => server?.stop());

async function created(answer: Promise<{status: number; body: Buffer}>): Promise<void> {
  const {status, body} = await answer;
  if (status !== 201) throw new Error(`${status} ${body.toString()}`);
}

/** `TYPE[.GROUP][/NAME[/SUB]][@NAMESPACE]` as a path. */
function pathOf(text: string): string {
  const [, type, group, rest = '', namespace] = /^([a-z]+)(?:\.([a-z0-9.]+))?(\/[^@]*)?(?:@(.*))?$/.exec(text)!;
  const root = group === undefined ? '/api/v1' : `/apis/${group}/${group === 'autoscaling' ? 'v2' : 'v1'}`;
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${type}${rest}`;
}

const review = {spec: {user: 'x', resourceAttributes: {verb: 'get', resource: 'pods'}}};
/** Reviews have no name. */
const bodyOf = (type: string) => (bodies[type] ? {metadata: {generateName: 'made-'}, ...bodies[type]} : review);

type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<HttpsResponse>;

/** Makes a request of the table, and answers its status. */
async function make(text: string, ask: Ask): Promise<number> {
  const [verb, target, owner] = text.split(' ') as [string, string, string?];
  const path = pathOf(target);
  const status = async (answer: Promise<{status: number}>) => (await answer).status;
  switch (verb) {
    case 'list':
    case 'get':
      return status(ask('GET', path));
    case 'watch':
      return status(ask('GET', `${path}?watch=1&timeoutSeconds=1`));
    case 'create':
      return status(ask('POST', path, bodyOf(target)));
    case 'own': {
      const [place = '', namespace = ''] = owner!.split('@');
      const type = `${target}@${namespace}`;
      const found = (await server.client.get(pathOf(`${place}/x@${namespace}`))).json<{
        apiVersion: string;
        kind: string;
        metadata: {name: string; uid: string};
      }>();
      const {
        apiVersion,
        kind,
        metadata: {name, uid},
      } = found;
      const ownerReferences = [{apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true}];
      return status(ask('POST', pathOf(type), {...bodyOf(type), metadata: {generateName: 'owned-', ownerReferences}}));
    }
    case 'patch':
      return status(ask('PATCH', path, {metadata: {annotations: {touched: text.replaceAll(/\W/g, '-')}}}, 'application/merge-patch+json'));
    case 'update':
      for (;;) {
        const object = (await server.client.get(path.replace(/\/(status|approval|finalize)$/, ''))).json();
        const answer = await status(ask('PUT', path, object));
        // Others of the table write the same objects.
        if (answer !== 409) return answer;
      }
    default: {
      const {metadata} = (await server.client.post(path, bodyOf(target))).json<{metadata: {name: string}}>();
      return status(ask('DELETE', `${path}/${metadata.name}`));
    }
  }
}

/** Asks with a client certificate, or with a token. */
function asking(client: HttpsClient, token?: string): Ask {
  return (method, path, body, type = 'application/json') =>
    client.request(method, path, {
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
      headers: {...(token === undefined ? {} : {authorization: `Bearer ${token}`}), ...(body === undefined ? {} : {'content-type': type})},
    });
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const moment = () => new Date().toISOString().replace('Z', '000Z');

test("Kubernetes' controller manager can take and renew its lease, and none of other namespaces", async (t) => {
  const manager = await userClient(t, server, 'system:kube-controller-manager');
  const spec = {holderIdentity: 'host_1', leaseDurationSeconds: 15, acquireTime: moment(), renewTime: moment(), leaseTransitions: 0};
  const path = `${leases}/kube-controller-manager`;
  t.is((await manager.get(path)).status, 404);
  t.is((await manager.post(leases, {metadata: {name: 'kube-controller-manager'}, spec})).status, 201);
  const lease = (await manager.get(path)).json<{spec: object}>();
  const renewed = await manager.put(path, {...lease, spec: {...lease.spec, renewTime: moment()}});
  t.is(renewed.status, 200, renewed.text);
  t.is((await manager.put(path, lease)).status, 409);
  t.is((await manager.delete(path)).status, 403);
  t.is((await manager.get(`${leases.replace('kube-system', 'shop')}/other`)).status, 403);
});

test("with --use-service-account-credentials, Kubernetes' controllers get tokens, do their work with them, and nothing else", async (t) => {
  const manager = await userClient(t, server, 'system:kube-controller-manager');
  const {ca} = await userCredentials(server, 'nobody');
  const anonymous = httpsClient(t, {url: server.url, ca});
  const accounts = '/api/v1/namespaces/kube-system/serviceaccounts';
  const faults = await Promise.all(
    Object.entries(table).map(async ([name, {allowed, refused}]) => {
      // As the manager does: the account if there is none, then a token of it.
      const found = await manager.get(`${accounts}/${name}`);
      const made = found.status === 404 ? await manager.post(accounts, {metadata: {name}}) : found;
      const answer = await manager.post(`${accounts}/${name}/token`, {spec: {expirationSeconds: 3600}});
      if (answer.status !== 201) return [`${name}: ${made.status}, ${answer.status} ${answer.text}`];
      const ask = asking(anonymous, answer.json<{status: {token: string}}>().status.token);
      const wrong: string[] = [];
      for (const text of allowed.split(', ')) {
        const status = await make(text, ask);
        if (status !== 200 && status !== 201) wrong.push(`${name} ${text}: ${status}`);
      }
      for (const text of refused.split(', ')) {
        const status = await make(text, ask);
        if (status !== 403) wrong.push(`${name} ${text}: ${status}, not refused`);
      }
      return wrong;
    }),
  );
  t.deepEqual(faults.flat(), []);
});

test('what runs for the manager itself, it may: its informers, legacy tokens, reviews', async (t) => {
  const ask = asking(await userClient(t, server, 'system:kube-controller-manager'));
  const allowed = [
    'list secrets',
    'watch pods',
    'create secrets@shop',
    'update secrets/x@shop',
    'delete secrets@shop',
    'update serviceaccounts/x@shop',
  ];
  for (const text of [...allowed, 'create subjectaccessreviews.authorization.k8s.io']) t.true((await make(text, ask)) < 300, text);
  for (const text of ['create pods@shop', 'delete namespaces', 'get pods/x@shop', 'update configmaps/x@shop'])
    t.is(await make(text, ask), 403, text);
});
