import type {ApiDomain} from './bench-users.js';
import type {RequestJob} from './work.js';

/** An object that a case needs, and where it is made: `NAMESPACE` in the path is that of the case. */
export interface MadeObject {
  readonly collection: string;
  readonly object: {readonly metadata: {readonly name: string}; readonly [member: string]: unknown};
}

/** Creates of one kind while somebody has a say. */
export interface AdmissionCase {
  readonly name: string;
  /** The case with which it is compared. */
  readonly base?: string;
  readonly work: Extract<RequestJob['work'], `create${string}`>;
  readonly objects: readonly MadeObject[];
  /** Labels of the namespace. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What has to be seen before the measurement begins. */
  readonly probe?: {readonly path: string; isReady(object: Record<string, unknown>): boolean};
}

const registration = '/apis/admissionregistration.orch';
const policyCount = 100;

/** A policy of three rules over what every object has, and its binding. */
function policies(resource: string): MadeObject[] {
  return Array.from({length: policyCount}, (_, index): MadeObject[] => {
    const name = `${resource}-${String(index).padStart(3, '0')}`;
    const rule = {operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource]};
    const validations = [
      {expression: `has(object.metadata.labels) && 'app' in object.metadata.labels`},
      {expression: `object.metadata.name.size() <= ${60 + index}`},
      {expression: `request.userInfo.username != 'nobody-${index}'`},
    ];
    return [
      {
        collection: `${registration}/v1alpha1/validatingadmissionpolicies`,
        object: {metadata: {name}, spec: {matchConstraints: {resourceRules: [rule]}, validations}},
      },
      {collection: `${registration}/v1alpha1/validatingadmissionpolicybindings`, object: {metadata: {name}, spec: {policyName: name}}},
    ];
  }).flat();
}

/** A webhook that is asked about what is made or changed of a resource, in one namespace where it is given. */
export function webhook(
  resource: string,
  {url, ca}: {url: string; ca: string},
  domain: ApiDomain = 'orch',
  namespace?: string,
): MadeObject {
  const label = `${domain === 'orch' ? domain : 'kubernetes.io'}/metadata.name`;
  const rule = {operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource]};
  return {
    collection: `/apis/admissionregistration.${domain}/v1/validatingwebhookconfigurations`,
    object: {
      metadata: {name: `bench-${resource}`},
      webhooks: [
        {
          name: 'bench.orch.example',
          rules: [rule],
          ...(namespace === undefined ? {} : {namespaceSelector: {matchLabels: {[label]: namespace}}}),
          clientConfig: {url, caBundle: Buffer.from(ca).toString('base64')},
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    },
  };
}

const limits: readonly MadeObject[] = [
  {
    collection: '/api/v1/namespaces/NAMESPACE/limitranges',
    object: {metadata: {name: 'limits'}, spec: {limits: [{type: 'Container', max: {cpu: '1', memory: '1Gi'}, default: {cpu: '10m'}}]}},
  },
  {
    collection: '/api/v1/namespaces/NAMESPACE/resourcequotas',
    object: {metadata: {name: 'quota'}, spec: {hard: {pods: '1000000', 'requests.cpu': '1000000', 'limits.memory': '1000Ti'}}},
  },
];

/** The cases, each behind the one that it is compared with. */
export function admissionCases(hook: {url: string; ca: string}): readonly AdmissionCase[] {
  const configMaps = 'ConfigMap';
  const pods = 'Pod';
  return [
    {name: configMaps, work: 'create', objects: []},
    {
      name: 'ConfigMap, webhook and policies for Secrets',
      base: configMaps,
      work: 'create',
      objects: [webhook('secrets', hook), ...policies('secrets')],
    },
    {name: 'ConfigMap, one validating webhook', base: configMaps, work: 'create', objects: [webhook('configmaps', hook)]},
    {name: `ConfigMap, ${policyCount} policies`, base: configMaps, work: 'create', objects: policies('configmaps')},
    {name: pods, work: 'create pod', objects: []},
    {
      name: 'Pod, limits, quota, restricted standard',
      base: pods,
      work: 'create pod',
      objects: limits,
      labels: {'pod-security.orch/enforce': 'restricted', 'pod-security.orch/warn': 'restricted'},
      probe: {
        path: '/api/v1/namespaces/NAMESPACE/resourcequotas/quota',
        isReady: ({status}) => Object.keys((status as {hard?: object} | undefined)?.hard ?? {}).length > 0,
      },
    },
  ];
}
