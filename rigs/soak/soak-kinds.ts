import type {SoakKind, SoakPlace} from './soak-model.js';

export const definitions = '/apis/apiextensions.orch/v1/customresourcedefinitions';
export const csrs = '/apis/certificates.orch/v1/certificatesigningrequests';
export const tokens = '/api/v1/namespaces/orch-system/secrets';
export const tokenName = 'bootstrap-token-';

/** Where all objects of the kinds that are always served are listed, those that controllers make included. */
export const everywhere: readonly string[] = [
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/pods',
  '/apis/apps/v1/statefulsets',
  '/apis/apps/v1/controllerrevisions',
  '/apis/batch/v1/jobs',
  '/apis/scheduling.orch/v1/priorityclasses',
  csrs,
];

const template = {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}};

/** Kinds whose objects are in no namespace of the soak. @param request what all requests for certificates ask for, as `spec.request` takes it */
export function clusterKinds(request: string): readonly SoakKind[] {
  return [
    {
      apiVersion: 'scheduling.orch/v1',
      kind: 'PriorityClass',
      collection: '/apis/scheduling.orch/v1/priorityclasses',
      places: [],
      more: () => ({value: 1}),
    },
    {
      apiVersion: 'certificates.orch/v1',
      kind: 'CertificateSigningRequest',
      collection: csrs,
      places: [],
      isAlone: true,
      more: () => ({spec: {request, signerName: 'orch/apiserver-client', usages: ['client auth', 'digital signature']}}),
    },
    {
      apiVersion: 'v1',
      kind: 'BootstrapToken',
      collection: tokens,
      places: [],
      isAlone: true,
      more: (name) => ({
        type: 'bootstrap.orch/token',
        stringData: {
          'token-id': name.slice(tokenName.length),
          'token-secret': '0123456789abcdef',
          'usage-bootstrap-signing': 'true',
        },
      }),
    },
  ];
}

/** Kinds whose objects are in a namespace. */
export function namespacedKinds(namespace: SoakPlace): readonly SoakKind[] {
  const name = namespace.path.split('/').at(-1)!;
  const places = [namespace];
  return [
    {apiVersion: 'v1', kind: 'ConfigMap', collection: `${namespace.path}/configmaps`, places, more: () => ({data: {a: 'b'}})},
    {apiVersion: 'v1', kind: 'Secret', collection: `${namespace.path}/secrets`, places, more: () => ({})},
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      collection: `/apis/apps/v1/namespaces/${name}/statefulsets`,
      places,
      more: (set) => ({
        spec: {
          replicas: 2,
          podManagementPolicy: 'Parallel',
          serviceName: 'soak',
          selector: {matchLabels: {set}},
          template: {metadata: {labels: {set}}, spec: {containers: template.spec.containers}},
        },
      }),
    },
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      collection: `/apis/batch/v1/namespaces/${name}/jobs`,
      places,
      more: () => ({spec: {template, ttlSecondsAfterFinished: 1}}),
    },
  ];
}

/** The kind of a definition, in a namespace. */
export function definedKind(definition: SoakPlace, namespace: SoakPlace): SoakKind {
  const group = groupOf(definition);
  const apiVersion = `${group}/v1`;
  const collection = `/apis/${apiVersion}/namespaces/${namespace.path.split('/').at(-1)}/things`;
  return {apiVersion, kind: 'Thing', collection, places: [namespace, definition], more: () => ({apiVersion, kind: 'Thing'})};
}

/** Where all objects of a definition are listed. */
export function everywhereOf(definition: SoakPlace): string {
  return `/apis/${groupOf(definition)}/v1/things`;
}

function groupOf({path}: SoakPlace): string {
  return path.slice(path.indexOf('/things.') + '/things.'.length);
}
