import test from 'ava';
import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {causesOf, servedGroup} from '../served-group.js';

const client = servedGroup(test, {
  release: '1.36',
  platform: 'kubernetes',
  disableAdmissionPlugins: ['ServiceAccount'],
  featureGates: {
    ClusterTrustBundleProjection: true,
    ContainerStopSignals: true,
    GenericWorkload: true,
    PodCertificateRequest: true,
    ClusterTrustBundle: true,
    TaintTolerationComparisonOperators: true,
  },
});
const pods = '/api/v1/namespaces/default/pods';
const main = {name: 'main', image: 'web:1'};
let count = 0;
const named = () => ({name: `pod-${(count += 1)}`});
const podOf = (spec: object, metadata: object = {}) => ({metadata: {...named(), ...metadata}, spec: {containers: [main], ...spec}});
const mainWith = (members: object) => ({containers: [{...main, ...members}]});
const initWith = (members: object) => ({initContainers: [{name: 'init', image: 'web:1', ...members}]});
const volumeOf = (source: object) => ({volumes: [{name: 'v', ...source}]});
const projectionOf = (source: object) => volumeOf({projected: {sources: [source]}});
const sleep = (seconds: number) => ({lifecycle: {preStop: {sleep: {seconds}}}});
const rule = (exitCodes?: object, action = 'Restart') => ({restartPolicyRules: [{action, ...(exitCodes ? {exitCodes} : {})}]});
const affinityOf = (term: object) => ({
  affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: 'zone', ...term}]}},
});
const term = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';

