import {ageColumn, column, nameColumn, wide, type WideTableCase} from './wide-table-case.js';

const ingressRule = (host: string) => ({
  host,
  http: {paths: [{path: '/', pathType: 'Prefix', backend: {service: {name: 'web', port: {number: 80}}}}]},
});
const nodeInfo = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '6.1.0',
  osImage: 'Debian 12',
  containerRuntimeVersion: 'containerd://1.7',
  kubeletVersion: 'v1.26.1',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
};
const claim = {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}, storageClassName: 'fast'};

/** Tables of services, nodes, volumes, access and events, by the column tables of the facts. */
export const clusterTables: readonly WideTableCase[] = [
  {
    path: '/api/v1/namespaces/NS/services',
    kind: 'Service',
    objects: [
      {object: {metadata: {name: 'db'}, spec: {clusterIP: 'None', selector: {tier: 'back', app: 'db'}, ports: [{port: 5432}]}}},
      {object: {metadata: {name: 'far'}, spec: {type: 'ExternalName', externalName: 'far.example'}}},
      {
        object: {
          metadata: {name: 'public'},
          spec: {type: 'LoadBalancer', clusterIP: '10.96.0.77', externalIPs: ['198.51.100.1'], ports: [{port: 80, nodePort: 30_080}]},
        },
        status: {loadBalancer: {ingress: [{hostname: 'lb.example'}, {ip: '192.0.2.9'}]}},
      },
      {
        object: {
          metadata: {name: 'waiting'},
          spec: {
            type: 'LoadBalancer',
            clusterIP: '10.96.0.78',
            allocateLoadBalancerNodePorts: false,
            ports: [
              {name: 'a', port: 53, protocol: 'UDP'},
              {name: 'b', port: 53},
            ],
          },
        },
      },
    ],
    columns: [nameColumn, column('Type'), column('Cluster-IP'), column('External-IP'), column('Port(s)'), ageColumn, wide('Selector')],
    rows: [
      ['db', 'ClusterIP', 'None', '<none>', '5432/TCP', 'AGE', 'app=db,tier=back'],
      ['far', 'ExternalName', '<none>', 'far.example', '<none>', 'AGE', '<none>'],
      ['public', 'LoadBalancer', '10.96.0.77', '192.0.2.9,lb.example,198.51.100.1', '80:30080/TCP', 'AGE', '<none>'],
      ['waiting', 'LoadBalancer', '10.96.0.78', '<pending>', '53/UDP,53/TCP', 'AGE', '<none>'],
    ],
  },
  {
    path: '/api/v1/namespaces/NS/endpoints',
    kind: 'Endpoints',
    objects: [
      {
        object: {
          metadata: {name: 'many'},
          subsets: [
            {addresses: [{ip: '10.1.0.1'}, {ip: '10.1.0.2'}], notReadyAddresses: [{ip: '10.1.0.9'}], ports: [{port: 80}]},
            {addresses: [{ip: 'fd00::3'}, {ip: 'fd00::4'}], ports: [{port: 81}]},
          ],
        },
      },
      {object: {metadata: {name: 'none'}}},
    ],
    columns: [nameColumn, column('Endpoints'), ageColumn],
    rows: [
      ['many', '10.1.0.1:80,10.1.0.2:80,[fd00::3]:81 + 1 more...', 'AGE'],
      ['none', '<none>', 'AGE'],
    ],
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/NS/ingresses',
    kind: 'Ingress',
    objects: [
      {
        object: {
          metadata: {name: 'shop'},
          spec: {
            ingressClassName: 'nginx',
            tls: [{hosts: ['a.example']}],
            rules: ['a.example', 'b.example', 'c.example', 'd.example'].map(ingressRule),
          },
        },
        status: {loadBalancer: {ingress: [{ip: '192.0.2.9'}, {ip: '192.0.2.10'}]}},
      },
      {object: {metadata: {name: 'whole'}, spec: {defaultBackend: {service: {name: 'web', port: {number: 80}}}}}},
    ],
    columns: [nameColumn, column('Class'), column('Hosts'), column('Address'), column('Ports'), ageColumn],
    rows: [
      ['shop', 'nginx', 'a.example,b.example,c.example + 1 more...', '192.0.2.10,192.0.2.9', '80, 443', 'AGE'],
      ['whole', '<none>', '*', '', '80', 'AGE'],
    ],
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/NS/networkpolicies',
    kind: 'NetworkPolicy',
    objects: [
      {object: {metadata: {name: 'all'}, spec: {podSelector: {}}}},
      {
        object: {
          metadata: {name: 'some'},
          spec: {podSelector: {matchLabels: {app: 'web'}, matchExpressions: [{key: 'a', operator: 'Exists'}]}},
        },
      },
    ],
    columns: [nameColumn, column('Pod-Selector'), ageColumn],
    rows: [
      ['all', '<none>', 'AGE'],
      ['some', 'a,app=web', 'AGE'],
    ],
  },
  {
    path: '/api/v1/nodes',
    kind: 'Node',
    objects: [
      {object: {metadata: {name: 'bare'}}},
      {
        object: {
          metadata: {name: 'first', labels: {'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/role': 'edge'}},
          spec: {unschedulable: true},
        },
        status: {
          nodeInfo,
          conditions: [{type: 'Ready', status: 'True'}],
          addresses: [
            {type: 'Hostname', address: 'first'},
            {type: 'InternalIP', address: '10.9.0.1'},
            {type: 'ExternalIP', address: '203.0.113.1'},
          ],
        },
      },
    ],
    columns: [
      nameColumn,
      column('Status'),
      column('Roles'),
      ageColumn,
      column('Version'),
      wide('Internal-IP'),
      wide('External-IP'),
      wide('OS-Image'),
      wide('Kernel-Version'),
      wide('Container-Runtime'),
    ],
    rows: [
      ['bare', 'Unknown', '<none>', 'AGE', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
      [
        'first',
        'Ready,SchedulingDisabled',
        'control-plane,edge',
        'AGE',
        'v1.26.1',
        '10.9.0.1',
        '203.0.113.1',
        'Debian 12',
        '6.1.0',
        'containerd://1.7',
      ],
    ],
  },
  {
    path: '/api/v1/persistentvolumes',
    kind: 'PersistentVolume',
    objects: [
      {
        object: {
          metadata: {name: 'disk'},
          spec: {
            capacity: {storage: '10Gi'},
            accessModes: ['ReadOnlyMany', 'ReadWriteOnce'],
            persistentVolumeReclaimPolicy: 'Delete',
            storageClassName: 'fast',
            claimRef: {namespace: 'shop', name: 'data'},
            nfs: {server: 'nfs.example', path: '/'},
          },
        },
        status: {phase: 'Failed', reason: 'Lost'},
      },
    ],
    columns: [
      nameColumn,
      column('Capacity'),
      column('Access Modes'),
      column('Reclaim Policy'),
      column('Status'),
      column('Claim'),
      column('StorageClass'),
      column('Reason'),
      ageColumn,
      wide('VolumeMode'),
    ],
    rows: [['disk', '10Gi', 'RWO,ROX', 'Delete', 'Failed', 'shop/data', 'fast', 'Lost', 'AGE', 'Filesystem']],
  },
  {
    path: '/api/v1/namespaces/NS/persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    objects: [
      {
        object: {metadata: {name: 'bound'}, spec: {...claim, volumeName: 'disk', volumeMode: 'Block'}},
        status: {phase: 'Bound', capacity: {storage: '10Gi'}, accessModes: ['ReadWriteMany', 'ReadWriteOnce']},
      },
      {object: {metadata: {name: 'open'}, spec: claim}},
    ],
    columns: [
      nameColumn,
      column('Status'),
      column('Volume'),
      column('Capacity'),
      column('Access Modes'),
      column('StorageClass'),
      ageColumn,
      wide('VolumeMode'),
    ],
    rows: [
      ['bound', 'Bound', 'disk', '10Gi', 'RWO,RWX', 'fast', 'AGE', 'Block'],
      ['open', 'Pending', '', '', '', 'fast', 'AGE', 'Filesystem'],
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    kind: 'StorageClass',
    objects: [
      {
        object: {
          metadata: {name: 'fast', annotations: {'storageclass.kubernetes.io/is-default-class': 'true'}},
          provisioner: 'disk.example',
          allowVolumeExpansion: true,
        },
      },
      {object: {metadata: {name: 'slow'}, provisioner: 'tape.example', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer'}},
    ],
    columns: [
      nameColumn,
      column('Provisioner'),
      column('ReclaimPolicy'),
      column('VolumeBindingMode'),
      column('AllowVolumeExpansion'),
      ageColumn,
    ],
    rows: [
      ['fast (default)', 'disk.example', 'Delete', 'Immediate', true, 'AGE'],
      ['slow', 'tape.example', 'Retain', 'WaitForFirstConsumer', false, 'AGE'],
    ],
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/rolebindings',
    kind: 'RoleBinding',
    objects: [
      {
        object: {
          metadata: {name: 'readers'},
          roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view'},
          subjects: [
            {apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jo'},
            {apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mo'},
            {apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'staff'},
            {kind: 'ServiceAccount', namespace: 'shop', name: 'builder'},
          ],
        },
      },
    ],
    columns: [nameColumn, column('Role'), ageColumn, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
    rows: [['readers', 'ClusterRole/view', 'AGE', 'jo, mo', 'staff', 'shop/builder']],
  },
  {
    path: '/api/v1/namespaces/NS/events',
    kind: 'Event',
    objects: [
      {
        object: {
          metadata: {name: 'full'},
          involvedObject: {kind: 'Pod', namespace: 'NS', name: 'p', fieldPath: 'spec.containers{main}'},
          source: {component: 'agent', host: 'node-a'},
          type: 'Warning',
          reason: 'Failed',
          message: ' no space left\n',
          count: 3,
        },
      },
    ],
    columns: [
      column('Last Seen'),
      column('Type'),
      column('Reason'),
      column('Object'),
      wide('Subobject'),
      wide('Source'),
      column('Message'),
      wide('First Seen'),
      wide('Count'),
      ['Name', 'string', 'name', 1],
    ],
    rows: [['<unknown>', 'Warning', 'Failed', 'pod/p', 'spec.containers{main}', 'agent, node-a', 'no space left', '<unknown>', 3, 'full']],
  },
];
