import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {UserName} from '../client/users.js';
import {bodyAttack, fillWith} from './body-attack.js';

/** An object of a built-in type with far too much of something. */
interface Excess {
  readonly name: string;
  readonly resource: string;
  readonly groupVersion?: string;
  /** Whether the type has no namespaces. */
  readonly global?: boolean;
  /** The object's members besides its metadata, as JSON text. */
  readonly members: () => string;
  /** What stands in `metadata` besides the name. */
  readonly metadata?: () => string;
  readonly user?: UserName;
  readonly outcomes?: Attack['outcomes'];
}

const list = (item: (number: number) => string, bytes?: number) => `[${fillWith(item, ',', bytes)}]`;
const map = (item: (number: number) => string, bytes?: number) => `{${fillWith(item, ',', bytes)}}`;
const pod = (spec: string): Pick<Excess, 'resource' | 'members'> & {members: () => string} => ({
  resource: 'pods',
  members: () => `"spec":${spec}`,
});
const podSpec = (name: string, member: () => string): Excess => ({
  name,
  resource: 'pods',
  members: () => `"spec":{"containers":[{"name":"c","image":"i"}],${member()}}`,
});
const container = (name: string, member: () => string): Excess => ({
  name,
  resource: 'pods',
  members: () => `"spec":{"containers":[{"name":"c","image":"i",${member()}}]}`,
});
const apps = {groupVersion: 'apps/v1'};
const rbac = {groupVersion: 'rbac.authorization.orch/v1'};
const template = '"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}';
const deployment = (name: string, spec: () => string): Excess => ({
  name,
  resource: 'deployments',
  ...apps,
  members: () => `"spec":{${template},${spec()}}`,
});
const inMetadata = (name: string, metadata: () => string): Excess => ({name, resource: 'configmaps', metadata, members: () => '"data":{}'});