/** What a pod has, and its faults below `spec`; none if it is valid. */
const cases: [string, object, string[]][] = [
  ['gates of scheduling have qualified names', {schedulingGates: [{name: 'a/b'}]}, []],
  [
    'gates of scheduling have valid names, each once',
    {schedulingGates: [{name: 'a'}, {name: 'a'}, {name: '/'}]},
    [
      'schedulingGates[1]: Duplicate value: "a"',
      'schedulingGates[2]: Invalid value: "/": prefix part must be non-empty',
      'schedulingGates[2]: Invalid value: "/": name part must be non-empty',
      "schedulingGates[2]: Invalid value: \"/\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  ['a sidecar has probes and hooks', initWith({restartPolicy: 'Always', readinessProbe: {tcpSocket: {port: 1}}, ...sleep(1)}), []],
  [
    'an init container that ends has no probes',
    initWith({readinessProbe: {tcpSocket: {port: 1}}, ...sleep(1)}),
    [
      'initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
      'initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
  ],
  [
    'a sidecar has its probes checked',
    initWith({restartPolicy: 'Always', livenessProbe: {tcpSocket: {port: 1}, successThreshold: 2}}),
    ['initContainers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1'],
  ],
  ['a container has a policy and rules of its own', mainWith({restartPolicy: 'Never', ...rule({operator: 'In', values: [42]})}), []],
  [
    'a rule may restart all containers',
    mainWith({restartPolicy: 'Never', ...rule({operator: 'In', values: [1]}, 'RestartAllContainers')}),
    [],
  ],
  [
    'rules need a policy',
    mainWith(rule({operator: 'Is'}, 'Stop')),
    [
      'containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
      'containers[0].restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"',
      'containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"',
    ],
  ],
  [
    'policies of containers are those of pods',
    {...mainWith({restartPolicy: 'Sometimes', ...rule()}), ...initWith({restartPolicy: 'Often'})},
    [
      'containers[0].restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
      'containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified',
      'initContainers[0].restartPolicy: Unsupported value: "Often": supported values: "Always", "Never", "OnFailure"',
    ],
  ],
  [
    'resize policies name resources and what is done, each once',
    {
      restartPolicy: 'Never',
      ...mainWith({
        resizePolicy: [
          {resourceName: 'cpu', restartPolicy: 'RestartContainer'},
          {resourceName: 'cpu', restartPolicy: 'x'},
        ],
      }),
    },
    [
      "containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
      'containers[0].resizePolicy[1]: Duplicate value: "cpu"',
      'containers[0].resizePolicy: Unsupported value: "x": supported values: "NotRequired", "RestartContainer"',
      "containers[0].resizePolicy: Invalid value: \"x\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    ],
  ],
  [
    'an init container that ends is not restarted when it is resized',
    initWith({resizePolicy: [{resourceName: 'memory', restartPolicy: 'RestartContainer'}]}),
    [
      'initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
    ],
  ],
  ['a hook may sleep for no time', mainWith(sleep(0)), []],
  [
    'a hook sleeps no longer than its pod has to end',
    {terminationGracePeriodSeconds: 5, ...mainWith(sleep(6))},
    ['containers[0].lifecycle.preStop.sleep: Invalid value: 6: must be non-negative and less than terminationGracePeriodSeconds (5)'],
  ],
  [
    'a hook does one thing',
    mainWith({lifecycle: {preStop: {exec: {command: ['x']}, sleep: {seconds: 1}}}}),
    ['containers[0].lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type'],
  ],
  ['a stop signal is one of the operating system', {os: {name: 'linux'}, ...mainWith({lifecycle: {stopSignal: 'SIGRTMIN+15'}})}, []],
  [
    'a stop signal needs the operating system',
    mainWith({lifecycle: {stopSignal: 'SIGTERM'}}),
    ['containers[0].lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`'],
  ],
  [
    'Windows has two stop signals',
    {os: {name: 'windows'}, ...mainWith({lifecycle: {stopSignal: 'SIGHUP'}})},
    ['containers[0].lifecycle.stopSignal: Unsupported value: "SIGHUP": supported values: "SIGKILL", "SIGTERM"'],
  ],
  ['a pod with its own users may mount any volume', {hostUsers: false, ...volumeOf({hostPath: {path: '/x'}})}, []],
  [
    'a pod with its own users shares nothing else with the host',
    {hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true},
    [
      'hostNetwork: Forbidden: when `hostUsers` is false',
      'HostPID: Forbidden: when `hostUsers` is false',
      'HostIPC: Forbidden: when `hostUsers` is false',
    ],
  ],
  [
    'an unmasked /proc needs users of its own',
    mainWith({securityContext: {procMount: 'Unmasked'}}),
    ['containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`'],
  ],
  [
    'AppArmor profiles have a type, and a name if they are local',
    {
      securityContext: {appArmorProfile: {type: 'Localhost'}},
      containers: [
        {...main, securityContext: {appArmorProfile: {type: 'Unconfined', localhostProfile: 'x'}}},
        {...main, name: 'b', securityContext: {appArmorProfile: {type: 'x'}}},
        {...main, name: 'c', securityContext: {appArmorProfile: {type: 'Localhost', localhostProfile: ' '}}},
      ],
    },
    [
      'containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost',
      'containers[1].securityContext.appArmorProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      'containers[2].securityContext.appArmorProfile.localhostProfile: Invalid value: " ": must not be padded with whitespace',
      'securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
    ],
  ],
  [
    'policies of the pod have few values',
    {securityContext: {supplementalGroupsPolicy: 'x', seLinuxChangePolicy: 'MountOption'}},
    [
      'securityContext.supplementalGroupsPolicy: Unsupported value: "x": supported values: "Merge", "Strict"',
      'securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ],
  ],
  [
    'a Windows pod has none of the options of Linux',
    {
      os: {name: 'windows'},
      resources: {limits: {cpu: '1'}},
      securityContext: {appArmorProfile: {type: 'Unconfined'}, supplementalGroupsPolicy: 'Merge', seLinuxChangePolicy: 'Recursive'},
    },
    [
      'resources: Forbidden: may not be set for a windows pod',
      'securityContext.appArmorProfile: Forbidden: cannot be set for a windows pod',
      'securityContext.supplementalGroupsPolicy: Forbidden: cannot be set for a windows pod',
      'securityContext.seLinuxChangePolicy: Forbidden: cannot be set for a windows pod',
    ],
  ],
  ['an image is mounted', {...volumeOf({image: {reference: 'files:1'}}), ...mainWith({volumeMounts: [{name: 'v', mountPath: '/v'}]})}, []],
  [
    'an image that is mounted has a reference and a known pull policy',
    volumeOf({image: {pullPolicy: 'x'}}),
    [
      'volumes[0].image.reference: Required value',
      'volumes[0].image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  [
    'what is read-only below a mount needs a read-only mount',
    {
      ...volumeOf({emptyDir: {}}),
      ...mainWith({
        volumeMounts: [
          {name: 'v', mountPath: '/v', recursiveReadOnly: 'Enabled'},
          {name: 'v', mountPath: '/w', recursiveReadOnly: 'x'},
        ],
      }),
    },
    [
      'containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      'containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "x": supported values: "Disabled", "Enabled", "IfPossible"',
    ],
  ],
  [
    'a bundle of a signer is mounted',
    projectionOf({clusterTrustBundle: {signerName: 'a.example/b', labelSelector: {}, path: 'ca.pem'}}),
    [],
  ],
  [
    'a mounted bundle is named, or that of a signer',
    projectionOf({clusterTrustBundle: {name: 'a:b', signerName: 'a.b/c', path: ''}}),
    [
      'volumes[0].projected.sources[0].clusterTrustBundle: Invalid value: {"name":"a:b","signerName":"a.b/c","path":""}: only one of name and signerName may be used',
      'volumes[0].projected.sources[0].clusterTrustBundle.path: Required value',
    ],
  ],
  [
    'a bundle that is named needs no labels',
    projectionOf({clusterTrustBundle: {name: 'x', labelSelector: {}, path: '../x'}}),
    [
      'volumes[0].projected.sources[0].clusterTrustBundle.labelSelector: Invalid value: {}: labelSelector must be unset if name is specified',
      'volumes[0].projected.sources[0].clusterTrustBundle.path: Invalid value: "../x": must not contain \'..\'',
    ],
  ],
  [
    'a certificate of the pod is mounted',
    projectionOf({podCertificate: {signerName: 'a.example/b', keyType: 'ED25519', credentialBundlePath: 'all.pem'}}),
    [],
  ],
  [
    'a certificate of the pod has a signer, a kind of key, a lifetime and a file',
    projectionOf({podCertificate: {signerName: 'kubernetes.io/x', keyType: 'DSA', maxExpirationSeconds: 90_000}}),
    [
      'volumes[0].projected.sources[0].podCertificate.keyType: Unsupported value: "DSA": supported values: "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519", "RSA3072", "RSA4096"',
      'volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 90000: if provided, maxExpirationSeconds must be <= 86400',
      'volumes[0].projected.sources[0].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
    ],
  ],
  ['variables have names of all printable characters', mainWith({env: [{name: '1 a:b', value: 'x'}]}), []],
  [
    'names of variables have no equals sign',
    mainWith({env: [{name: 'a=b'}]}),
    [
      'containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
    ],
  ],
  ['a variable has the addresses of the node', mainWith({env: [{name: 'a', valueFrom: {fieldRef: {fieldPath: 'status.hostIPs'}}}]}), []],
  [
    'a variable is read from a file of an empty volume',
    {
      volumes: [
        {name: 'e', emptyDir: {}},
        {name: 'h', hostPath: {path: '/x'}},
      ],
      ...mainWith({
        env: [
          {name: 'a', valueFrom: {fileKeyRef: {volumeName: 'e', path: 'f', key: 'k'}}},
          {name: 'b', valueFrom: {fileKeyRef: {volumeName: 'h', path: '../f', key: 'k=l'}}},
          {name: 'c', valueFrom: {fileKeyRef: {volumeName: 'none', path: '', key: ''}}},
          {name: 'd', valueFrom: {}},
        ],
      }),
    },
    [
      'containers[0].env[1].valueFrom.fileKeyRef.key: Invalid value: "k=l": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      'containers[0].env[1].valueFrom.fileKeyRef.path: Invalid value: "../f": must not contain \'..\'',
      'containers[0].env[2].valueFrom.fileKeyRef.key: Required value',
      'containers[0].env[2].valueFrom.fileKeyRef.path: Required value',
      'containers[0].env[3].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      'containers[0].env[1].valueFrom.fileKeyRef.volumeName: Invalid value: "h": referenced volume must be of type emptyDir',
      'containers[0].env[2].valueFrom.fileKeyRef.volumeName: Not found: "none"',
    ],
  ],
  [
    'a pod requests at least what its containers do',
    {
      resources: {requests: {cpu: '1', memory: '1'}, limits: {cpu: '1'}},
      ...mainWith({resources: {requests: {cpu: '2'}, limits: {cpu: '2'}}}),
    },
    [
      'resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      'resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
    ],
  ],
  [
    'a pod as a whole has few resources',
    {resources: {limits: {'ephemeral-storage': '1'}}},
    ['resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"'],
  ],
  [
    'label keys of an affinity term need a selector',
    affinityOf({matchLabelKeys: ['a']}),
    [`${term.slice('spec.'.length)}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`],
  ],
  [
    'label keys match or mismatch',
    affinityOf({labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a']}),
    [`${term.slice('spec.'.length)}.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`],
  ],
  ['a search domain has underscores', {dnsConfig: {searches: ['_sip.example.', '.']}}, []],
  [
    'the name of the host is given once',
    {hostnameOverride: 'a'.repeat(65), setHostnameAsFQDN: true, hostNetwork: true},
    [
      'hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      'hostnameOverride: Too long: may not be more than 64 bytes',
    ],
  ],
  ['tolerations compare numbers', {tolerations: [{key: 'a', operator: 'Gt', value: '-10', effect: 'NoSchedule'}]}, []],
  [
    'tolerations compare whole numbers',
    {tolerations: [{key: 'a', operator: 'Lt', value: '010'}]},
    ['tolerations[0].value: Invalid value: "010": must be a valid decimal integer in canonical form'],
  ],
  [
    'claims come from one place, and containers use each once',
    {
      resourceClaims: [
        {name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y'},
        {name: 'b'},
        {name: 'c', resourceClaimName: 'x'},
      ],
      ...mainWith({resources: {claims: [{name: 'c', request: 'r'}, {name: 'c', request: 'r'}, {name: 'c'}]}}),
    },
    [
      'resourceClaims[0]: Invalid value: {"name":"a","resourceClaimName":"x","resourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      'resourceClaims[1]: Invalid value: {"name":"b"}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
      'containers[0].resources.claims[1]: Duplicate value: "c/r"',
      'containers[0].resources.claims[2]: Duplicate value: "c"',
    ],
  ],
  [
    'a group of pods has a name',
    {schedulingGroup: {}},
    ['schedulingGroup.podGroupName: Invalid value: null: must specify one of: `podGroupName`'],
  ],
];

for (const [title, spec, faults] of cases) {
  test(`pods of 1.36: ${title}`, async (t) => {
    const response = await client().post(pods, podOf(spec));
    if (faults.length === 0) t.is(response.status, 201, response.body.toString());
    else t.deepEqual(causesOf(response).sort(), faults.map((text) => `spec.${text}`).sort(), response.body.toString());
  });
}

test('labels of a new pod become part of the selectors whose keys it names', async (t) => {
  const spec = {
    ...affinityOf({labelSelector: {matchLabels: {app: 'a'}}, matchLabelKeys: ['hash', 'none'], mismatchLabelKeys: ['tenant']}),
    topologySpreadConstraints: [
      {maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, matchLabelKeys: ['hash']},
    ],
  };
  const made = (await client().post(pods, podOf(spec, {labels: {hash: '1', tenant: 't'}}))).json<Pod>();
  t.deepEqual(made.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector?.matchExpressions, [
    {key: 'hash', operator: 'In', values: ['1']},
    {key: 'tenant', operator: 'NotIn', values: ['t']},
  ]);
  t.deepEqual(made.spec?.topologySpreadConstraints?.[0]?.labelSelector?.matchExpressions, [{key: 'hash', operator: 'In', values: ['1']}]);
  const twice = podOf(affinityOf({labelSelector: {matchLabels: {hash: '1'}}, matchLabelKeys: ['hash']}), {labels: {hash: '1'}});
  t.deepEqual(causesOf(await client().post(pods, twice)), [
    `${term}[0]: Invalid value: "hash": exists in both matchLabelKeys and labelSelector`,
  ]);
});

test('a gated pod says so, and its placement can only be narrowed until the gates are gone', async (t) => {
  const terms = (...matchExpressions: object[]) => ({
    nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions}]}},
  });
  const [zone, disk] = [
    {key: 'zone', operator: 'In', values: ['a']},
    {key: 'disk', operator: 'Exists'},
  ];
  const gated = podOf({schedulingGates: [{name: 'a/b'}, {name: 'a/c'}], nodeSelector: {a: 'b'}, affinity: terms(zone)});
  const path = `${pods}/${gated.metadata.name}`;
  const made = (await client().post(pods, gated)).json<Pod>();
  t.like(made.status?.conditions?.[0], {type: 'PodScheduled', status: 'False', reason: 'SchedulingGated'});
  const put = async (changes: object) =>
    client().put(path, {...made, metadata: {name: made.metadata.name}, spec: {...made.spec, ...changes}});
  t.deepEqual(causesOf(await put({schedulingGates: [{name: 'a/d'}]})), [
    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/d'",
  ]);
  t.deepEqual(causesOf(await put({nodeSelector: {c: 'd'}, affinity: terms(disk)})), [
    'spec.nodeSelector: Invalid value: {"c":"d"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: {"matchExpressions":[{"key":"disk","operator":"Exists"}]}: only additions are allowed (no mutations or deletions)',
  ]);
  const narrower = {nodeSelector: {a: 'b', c: 'd'}, affinity: terms(zone, disk), schedulingGates: [{name: 'a/c'}]};
  t.is((await put(narrower)).status, 200);
  t.is((await put({...narrower, schedulingGates: []})).status, 200);
  t.regex(
    causesOf(await put({...narrower, schedulingGates: [], nodeSelector: {a: 'b'}}))[0]!,
    /^spec: Forbidden: pod updates may not change fields other than/,
  );
});

test('annotations of AppArmor become fields of a new pod, with a warning', async (t) => {
  const key = 'container.apparmor.security.beta.kubernetes.io/main';
  const pod = podOf({}, {annotations: {[key]: 'localhost/strict'}});
  const response = await client().post(pods, pod);
  t.deepEqual(response.json<Pod>().spec?.containers?.[0]?.securityContext?.appArmorProfile, {
    type: 'Localhost',
    localhostProfile: 'strict',
  });
  t.regex(String(response.headers['warning']), /deprecated since v1\.30; use the \\"appArmorProfile\\" field instead/);
  const other = podOf(mainWith({securityContext: {appArmorProfile: {type: 'Unconfined'}}}), {annotations: {[key]: 'runtime/default'}});
  t.deepEqual(causesOf(await client().post(pods, other)), [
    'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
  ]);
});

test('resources of the pod as a whole have defaults and make its class', async (t) => {
  const spec = {resources: {limits: {cpu: '2', memory: '1Gi'}}, ...mainWith({resources: {requests: {cpu: '1'}}})};
  const made = (await client().post(pods, podOf(spec))).json<Pod>();
  t.deepEqual(made.spec?.resources?.requests, {cpu: '1', memory: '1Gi'});
  t.is(made.status?.qosClass, 'Burstable');
  const same = (await client().post(pods, podOf({resources: {limits: {cpu: '2', memory: '1Gi'}}}))).json<Pod>();
  t.is(same.status?.qosClass, 'Guaranteed');
});

test('the status of a pod of 1.36 is checked', async (t) => {
  const pod = podOf({restartPolicy: 'Never', ...mainWith({restartPolicy: 'Never', ...rule({operator: 'In', values: [42]})})});
  const path = `${pods}/${pod.metadata.name}/status`;
  const made = (await client().post(pods, pod)).json<Pod>();
  const put = async (status: object) =>
    client().put(path, {...made, metadata: {name: made.metadata.name}, status: {...made.status, ...status}});
  const ended = (exitCode: number) => ({containerStatuses: [{name: 'main', state: {terminated: {exitCode}}}]});
  const running = {containerStatuses: [{name: 'main', state: {running: {}}}]};
  const faults = causesOf(
    await put({
      hostIP: '10.0.0.1',
      hostIPs: [{ip: '10.0.0.2'}, {ip: '10.0.0.3'}],
      observedGeneration: -1,
      resourceClaimStatuses: [{name: 'x', resourceClaimName: 'y'}],
      ephemeralContainerStatuses: [{name: 'e', allocatedResourcesStatus: [{name: 'a'}]}],
      containerStatuses: [
        {
          name: 'main',
          user: {linux: {uid: -1, gid: 1}},
          allocatedResourcesStatus: [{name: 'a', resources: [{resourceID: 'r', health: 'x'}]}],
        },
      ],
    }),
  );
  t.deepEqual(faults.sort(), [
    'status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "a": must match one of the container\'s resource requests',
    'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "x": supported values: "Healthy", "Unhealthy", "Unknown"',
    'status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status',
    'status.hostIPs: Invalid value: [{"ip":"10.0.0.2"},{"ip":"10.0.0.3"}]: may specify no more than one IP for each IP family',
    'status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`',
    'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    'status.resourceClaimStatuses[0].name: Invalid value: "x": must match the name of an entry in `spec.resourceClaims`',
  ]);
  t.is((await put(ended(42))).status, 200);
  t.is((await put(running)).status, 200, 'its rule restarts it');
  t.is((await put(ended(1))).status, 200);
  t.deepEqual(causesOf(await put(running)), [
    'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
  ]);
});

test('the table counts sidecars among the containers that are ready', async (t) => {
  const pod = podOf(initWith({restartPolicy: 'Always'}));
  const made = (await client().post(pods, pod)).json<Pod>();
  const path = `${pods}/${pod.metadata.name}`;
  const running = {ready: true, started: true, restartCount: 1, state: {running: {}}};
  const status = {
    ...made.status,
    phase: 'Running',
    initContainerStatuses: [{name: 'init', ...running}],
    containerStatuses: [{name: 'main', ...running, ready: false}],
  };
  t.is((await client().put(`${path}/status`, {...made, metadata: {name: made.metadata.name}, status})).status, 200);
  const table = await client().get(path, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}});
  t.deepEqual(table.json<{rows: {cells: unknown[]}[]}>().rows[0]!.cells.slice(1, 4), ['1/2', 'Running', '2']);
});
