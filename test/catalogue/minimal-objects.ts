import {makeAuthority} from '../helpers/test-certificates.js';
import type {NamingProfile} from '../../sdk/index.js';

/** What a new object needs besides `apiVersion`, `kind` and a name that says nothing. */
export interface MinimalObject {
  /** The name, where the type prescribes its form. */
  readonly name?: string;
  /** All members but `apiVersion`, `kind` and `metadata`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** A request for a certificate of the name `jo`, in PEM and base64. */
const certificateRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HOENBUUF3RFRFTE1Ba0dBMVVFQXd3Q2FtOHdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQwpBQVRr',
  'QVh3QnlxdkZKOHIvYWw5OHRheE5GUU92MjhyUVJpV0ljYmlUQWpqODVMTkJHdVNDWG1DZ1g5aE1qcDd1Cm9jVG0wUTVJdklOQzdLdGRqQ0V0dDdPaG9BQXdDZ1lJS29aSXpqMEVBd0lE',
  'U0FBd1JRSWhBSWlhK3lwMTc1ay8KTzZtOW1MczFNRXV4OTdYK0J6L3RvMldVUEVQYmpkWGtBaUE0cW5jbnNsMmNrcG51ZGVVTWQrQ2svL1VoMzA3egpqZDd6S2F3dk9DZ2EzZz09Ci0t',
  'LS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
].join('');

