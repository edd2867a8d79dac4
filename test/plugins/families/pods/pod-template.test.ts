import test from 'ava';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {applyPodTemplateDefaults, validatePodTemplateSpec} from '../../../../plugins/families/pods/pod-template.js';
import {dropDisabledPodFields} from '../../../../plugins/families/pods/disabled-fields.js';
import {fieldErrorText, FieldPath} from '../../../../sdk/index.js';
import type {Container, PodSpec, PodTemplateSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {container, containerFaults, faultsOf, noGates, specFaults, template} from './template-faults.js';

test('a plain template has no faults', (t) => {
  t.deepEqual(faultsOf(template()), []);
});

test('a pod needs a container, with a name and an image', (t) => {
  t.deepEqual(specFaults({containers: []}), ['t.spec.containers: Required value']);
  t.deepEqual(containerFaults({name: '', image: ''}), [
    't.spec.containers[0].name: Required value',
    't.spec.containers[0].image: Required value',
  ]);
});

test('labels and annotations are members of the template in messages', (t) => {
  const [label, ...others] = faultsOf(template({}, {labels: {a: 'not ok'}}));
  t.regex(label!, /^t\.labels: Invalid value: "not ok"/);
  t.deepEqual(others, []);
});

/** A container's members, and what is wrong with them below `t.spec.containers[0]`. */
const containers: [string, Partial<Container>, (string | RegExp)[]][] = [
  [
    'a pull policy is one of three',
    {imagePullPolicy: 'Often'},
    ['.imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"'],
  ],
  [
    'ports have a number, a protocol and names of their own',
    {
      ports: [
        {name: 'p', containerPort: 1, protocol: 'TCP'},
        {name: 'p', containerPort: 70000, protocol: 'TCP'},
        {name: 'A', protocol: 'X'},
      ],
    },
    [
      '.ports[1].name: Duplicate value: "p"',
      '.ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      /^\.ports\[2\]\.name: Invalid value: "A": must contain only/,
      /^\.ports\[2\]\.name: Invalid value: "A": must contain at least one letter/,
      '.ports[2].containerPort: Required value',
      '.ports[2].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ],
  ],
  [
    'a port of the machine is taken once',
    {
      ports: [
        {containerPort: 1, hostPort: 80, protocol: 'TCP'},
        {containerPort: 2, hostPort: 80, protocol: 'TCP'},
        {containerPort: 3, hostPort: 80, protocol: 'UDP'},
      ],
    },
    ['.ports[1].hostPort: Duplicate value: "TCP//80"'],
  ],
  [
    'a variable has a value or one source',
    {
      env: [
        {name: 'A', value: 'x', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
        {name: 'B', valueFrom: {}},
        {name: 'C', valueFrom: {fieldRef: {apiVersion: 'v1', fieldPath: 'spec.restartPolicy'}}},
        {name: 'D', valueFrom: {fieldRef: {apiVersion: 'v1', fieldPath: "metadata.labels['a b']"}}},
        {name: 'E', valueFrom: {resourceFieldRef: {resource: 'limits.cpu', divisor: '3'}}},
        {name: 'F', valueFrom: {configMapKeyRef: {}}},
      ],
    },
    [
      '.env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
      '.env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      /^\.env\[2\]\.valueFrom\.fieldRef\.fieldPath: Unsupported value: "spec.restartPolicy"/,
      /^\.env\[3\]\.valueFrom\.fieldRef: Invalid value: "a b": name part must consist/,
      '.env[4].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
      /^\.env\[5\]\.valueFrom\.configMapKeyRef\.name: Invalid value: "": a lowercase RFC 1123 subdomain/,
      '.env[5].valueFrom.configMapKeyRef.key: Required value',
    ],
  ],
  [
    'a probe does one thing',
    {
      livenessProbe: {successThreshold: 2, exec: {command: []}, tcpSocket: {port: 'x y'}},
      readinessProbe: {terminationGracePeriodSeconds: 5, httpGet: {path: '/', port: 0, scheme: 'HTTP'}},
      startupProbe: {successThreshold: 1, periodSeconds: -1},
    },
    [
      '.livenessProbe.exec.command: Required value',
      '.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
      '.livenessProbe.successThreshold: Invalid value: 2: must be 1',
      '.readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      '.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
      '.startupProbe: Required value: must specify a handler type',
      '.startupProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'requests are within limits; what cannot be shared is limited',
    {
      resources: {
        limits: {cpu: '1', 'hugepages-2Mi': '3Mi'},
        requests: {cpu: '2', 'example.com/gpu': '1500m', pods: '-1', 'kubernetes.io/x': '1'},
      },
    },
    [
      '.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      '.resources.requests[example.com/gpu]: Invalid value: "1500m": must be an integer',
      '.resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers',
      '.resources.requests[pods]: Invalid value: "-1": must be greater than or equal to 0',
      '.resources.requests: Invalid value: "2": must be less than or equal to cpu limit',
      '.resources.limits: Required value: Limit must be set for non overcommitable resources',
    ],
  ],
  [
    'mounts are of volumes that are there, at places of their own',
    {
      volumeMounts: [
        {name: 'v', mountPath: '/a', subPath: '../x'},
        {name: 'w', mountPath: '/a', mountPropagation: 'Bidirectional'},
      ],
    },
    [
      '.volumeMounts[0].subPath: Invalid value: "../x": must not contain \'..\'',
      '.volumeMounts[1].name: Not found: "w"',
      '.volumeMounts[1].mountPath: Invalid value: "/a": must be unique',
      '.volumeMounts[1].mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ],
  ],
  [
    'privileges are not contradictory',
    {securityContext: {privileged: true, allowPrivilegeEscalation: false, runAsUser: -1, seccompProfile: {type: 'Localhost'}}},
    [
      '.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      '.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      /^\.securityContext: Invalid value: .*: cannot set `allowPrivilegeEscalation` to false and `privileged` to true$/,
    ],
  ],
];

for (const [title, members, expected] of containers) {
  test(`containers: ${title}`, (t) => {
    const found = containerFaults(members, [{name: 'v', emptyDir: {}}]).map((text) => text.replace('t.spec.containers[0]', ''));
    t.is(found.length, expected.length, found.join('\n'));
    for (const [index, text] of expected.entries()) {
      if (typeof text === 'string') t.is(found[index], text);
      else t.regex(found[index]!, text);
    }
  });
}

/** Members of a spec, and all that is wrong with them below `t.spec`. */
const specs: [string, Partial<PodSpec>, string[]][] = [
  ['names of all containers are different', {initContainers: [container()]}, ['initContainers[0].name: Duplicate value: "main"']],
  [
    'init containers have no hooks and probes',
    {initContainers: [container({name: 'i', lifecycle: {}, startupProbe: {}})]},
    [
      'initContainers[0].lifecycle: Forbidden: may not be set for init containers',
      'initContainers[0].startupProbe: Forbidden: may not be set for init containers',
    ],
  ],
  [
    'a template has no ephemeral containers',
    {ephemeralContainers: [container({name: 'e'})]},
    ['ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
  ],
  [
    'a resolver of its own needs a server',
    {dnsPolicy: 'None', dnsConfig: {searches: ['-'], options: [{}]}},
    [
      'dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
      "dnsConfig.searches[0]: Invalid value: \"-\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'dnsConfig.options[0]: Required value: must not be empty',
    ],
  ],
  [
    'tolerations say what they tolerate',
    {tolerations: [{operator: 'Equal'}, {key: 'a', operator: 'Exists', value: 'x', effect: 'Now', tolerationSeconds: 1}]},
    [
      'tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'tolerations[1].effect: Invalid value: "Now": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      'tolerations[1].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
      'tolerations[1].effect: Unsupported value: "Now": supported values: "NoExecute", "NoSchedule", "PreferNoSchedule"',
    ],
  ],
  [
    'affinity has terms, weights and topology keys',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []},
          preferredDuringSchedulingIgnoredDuringExecution: [
            {weight: 101, preference: {matchFields: [{key: 'metadata.uid', operator: 'Exists'}]}},
          ],
        },
        podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: 'zone', namespaces: ['x']}]},
      },
    },
    [
      'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key',
    ],
  ],
  [
    'spreading needs a skew, a key and a way out, each pair once',
    {
      topologySpreadConstraints: [
        {maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1},
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'ScheduleAnyway',
          matchLabelKeys: ['app'],
          labelSelector: {matchLabels: {app: 'x'}},
        },
      ],
    },
    [
      'topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
      'topologySpreadConstraints[1].matchLabelKeys[0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
      'topologySpreadConstraints[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, ScheduleAnyway}"',
    ],
  ],
  [
    'a Windows pod has no settings of Linux',
    {os: {name: 'windows'}, hostPID: true, securityContext: {runAsUser: 1}},
    ['hostPID: Forbidden: cannot be set for a windows pod', 'securityContext.runAsUser: Forbidden: cannot be set for a windows pod'],
  ],
  [
    'a Linux pod has no settings of Windows',
    {os: {name: 'linux'}, securityContext: {windowsOptions: {}}},
    ['securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
  ],
  ['an operating system is one of two', {os: {name: 'beos'}}, ['os: Unsupported value: "beos": supported values: "linux", "windows"']],
  [
    'users of its own keep a pod off the machine',
    {hostUsers: false, hostNetwork: true, volumes: [{name: 'h', hostPath: {path: '/x'}}]},
    [
      'volumes[0]: Forbidden: volume type not supported when `pod.Spec.HostUsers` is false',
      'hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false',
    ],
  ],
  [
    'with the network of the machine ports are the same inside and outside',
    {hostNetwork: true, containers: [container({ports: [{containerPort: 80, hostPort: 8080, protocol: 'TCP'}]})]},
    ['containers[0].ports[0].containerPort: Invalid value: 80: must match `hostPort` when `hostNetwork` is true'],
  ],
  [
    'deadlines are positive',
    {activeDeadlineSeconds: 0},
    ['activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  [
    'system controls have names of their own',
    {securityContext: {sysctls: [{name: 'a.b'}, {name: 'a.b'}, {}]}},
    ['securityContext.sysctls[1].name: Duplicate value: "a.b"', 'securityContext.sysctls[2].name: Required value'],
  ],
  [
    'claims of devices have one source and are used by name',
    {resourceClaims: [{name: 'c', source: {}}], containers: [container({resources: {claims: [{name: 'd'}]}})]},
    [
      'resourceClaims[0].source: Invalid value: {}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
      'containers[0].resources.claims[0]: Not found: "d": must be one of the names in pod.spec.resourceClaims: c',
    ],
  ],
];

for (const [title, spec, expected] of specs) {
  test(`pod specs: ${title}`, (t) => {
    t.deepEqual(
      specFaults(spec),
      expected.map((text) => `t.spec.${text}`),
    );
  });
}

test('privileged containers need the permission of the server', (t) => {
  const value = template({containers: [container({securityContext: {privileged: true}})]});
  const faults = validatePodTemplateSpec(value, FieldPath.of('t'), {naming: kubernetes, gates: noGates, allowPrivileged: false}).map(
    fieldErrorText,
  );
  t.deepEqual(faults, ['t.spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy']);
  t.deepEqual(faultsOf(value), []);
});

test('annotations about security agree with the fields', (t) => {
  const annotations = {
    'container.apparmor.security.beta.kubernetes.io/other': 'runtime/default',
    'container.apparmor.security.beta.kubernetes.io/main': 'mine',
    'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
  };
  t.deepEqual(faultsOf(template({securityContext: {seccompProfile: {type: 'RuntimeDefault'}}}, {annotations})), [
    't.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
    't.annotations[container.apparmor.security.beta.kubernetes.io/main]: Invalid value: "mine": invalid AppArmor profile name: "mine"',
    't.spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
  ]);
});

test('an image without a tag, or with the tag latest, is always pulled', (t) => {
  const rows = {
    web: 'Always',
    'web:latest': 'Always',
    'web:1': 'IfNotPresent',
    'host:5000/web': 'Always',
    'host:5000/web:2': 'IfNotPresent',
    [`web@sha256:${'ab'.repeat(32)}`]: 'IfNotPresent',
    [`web:latest@sha256:${'ab'.repeat(32)}`]: 'Always',
    'web:latest@sha256:ab': 'IfNotPresent',
  };
  for (const [image, expected] of Object.entries(rows)) {
    const value: PodTemplateSpec = {spec: {containers: [{name: 'c', image}]}};
    applyPodTemplateDefaults(value);
    t.is(value.spec?.containers?.[0]?.imagePullPolicy, expected, image);
  }
});

test('defaults that depend on other fields are filled in once', (t) => {
  const value: PodTemplateSpec = {
    spec: {
      serviceAccount: 'robot',
      hostNetwork: true,
      volumes: [{name: 'v'}, {name: 'w', secret: {}}],
      containers: [{name: 'c', image: 'i:1', ports: [{containerPort: 80}], resources: {limits: {cpu: '100u'}}}],
      ephemeralContainers: [{name: 'e', image: 'i:1'}],
    },
  };
  applyPodTemplateDefaults(value);
  const once = structuredClone(value);
  t.is(value.spec?.serviceAccountName, 'robot');
  t.deepEqual(value.spec?.volumes, [
    {name: 'v', emptyDir: {}},
    {name: 'w', secret: {}},
  ]);
  t.deepEqual(value.spec?.containers?.[0]?.ports, [{containerPort: 80, hostPort: 80}]);
  t.deepEqual(value.spec?.containers?.[0]?.resources, {limits: {cpu: '1m'}});
  t.is(value.spec?.ephemeralContainers?.[0]?.terminationMessagePolicy, 'File');
  applyPodTemplateDefaults(value);
  t.deepEqual(value, once);
});

test('fields of features that are off are dropped, unless they are stored', (t) => {
  const gated = (): PodSpec => ({
    containers: [
      container({
        securityContext: {procMount: 'Unmasked'},
        resources: {claims: [{name: 'c'}]},
        livenessProbe: {periodSeconds: 1, terminationGracePeriodSeconds: 5},
        startupProbe: {terminationGracePeriodSeconds: 5},
        volumeMounts: [
          {name: 'files', mountPath: '/files'},
          {name: 'tmp', mountPath: '/tmp'},
        ],
      }),
    ],
    volumes: [
      {name: 'files', image: {reference: 'files:1'}},
      {name: 'tmp', emptyDir: {}},
    ],
    schedulingGates: [{name: 'g'}],
    hostUsers: false,
    topologySpreadConstraints: [{minDomains: 1, matchLabelKeys: ['a'], nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore'}],
    resourceClaims: [{name: 'c'}],
  });
  const off = {enabled: () => false};
  const dropped = gated();
  dropDisabledPodFields(dropped, undefined, off);
  t.deepEqual(dropped, {
    containers: [
      container({
        securityContext: {procMount: 'Default'},
        resources: {},
        livenessProbe: {periodSeconds: 1},
        startupProbe: {},
        volumeMounts: [{name: 'tmp', mountPath: '/tmp'}],
      }),
    ],
    volumes: [{name: 'tmp', emptyDir: {}}],
    topologySpreadConstraints: [{}],
  });
  const kept = gated();
  dropDisabledPodFields(kept, gated(), off);
  t.deepEqual(kept, gated());
  const on = gated();
  dropDisabledPodFields(on, undefined, {enabled: () => true});
  t.deepEqual(on, gated());
});

// A cause too many was seen once and could not be reproduced. What holds instead, for a container and for its pod:
test('faulty resources add no causes to those of a security context, and it none to theirs', (t) => {
  const contexts: Container['securityContext'][] = [
    {runAsUser: -1, runAsGroup: -1},
    {procMount: 'Odd', seccompProfile: {type: 'Localhost'}},
    {privileged: true, allowPrivilegeEscalation: false, capabilities: {add: ['CAP_SYS_ADMIN']}},
    {windowsOptions: {hostProcess: true, gmsaCredentialSpec: ''}},
  ];
  const resources: Container['resources'][] = [
    {limits: {cpu: '-1'}},
    {limits: {memory: '1'}, requests: {memory: '2'}},
    {requests: {'example.com/device': '1'}},
    {limits: {'hugepages-2Mi': '3Mi', 'a b': '1'}},
    {claims: [{name: 'none'}, {name: 'none'}]},
  ];
  const faults = (members: Partial<Container>, securityContext?: PodSpec['securityContext']) => {
    const value = template({containers: [container(members)], ...(securityContext ? {securityContext} : {})});
    applyPodTemplateDefaults(value);
    return faultsOf(value).sort();
  };
  const ofPod = {runAsUser: -1, fsGroup: -1, sysctls: [{}]};
  for (const securityContext of contexts)
    for (const wanted of resources) {
      const [ofContext, ofResources] = [faults({securityContext}), faults({resources: wanted})];
      t.true(ofContext.length > 0 && ofResources.length > 0);
      t.deepEqual(faults({securityContext, resources: wanted}), [...ofContext, ...ofResources].sort());
      t.deepEqual(
        faults({securityContext, resources: wanted}, ofPod),
        [...faults({securityContext}, ofPod), ...ofResources].sort(),
        JSON.stringify({securityContext, wanted}),
      );
    }
});