const excesses: readonly Excess[] = [
  {name: '600000-empty-containers', ...pod(''), members: () => `"spec":{"containers":${list(() => '{}', 1_800_000)}}`},
  {
    name: '600000-empty-init-containers',
    ...pod(''),
    members: () => `"spec":{"containers":[{}],"initContainers":${list(() => '{}', 1_800_000)}}`,
  },
  {name: 'containers-with-names', ...pod(''), members: () => `"spec":{"containers":${list((n) => `{"name":"c${n}","image":"i"}`)}}`},
  {name: 'containers-of-one-name', ...pod(''), members: () => `"spec":{"containers":${list(() => '{"name":"c","image":"i"}')}}`},
  podSpec('empty-volumes', () => `"volumes":${list(() => '{}')}`),
  podSpec('volumes-with-names', () => `"volumes":${list((n) => `{"name":"v${n}"}`)}`),
  podSpec('empty-tolerations', () => `"tolerations":${list(() => '{}')}`),
  podSpec('bad-tolerations', () => `"tolerations":${list(() => '{"operator":"x"}')}`),
  podSpec('empty-host-aliases', () => `"hostAliases":${list(() => '{}')}`),
  podSpec('bad-host-aliases', () => `"hostAliases":${list(() => '{"ip":"x"}')}`),
  podSpec('node-selector', () => `"nodeSelector":${map((n) => `"k${n}":"v"`)}`),
  podSpec('bad-node-selector', () => `"nodeSelector":${map((n) => `"-${n}":"/"`)}`),
  podSpec('spread-constraints', () => `"topologySpreadConstraints":${list(() => '{}')}`),
  podSpec('image-pull-secrets', () => `"imagePullSecrets":${list(() => '{}')}`),
  podSpec('readiness-gates', () => `"readinessGates":${list(() => '{}')}`),
  podSpec('supplemental-groups', () => `"securityContext":{"supplementalGroups":${list(() => '-1')}}`),
  podSpec('sysctls', () => `"securityContext":{"sysctls":${list(() => '{}')}}`),
  podSpec('affinity-terms', () => `"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":${list(() => '{}')}}}`),
  podSpec(
    'affinity-expressions',
    () =>
      `"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":${list(() => '{}')}}]}}}`,
  ),
  podSpec('dns-options', () => `"dnsConfig":{"options":${list(() => '{}')},"nameservers":${list(() => '"x"', 100_000)}}`),
  container('empty-environment', () => `"env":${list(() => '{}')}`),
  container('environment-references', () => `"env":${list((n) => `{"name":"E${n}","value":"$(E${n + 1})"}`)}`),
  container('empty-ports', () => `"ports":${list(() => '{}')}`),
  container('same-ports', () => `"ports":${list(() => '{"containerPort":80}')}`),
  container('some-same-ports', () => `"ports":${list(() => '{"containerPort":80}', 150_000)}`),
  container('same-variables', () => `"env":${list(() => '{"name":"A"}', 150_000)}`),
  podSpec(
    'files-of-one-path',
    () => `"volumes":[{"name":"v","secret":{"secretName":"s","items":${list(() => '{"key":"k","path":"a"}', 150_000)}}}]`,
  ),
  container('empty-mounts', () => `"volumeMounts":${list(() => '{}')}`),
  container('mounts', () => `"volumeMounts":${list((n) => `{"name":"v${n}","mountPath":"/m${n}"}`)}`),
  container('long-command', () => `"command":${list(() => '""')}`),
  container('capabilities', () => `"securityContext":{"capabilities":{"add":${list(() => '""')}}}`),
  container('resources', () => `"resources":{"limits":${map((n) => `"r${n}":"x"`)}}`),
  container('long-quantities', () => `"resources":{"limits":${map((n) => `"cpu${n}":"${'9'.repeat(3000)}"`)}}`),
  container(
    'quantity-of-megabytes',
    () => `"resources":{"limits":{"cpu":"${'9'.repeat(2_800_000)}"},"requests":{"cpu":"0.${'0'.repeat(10)}1"}}`,
  ),
  container(
    'quantity-of-many-places',
    () => `"resources":{"limits":{"cpu":"0.${'1'.repeat(1_400_000)}","memory":"1${'0'.repeat(1_300_000)}Ki"}}`,
  ),
  container('many-quantities', () => `"resources":{"limits":${map((n) => `"example.com/r${n}":"${n}.${'1'.repeat(20)}e${n % 40}"`)}}`),
  container('long-exponents', () => '"resources":{"limits":{"cpu":"1e999999999","memory":"1E-999999999"}}'),
  inMetadata('labels', () => `"labels":${map((n) => `"k${n}":"v"`)}`),
  inMetadata('bad-labels', () => `"labels":${map((n) => `"-${n}":"/"`)}`),
  inMetadata('annotations', () => `"annotations":${map((n) => `"k${n}":"v"`)}`),
  inMetadata('bad-annotations', () => `"annotations":${map((n) => `"/${n}":"v"`)}`),
  inMetadata('annotation-of-2-megabytes', () => `"annotations":{"a":"${'x'.repeat(2_000_000)}"}`),
  inMetadata('finalizers', () => `"finalizers":${list((n) => `"a.example/f${n}"`)}`),
  inMetadata('same-finalizers', () => `"finalizers":${list(() => '"a.example/f"')}`),
  inMetadata('bad-finalizers', () => `"finalizers":${list(() => '""')}`),
  inMetadata('owner-references', () => `"ownerReferences":${list((n) => `{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u${n}"}`)}`),
  inMetadata('empty-owner-references', () => `"ownerReferences":${list(() => '{}')}`),
  inMetadata(
    'controlling-owner-references',
    () => `"ownerReferences":${list((n) => `{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u${n}","controller":true}`)}`,
  ),
  inMetadata(
    'all-controlling-owner-references-of-one-uid',
    () => `"ownerReferences":${list(() => '{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u","controller":true}')}`,
  ),
  inMetadata(
    'blocking-owner-references',
    () =>
      `"ownerReferences":${list((n) => `{"apiVersion":"a${n}.example/v1","kind":"K${n}","name":"n","uid":"u${n}","blockOwnerDeletion":true}`)}`,
  ),
  inMetadata('managed-fields', () => `"managedFields":${list(() => '{}')}`),
  inMetadata(
    'managed-fields-with-fields',
    () =>
      `"managedFields":${list((n) => `{"manager":"m${n}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k":{}}}}`)}`,
  ),
  inMetadata(
    'managed-fields-deep',
    () =>
      `"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(100_000)}{}${'}'.repeat(100_000)}}]`,
  ),
  {name: 'secret-keys', resource: 'secrets', members: () => `"stringData":${map((n) => `"k${n}":""`)}`},
  {name: 'secret-bad-keys', resource: 'secrets', members: () => `"data":${map((n) => `"/${n}":"!"`)}`},
  {name: 'binary-data', resource: 'configmaps', members: () => `"binaryData":${map((n) => `"k${n}":"AA=="`)}`},
  {
    name: 'same-keys-in-both',
    resource: 'configmaps',
    members: () => `"data":${map((n) => `"k${n}":""`, 1_400_000)},"binaryData":${map((n) => `"k${n}":""`, 1_400_000)}`,
  },
  {
    name: 'service-ports',
    resource: 'services',
    members: () => `"spec":{"ports":${list((n) => `{"name":"p${n}","port":${1 + (n % 65_000)}}`)}}`,
  },
  {name: 'service-empty-ports', resource: 'services', members: () => `"spec":{"ports":${list(() => '{}')}}`},
  {
    name: 'service-addresses',
    resource: 'services',
    members: () =>
      `"spec":{"ports":[{"port":80}],"externalIPs":${list(() => '"x"')},"loadBalancerSourceRanges":${list(() => '"x"', 100_000)}}`,
  },
  {name: 'endpoints', resource: 'endpoints', user: 'builder', members: () => `"subsets":${list(() => '{}')}`},
  {
    name: 'endpoints-addresses',
    resource: 'endpoints',
    user: 'builder',
    members: () => `"subsets":[{"addresses":${list(() => '{}')},"ports":[{"port":80}]}]`,
  },
  {
    name: 'endpoints-of-14000-addresses',
    resource: 'endpoints',
    user: 'builder',
    members: () =>
      `"subsets":[{"addresses":[${Array.from({length: 14_000}, (_, n) => `{"ip":"10.0.${n >> 8}.${n & 255}"}`).join(',')}],"ports":[{"port":80}]}]`,
  },
  {
    name: 'endpoint-slice',
    resource: 'endpointslices',
    user: 'builder',
    groupVersion: 'discovery.orch/v1',
    members: () => `"addressType":"IPv4","endpoints":${list(() => '{}')}`,
  },
  {name: 'ingress-rules', resource: 'ingresses', groupVersion: 'networking.orch/v1', members: () => `"spec":{"rules":${list(() => '{}')}}`},
  {
    name: 'ingress-bad-hosts',
    resource: 'ingresses',
    groupVersion: 'networking.orch/v1',
    members: () => `"spec":{"rules":${list(() => '{"host":"-"}')},"tls":${list(() => '{"hosts":["-"]}', 100_000)}}`,
  },
  {
    name: 'network-policy',
    resource: 'networkpolicies',
    groupVersion: 'networking.orch/v1',
    members: () => `"spec":{"podSelector":{},"ingress":[{"from":${list(() => '{}')}}]}`,
  },
  {
    name: 'network-policy-blocks',
    resource: 'networkpolicies',
    groupVersion: 'networking.orch/v1',
    members: () => `"spec":{"podSelector":{},"ingress":[{"from":[{"ipBlock":{"cidr":"10.0.0.0/8","except":${list(() => '"x"')}}}]}]}`,
  },
  deployment('selector-expressions', () => `"selector":{"matchExpressions":${list(() => '{}')}}`),
  deployment('selector-values', () => `"selector":{"matchExpressions":[{"key":"a","operator":"In","values":${list((n) => `"v${n}"`)}}]}`),
  deployment('selector-labels', () => `"selector":{"matchLabels":${map((n) => `"k${n}":"v"`)}}`),
  {
    name: 'claim-templates',
    resource: 'statefulsets',
    ...apps,
    members: () => `"spec":{"selector":{"matchLabels":{"a":"b"}},${template},"volumeClaimTemplates":${list(() => '{}')}}`,
  },
  {
    name: 'claim-access-modes',
    resource: 'persistentvolumeclaims',
    members: () => `"spec":{"accessModes":${list(() => '"x"')},"resources":{"requests":{"storage":"1Gi"}}}`,
  },
  {
    name: 'quota',
    resource: 'resourcequotas',
    user: 'builder',
    members: () => `"spec":{"hard":${map((n) => `"r${n}":"x"`)},"scopes":${list(() => '"x"', 100_000)}}`,
  },
  {name: 'limit-ranges', resource: 'limitranges', user: 'builder', members: () => `"spec":{"limits":${list(() => '{}')}}`},
  {
    name: 'autoscaler-metrics',
    resource: 'horizontalpodautoscalers',
    groupVersion: 'autoscaling/v2',
    members: () => `"spec":{"maxReplicas":2,"scaleTargetRef":{"kind":"K","name":"n"},"metrics":${list(() => '{}')}}`,
  },
  {
    name: 'cron-schedule',
    resource: 'cronjobs',
    groupVersion: 'batch/v1',
    members: () => `"spec":{"schedule":"${'1,'.repeat(500_000)}1 * * * *","jobTemplate":{"spec":{${template}}}}`,
  },
  {
    name: 'cron-ranges',
    resource: 'cronjobs',
    groupVersion: 'batch/v1',
    members: () => `"spec":{"schedule":"0-59/1 0-99999999999 * * *","jobTemplate":{"spec":{${template}}}}`,
  },
  {
    name: 'job-failure-rules',
    resource: 'jobs',
    groupVersion: 'batch/v1',
    members: () => `"spec":{"podFailurePolicy":{"rules":${list(() => '{}')}},${template}}`,
  },
  {
    name: 'disruption-budget',
    resource: 'poddisruptionbudgets',
    groupVersion: 'policy/v1',
    members: () => `"spec":{"minAvailable":1,"selector":{"matchExpressions":${list(() => '{}')}}}`,
  },
  {
    name: 'webhooks',
    resource: 'validatingwebhookconfigurations',
    groupVersion: 'admissionregistration.orch/v1',
    global: true,
    user: 'builder',
    members: () => `"webhooks":${list(() => '{}')}`,
  },
  {
    name: 'webhook-rules',
    resource: 'mutatingwebhookconfigurations',
    groupVersion: 'admissionregistration.orch/v1',
    global: true,
    user: 'builder',
    members: () =>
      `"webhooks":[{"name":"a.b.c","clientConfig":{"url":"https://a.example"},"sideEffects":"None","admissionReviewVersions":["v1"],"rules":${list(() => '{}')}}]`,
  },
  {name: 'taints', resource: 'nodes', global: true, user: 'builder', members: () => `"spec":{"taints":${list(() => '{}')}}`},
  {
    name: 'node-addresses',
    resource: 'nodes',
    global: true,
    user: 'builder',
    members: () => `"status":{"addresses":${list(() => '{}')},"images":${list(() => '{}', 100_000)}}`,
  },
  {
    name: 'volume-options',
    resource: 'persistentvolumes',
    global: true,
    user: 'builder',
    members: () =>
      `"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"},"mountOptions":${list(() => '""')}}`,
  },
  {
    name: 'binding-subjects',
    resource: 'rolebindings',
    ...rbac,
    members: () => `"roleRef":{"apiGroup":"rbac.authorization.orch","kind":"Role","name":"r"},"subjects":${list(() => '{}')}`,
  },
  {
    name: 'role-names',
    resource: 'roles',
    ...rbac,
    members: () => `"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":${list((n) => `"n${n}"`)}}]`,
  },
  {name: 'empty-rules', resource: 'roles', ...rbac, members: () => `"rules":${list(() => '{}')}`},
  {
    name: 'flow-schema-rules',
    resource: 'flowschemas',
    groupVersion: 'flowcontrol.apiserver.orch/v1beta3',
    global: true,
    user: 'builder',
    members: () => `"spec":{"priorityLevelConfiguration":{"name":"p"},"rules":${list(() => '{}')}}`,
  },
  {
    name: 'event-text',
    resource: 'events',
    user: 'builder',
    members: () => `"involvedObject":{"namespace":"x"},"message":"${'m'.repeat(2_000_000)}"`,
  },
  {
    name: 'lease-text',
    resource: 'leases',
    groupVersion: 'coordination.orch/v1',
    user: 'builder',
    members: () => `"spec":{"holderIdentity":"${'m'.repeat(2_000_000)}"}`,
  },
];

export const validation = family(
  'validation',
  excesses.map(({name, resource, groupVersion, global = false, members, metadata, user, outcomes = [201, 400, 413, 422]}) =>
    bodyAttack({
      name,
      outcomes,
      ...(user ? {user} : {}),
      path: (attacker: Attacker) => {
        const collection = global
          ? `/${groupVersion ? `apis/${groupVersion}` : 'api/v1'}/${resource}`
          : attacker.path(resource, groupVersion);
        return `${collection}?dryRun=All`;
      },
      body: () => `{"metadata":{"name":"excess"${metadata ? `,${metadata()}` : ''}},${members()}}`,
      times: 3,
    }),
  ),
  {storeless: true},
);