const {certificate: trustBundle} = await makeAuthority();
const labels = {app: 'x'};
const selector = {matchLabels: labels};
const container = {name: 'main', image: 'nginx:1'};
const template = (spec: object = {}) => ({metadata: {labels}, spec: {containers: [container], ...spec}});
const once = template({restartPolicy: 'Never'});
const reference = {kind: 'Deployment', name: 'x', apiVersion: 'apps/v1'};
const webhook = {
  name: 'check.shop.example',
  clientConfig: {url: 'https://127.0.0.1:9/check'},
  rules: [{operations: ['CREATE'], apiGroups: ['shop.example'], apiVersions: ['v1'], resources: ['gadgets']}],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const priorityLevel = (shares: string) => ({spec: {type: 'Limited', limited: {[shares]: 5, limitResponse: {type: 'Reject'}}}});
const flowSchema = {spec: {priorityLevelConfiguration: {name: 'exempt'}, matchingPrecedence: 500}};

const flatClaim = {devices: {requests: [{name: 'a', deviceClassName: 'gpu'}]}};

/**
 * The least that each kind asks for, by resource, or by resource and version where the versions differ. Nothing here has an
 * effect on the creation of the others: webhooks and policies look at types that do not exist.
 */
const table: Readonly<Record<string, (naming: NamingProfile, namespace: string) => Readonly<Record<string, unknown>>>> = {
  configmaps: () => ({data: {colour: 'blue'}}),
  endpoints: () => ({subsets: [{addresses: [{ip: '10.1.2.3'}], ports: [{port: 80}]}]}),
  'events v1': (_naming, namespace) => ({
    involvedObject: {kind: 'Pod', namespace, name: 'p'},
    reason: 'Loaded',
    message: 'all there',
    type: 'Normal',
  }),
  'events events.orch/v1': (_naming, namespace) => ({
    eventTime: '2030-01-01T00:00:00.000001Z',
    reportingController: 'example.com/loader',
    reportingInstance: 'loader-1',
    action: 'Load',
    reason: 'Loaded',
    type: 'Normal',
    regarding: {kind: 'Pod', namespace, name: 'p'},
  }),
  limitranges: () => ({spec: {limits: [{type: 'PersistentVolumeClaim', max: {storage: '10Ti'}}]}}),
  namespaces: () => ({}),
  nodes: () => ({spec: {unschedulable: true}}),
  persistentvolumeclaims: () => ({spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}),
  persistentvolumes: () => ({spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteMany'], nfs: {server: 'nfs.example', path: '/'}}}),
  pods: () => ({spec: {containers: [container]}}),
  podtemplates: () => ({template: template()}),
  replicationcontrollers: () => ({spec: {selector: labels, template: template()}}),
  resourcequotas: () => ({spec: {hard: {pods: '100'}}}),
  secrets: () => ({data: {token: 'YWJj'}}),
  serviceaccounts: () => ({automountServiceAccountToken: false}),
  services: () => ({spec: {selector: labels, ports: [{port: 80}]}}),
  apiservices: () => ({spec: {group: 'shop.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10}}),
  controllerrevisions: () => ({revision: 1, data: {spec: {colour: 'blue'}}}),
  daemonsets: () => ({spec: {selector, template: template()}}),
  deployments: () => ({spec: {selector, template: template()}}),
  replicasets: () => ({spec: {selector, template: template()}}),
  statefulsets: () => ({spec: {selector, serviceName: 'x', template: template()}}),
  horizontalpodautoscalers: () => ({spec: {scaleTargetRef: reference, maxReplicas: 3}}),
  cronjobs: () => ({spec: {schedule: '0 4 * * *', jobTemplate: {spec: {template: once}}}}),
  jobs: () => ({spec: {template: once}}),
  certificatesigningrequests: () => ({spec: {request: certificateRequest, signerName: 'example.com/signer', usages: ['client auth']}}),
  ingressclasses: () => ({spec: {controller: 'example.com/ingress'}}),
  ingresses: () => ({spec: {defaultBackend: {service: {name: 'x', port: {number: 80}}}}}),
  networkpolicies: () => ({spec: {podSelector: selector}}),
  ipaddresses: () => ({spec: {parentRef: {resource: 'services', namespace: 'default', name: 'x'}}}),
  servicecidrs: () => ({spec: {cidrs: ['10.200.0.0/24']}}),
  clustertrustbundles: () => ({spec: {trustBundle}}),
  podcertificaterequests: () => ({
    spec: {
      signerName: 'example.com/pods',
      podName: 'p',
      podUID: 'pod-uid',
      serviceAccountName: 'default',
      serviceAccountUID: 'account-uid',
      nodeName: 'n',
      nodeUID: 'node-uid',
      stubPKCS10Request: Buffer.from(certificateRequest, 'base64')
        .toString()
        .replaceAll(/-----[^-]+-----|\s/g, ''),
    },
  }),
  leasecandidates: () => ({
    spec: {leaseName: 'x', binaryVersion: '1.33.0', emulationVersion: '1.33.0', strategy: 'OldestEmulationVersion'},
  }),
  storageversionmigrations: () => ({spec: {resource: {resource: 'configmaps'}}}),
  clustercidrs: () => ({spec: {perNodeHostBits: 8, ipv4: '10.0.0.0/16'}}),
  poddisruptionbudgets: () => ({spec: {selector, maxUnavailable: 1}}),
  clusterroles: () => ({rules: [{apiGroups: [''], resources: ['pods'], verbs: ['get']}]}),
  roles: () => ({rules: [{apiGroups: [''], resources: ['pods'], verbs: ['get']}]}),
  clusterrolebindings: (naming) => binding(naming, 'ClusterRole'),
  rolebindings: (naming) => binding(naming, 'Role'),
  csidrivers: () => ({spec: {attachRequired: false}}),
  csinodes: () => ({spec: {drivers: [{name: 'disk.example', nodeID: 'n'}]}}),
  csistoragecapacities: () => ({storageClassName: 'fast', capacity: '1Gi'}),
  storageclasses: () => ({provisioner: 'disk.example'}),
  volumeattributesclasses: () => ({driverName: 'disk.example', parameters: {iops: '1000'}}),
  volumeattachments: () => ({spec: {attacher: 'disk.example', nodeName: 'n', source: {persistentVolumeName: 'v'}}}),
  mutatingwebhookconfigurations: () => ({webhooks: [webhook]}),
  validatingwebhookconfigurations: () => ({webhooks: [webhook]}),
  mutatingadmissionpolicies: () => ({
    spec: {
      matchConstraints: {resourceRules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods']}]},
      mutations: [{patchType: 'ApplyConfiguration', applyConfiguration: {expression: 'Object{}'}}],
      reinvocationPolicy: 'Never',
    },
  }),
  mutatingadmissionpolicybindings: () => ({spec: {policyName: 'absent'}}),
  validatingadmissionpolicies: () => ({
    spec: {
      matchConstraints: {
        resourceRules: [{operations: ['CREATE'], apiGroups: ['shop.example'], apiVersions: ['v1'], resources: ['gadgets']}],
      },
      validations: [{expression: 'object.spec.replicas < 5'}],
    },
  }),
  validatingadmissionpolicybindings: () => ({spec: {policyName: 'absent'}}),
  'validatingadmissionpolicybindings admissionregistration.orch/v1': () => ({spec: {policyName: 'absent', validationActions: ['Deny']}}),
  customresourcedefinitions: () => ({
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: {plural: 'gizmos', kind: 'Gizmo'},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', properties: {size: {type: 'integer', minimum: 1}}}},
        },
      ],
    },
  }),
  priorityclasses: () => ({value: 1000}),
  workloads: () => ({spec: {podGroupTemplates: [{name: 'x', schedulingPolicy: {gang: {minCount: 2}}}]}}),
  podgroups: () => ({spec: {schedulingPolicy: {gang: {minCount: 2}}}}),
  leases: () => ({spec: {holderIdentity: 'me', leaseDurationSeconds: 10}}),
  runtimeclasses: () => ({handler: 'fast'}),
  endpointslices: () => ({addressType: 'IPv4', endpoints: [{addresses: ['10.1.2.3']}], ports: [{port: 80}]}),
  flowschemas: () => flowSchema,
  'prioritylevelconfigurations flowcontrol.apiserver.orch/v1': () => priorityLevel('nominalConcurrencyShares'),
  'prioritylevelconfigurations flowcontrol.apiserver.orch/v1beta3': () => priorityLevel('nominalConcurrencyShares'),
  'prioritylevelconfigurations flowcontrol.apiserver.orch/v1beta2': () => priorityLevel('assuredConcurrencyShares'),
  storageversions: () => ({spec: {}}),
  podschedulings: () => ({spec: {selectedNode: 'n'}}),
  podschedulingcontexts: () => ({spec: {selectedNode: 'n'}}),
  resourceclaims: () => ({spec: {devices: {requests: [{name: 'a', exactly: {deviceClassName: 'gpu'}}]}}}),
  'resourceclaims resource.orch/v1beta1': () => ({spec: flatClaim}),
  'resourceclaims resource.orch/v1alpha3': () => ({spec: flatClaim}),
  'resourceclaims resource.orch/v1alpha2': () => ({spec: {resourceClassName: 'gpu'}}),
  'resourceclaims resource.orch/v1alpha1': () => ({spec: {resourceClassName: 'gpu'}}),
  resourceclaimtemplates: () => ({spec: {spec: {devices: {requests: [{name: 'a', exactly: {deviceClassName: 'gpu'}}]}}}}),
  'resourceclaimtemplates resource.orch/v1beta1': () => ({spec: {spec: flatClaim}}),
  'resourceclaimtemplates resource.orch/v1alpha3': () => ({spec: {spec: flatClaim}}),
  'resourceclaimtemplates resource.orch/v1alpha2': () => ({spec: {spec: {resourceClassName: 'gpu'}}}),
  'resourceclaimtemplates resource.orch/v1alpha1': () => ({spec: {spec: {resourceClassName: 'gpu'}}}),
  devicetaintrules: () => ({spec: {taint: {key: 'broken', effect: 'NoSchedule'}}}),
  resourcepoolstatusrequests: () => ({spec: {driver: 'gpu.example'}}),
  deviceclasses: () => ({spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example"'}}]}}),
  resourceslices: () => ({
    spec: {driver: 'gpu.example', pool: {name: 'n', generation: 1, resourceSliceCount: 1}, nodeName: 'n', devices: [{name: 'a'}]},
  }),
  'resourceslices resource.orch/v1alpha2': () => ({driverName: 'gpu.example', namedResources: {instances: [{name: 'a'}]}}),
  resourceclaimparameters: () => ({
    driverRequests: [{driverName: 'gpu.example', requests: [{namedResources: {selector: 'attributes.bool["fast"]'}}]}],
  }),
  resourceclassparameters: () => ({filters: [{driverName: 'gpu.example', namedResources: {selector: 'true'}}]}),
  resourceclasses: () => ({driverName: 'gpu.example'}),
};

const prescribedNames: Readonly<Record<string, string>> = {
  apiservices: 'v1.shop.example',
  customresourcedefinitions: 'gizmos.shop.example',
  storageversions: 'apps.deployments',
  ipaddresses: '10.96.200.1',
};

function binding(naming: NamingProfile, kind: string): Readonly<Record<string, unknown>> {
  const apiGroup = naming.group('rbac.authorization.orch');
  return {roleRef: {apiGroup, kind, name: 'reader'}, subjects: [{apiGroup, kind: 'User', name: 'jo'}]};
}

/** @param groupVersion in neutral names. @returns undefined when the table does not know the resource */
export function minimalObject(resource: string, groupVersion: string, naming: NamingProfile, namespace: string): MinimalObject | undefined {
  const make = table[`${resource} ${groupVersion}`] ?? table[resource];
  if (make === undefined) return undefined;
  const name = prescribedNames[resource];
  return {...(name === undefined ? {} : {name}), members: make(naming, namespace)};
}
