import {
  AppsV1Api,
  AuthorizationV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  VersionApi,
  Watch,
} from '@kubernetes/client-node';
import {setTimeout as sleep} from 'node:timers/promises';

/** What programs do with the JavaScript client. */
export async function clientSession(kubeconfig: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const namespace = 'programs';
  await core.createNamespace({body: {metadata: {name: namespace}}});
  await config.makeApiClient(VersionApi).getCode();
  for (let number = 0; number < 4; number++)
    await core.createNamespacedConfigMap({namespace, body: {metadata: {name: `c${number}`, labels: {n: String(number)}}, data: {a: 'b'}}});
  const read = await core.readNamespacedConfigMap({namespace, name: 'c1'});
  await core.replaceNamespacedConfigMap({namespace, name: 'c1', body: {...read, data: {a: 'c'}}});
  await core.replaceNamespacedConfigMap({namespace, name: 'c1', body: read}).catch(() => undefined);
  await core.patchNamespacedConfigMap({namespace, name: 'c2', body: [{op: 'replace', path: '/data/a', value: 'd'}]});
  const page = await core.listNamespacedConfigMap({namespace, limit: 2});
  await core.listNamespacedConfigMap({namespace, limit: 2, ...(page.metadata?._continue ? {_continue: page.metadata._continue} : {})});
  await core.listConfigMapForAllNamespaces({labelSelector: 'n in (1,2),!x', resourceVersion: '0'});
  await core.listNamespacedConfigMap({namespace, labelSelector: 'n notin (1),n', fieldSelector: 'metadata.name!=c1', timeoutSeconds: 5});
  await core.listNamespacedPod({namespace, fieldSelector: 'spec.nodeName=,status.phase!=Running'});

  const watch = new Watch(config);
  const watching = await watch.watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    {allowWatchBookmarks: true, timeoutSeconds: 2},
    () => undefined,
    () => undefined,
  );
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () => core.listNamespacedConfigMap({namespace}));
  informer.on('error', () => undefined);
  await informer.start();
  await core
    .deleteNamespacedConfigMap({
      namespace,
      name: 'c3',
      body: {propagationPolicy: 'Background', preconditions: {uid: read.metadata?.uid ?? ''}},
    })
    .catch(() => undefined);
  await core.deleteNamespacedConfigMap({namespace, name: 'c3', gracePeriodSeconds: 0});
  await sleep(300);
  watching.abort();
  await informer.stop();

  const apps = config.makeApiClient(AppsV1Api);
  const labels = {app: 'x'};
  await apps.createNamespacedStatefulSet({
    namespace,
    body: {
      metadata: {name: 'db'},
      spec: {
        serviceName: 'db',
        selector: {matchLabels: labels},
        template: {metadata: {labels}, spec: {containers: [{name: 'c', image: 'i'}]}},
      },
    },
  });
  const scale = await apps.readNamespacedStatefulSetScale({namespace, name: 'db'});
  await apps.replaceNamespacedStatefulSetScale({namespace, name: 'db', body: {...scale, spec: {replicas: 3}}});
  await apps.deleteCollectionNamespacedStatefulSet({namespace, labelSelector: 'none=here'});
  const leases = config.makeApiClient(CoordinationV1Api);
  const lease = await leases.createNamespacedLease({
    namespace,
    body: {metadata: {name: 'leader'}, spec: {holderIdentity: 'a', leaseDurationSeconds: 15}},
  });
  await leases.replaceNamespacedLease({namespace, name: 'leader', body: {...lease, spec: {...lease.spec, holderIdentity: 'b'}}});
  await core.createNamespacedEvent({
    namespace,
    body: {
      metadata: {generateName: 'e.'},
      involvedObject: {kind: 'ConfigMap', name: 'c1', namespace},
      reason: 'Looked',
      message: 'at it',
      type: 'Normal',
    },
  });
  const access = config.makeApiClient(AuthorizationV1Api);
  await access.createSelfSubjectAccessReview({body: {spec: {resourceAttributes: {verb: 'get', resource: 'pods', namespace}}}});
  await access.createSubjectAccessReview({
    body: {spec: {user: 'jo', groups: ['g'], extra: {k: ['v']}, nonResourceAttributes: {verb: 'get', path: '/metrics'}}},
  });
  await access.createSelfSubjectRulesReview({body: {spec: {namespace}}});
  const custom = config.makeApiClient(CustomObjectsApi);
  const body = {apiVersion: 'shop.example/v1', kind: 'Widget', metadata: {name: 'made'}, spec: {size: 'small'}};
  const group = {group: 'shop.example', version: 'v1', plural: 'widgets', namespace};
  await custom.createNamespacedCustomObject({...group, body});
  await custom.listNamespacedCustomObject(group);
  await custom.deleteNamespacedCustomObject({...group, name: 'made'});
  const objects = KubernetesObjectApi.makeApiClient(config);
  await objects.create({apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace}});
  await objects.list('v1', 'Secret', namespace);
  await objects.delete({apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace}});
  await core.deleteNamespace({name: namespace});
}
