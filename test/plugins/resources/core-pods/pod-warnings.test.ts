import test from 'ava';
import type {TestResponse} from '@orch-api/orch/testing';
import {servedGroup} from '../served-group.js';

const client = servedGroup(test, {platform: 'kubernetes', release: '1.36', disableAdmissionPlugins: ['ServiceAccount']});

/** The texts of the warnings of an answer. */
function warningsOf({headers}: TestResponse): string[] {
  return [headers['warning'] ?? []]
    .flat()
    .flatMap((line) =>
      [...String(line).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
        text!.replaceAll(/\\(.)/g, '$1').replace(/(?<=a DNS label is recommended): .*/, ''),
      ),
    );
}

const image = 'one:1';
const path = '/api/v1/namespaces/default/pods?dryRun=All';

const cases: readonly {readonly of: string; readonly spec: object; readonly metadata?: object; readonly warnings: readonly string[]}[] = [
  {
    of: 'labels of nodes that are deprecated',
    spec: {
      nodeSelector: {'beta.kubernetes.io/arch': 'amd64', 'node-role.kubernetes.io/master': ''},
      topologySpreadConstraints: [
        {maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, topologyKey: 'failure-domain.beta.kubernetes.io/zone'},
      ],
    },
    warnings: [
      'spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead',
      'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ],
  },
  {
    of: 'kinds of volumes that are given up',
    spec: {
      volumes: [
        {name: 'a', gitRepo: {repository: 'r'}},
        {name: 'b', glusterfs: {endpoints: 'e', path: 'p'}},
      ],
    },
    warnings: [
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.volumes[1].glusterfs: deprecated in v1.25, non-functional in v1.26+',
    ],
  },
  {
    of: 'files of a volume that hide each other',
    spec: {
      volumes: [
        {
          name: 'all',
          projected: {
            sources: [
              {configMap: {name: 'c', items: [{key: 'k', path: 'a'}]}},
              {secret: {name: 's', items: [{key: 'k', path: 'a/b'}]}},
              {downwardAPI: {items: [{path: 'ab', fieldRef: {fieldPath: 'metadata.name'}}]}},
            ],
          },
        },
      ],
    },
    warnings: ['volume "all" (Projected): overlapping paths: "a/b" (Secret "s") with "a" (ConfigMap "c")'],
  },
  {
    of: 'ports that are declared several times',
    spec: {
      containers: [
        {name: 'one', image, ports: [{containerPort: 80, name: 'web', hostIP: '10.0.0.1'}]},
        {name: 'two', image, ports: [{containerPort: 80, name: 'web', hostPort: 8080}]},
      ],
    },
    warnings: [
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:web HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
      'spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[0]: duplicate port name "web" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  },
  {
    of: 'variables that hide others, and fractions of bytes',
    spec: {
      containers: [
        {
          name: 'one',
          image,
          env: [
            {name: 'PATH', value: '/bin'},
            {name: 'PATH', value: '$(PATH):/opt'},
            {name: 'PATH', value: '/tmp'},
          ],
          resources: {requests: {memory: '1500m'}},
        },
      ],
    },
    warnings: [
      'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.containers[0].env[2]: hides previous definition of "PATH", which may be dropped when using apply',
    ],
  },
  {
    of: 'annotations without effect, and names that are no host names',
    spec: {imagePullSecrets: [{name: 'a'}, {name: 'a'}]},
    metadata: {
      name: 'a.b',
      annotations: {'scheduler.alpha.kubernetes.io/critical-pod': '', 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default'},
    },
    warnings: [
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended",
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
  },
  {
    of: 'addresses in another form than they should have',
    spec: {hostAliases: [{ip: '2001:DB8::1'}], dnsPolicy: 'None', dnsConfig: {nameservers: ['FE80::1']}},
    warnings: [
      'spec.dnsConfig.nameservers[0]: IPv6 address "FE80::1" should be in RFC 5952 canonical format ("fe80::1")',
      'spec.hostAliases[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ],
  },
];

for (const {of, spec, metadata, warnings} of cases) {
  test(`a new pod is warned of ${of}, and so is a template with its own paths`, async (t) => {
    const whole = {containers: [{name: 'one', image}], ...spec};
    const pod = await client().post(path, {metadata: {name: 'p', ...metadata}, spec: whole});
    t.is(pod.status, 201, pod.body.toString());
    t.deepEqual(warningsOf(pod).toSorted(), [...warnings].toSorted());

    const {name: _name, ...ofTemplate} = {name: '', ...metadata};
    const template = {metadata: ofTemplate, spec: whole};
    const response = await client().post('/api/v1/namespaces/default/podtemplates?dryRun=All', {metadata: {name: 't'}, template});
    t.is(response.status, 201, response.body.toString());
    const expected = warnings
      .filter((text) => !text.startsWith('metadata.name'))
      .map((text) => text.replaceAll(/(?<=^|with |use )(?=spec\.|metadata\.)/g, 'template.'));
    t.deepEqual(warningsOf(response).toSorted(), expected.toSorted());
  });
}

test('a template is warned of when it is new or another, not with each change of its owner', async (t) => {
  const template = {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image}], hostAliases: [{ip: '::FFFF'}]}};
  const url = '/apis/apps/v1/namespaces/default/deployments';
  const made = await client().post(url, {metadata: {name: 'a.b'}, spec: {selector: {matchLabels: {a: 'b'}}, template}});
  const address = (ip: string) =>
    `spec.template.spec.hostAliases[0].ip: IPv6 address "${ip}" should be in RFC 5952 canonical format ("${ip.toLowerCase()}")`;
  t.deepEqual(warningsOf(made), [
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended',
    address('::FFFF'),
  ]);
  t.deepEqual(warningsOf(await client().patch(`${url}/a.b`, {metadata: {labels: {x: 'y'}}})), []);
  const changed = await client().patch(`${url}/a.b`, {spec: {template: {spec: {hostAliases: [{ip: '::FFFE'}]}}}});
  t.deepEqual(warningsOf(changed), [address('::FFFE')]);
});

const others: readonly {readonly kind: string; readonly path: string; readonly object: object; readonly warnings: readonly string[]}[] = [
  {
    kind: 'PersistentVolume',
    path: '/api/v1/persistentvolumes',
    object: {
      metadata: {annotations: {'volume.beta.kubernetes.io/mount-options': 'ro'}},
      spec: {
        capacity: {storage: '1Gi'},
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Recycle',
        nfs: {server: 's', path: '/p'},
        nodeAffinity: {
          required: {nodeSelectorTerms: [{matchExpressions: [{key: 'beta.kubernetes.io/os', operator: 'Exists'}]}]},
        },
      },
    },
    warnings: [
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
  },
  {
    kind: 'PersistentVolumeClaim',
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    object: {
      metadata: {annotations: {'volume.beta.kubernetes.io/storage-class': 'fast'}},
      spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1500m'}}},
    },
    warnings: [
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ],
  },
  {
    kind: 'StorageClass',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    object: {
      provisioner: 'disk.example',
      allowedTopologies: [{matchLabelExpressions: [{key: 'failure-domain.beta.kubernetes.io/region', values: ['a']}]}],
    },
    warnings: ['allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  },
  {
    kind: 'RuntimeClass',
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    object: {handler: 'h', scheduling: {nodeSelector: {'beta.kubernetes.io/instance-type': 'x'}}},
    warnings: ['scheduling.nodeSelector: deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  },
  {
    kind: 'Ingress',
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    object: {
      metadata: {annotations: {'kubernetes.io/ingress.class': 'c'}},
      spec: {defaultBackend: {service: {name: 's', port: {number: 80}}}},
    },
    warnings: [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`],
  },
  {
    kind: 'ResourceQuota',
    path: '/api/v1/namespaces/default/resourcequotas',
    object: {spec: {hard: {cpu: '2', 'limits.cpu': '1', 'requests.memory': '1Gi', 'limits.memory': '1Gi'}}},
    warnings: ['ResourceQuota cpu (2) should be less than limits.cpu (1)'],
  },
  {
    kind: 'Job',
    path: '/apis/batch/v1/namespaces/default/jobs',
    object: {
      spec: {
        completionMode: 'Indexed',
        completions: 100_001,
        parallelism: 10_001,
        template: {spec: {containers: [{name: 'c', image}], restartPolicy: 'Never'}},
      },
    },
    warnings: [
      'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
    ],
  },
];

for (const {kind, path: url, object, warnings} of others) {
  test(`a new ${kind} is warned of what is given up or probably a mistake in it`, async (t) => {
    const {metadata, ...rest} = {metadata: {}, ...object};
    const response = await client().post(`${url}?dryRun=All`, {metadata: {name: 'one', ...metadata}, ...rest});
    t.is(response.status, 201, response.body.toString());
    t.deepEqual(warningsOf(response), [...warnings]);
  });
}
