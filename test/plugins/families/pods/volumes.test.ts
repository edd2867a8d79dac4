import test from 'ava';
import {dnsSubdomainFaults} from '../../../../sdk/index.js';
import type {Volume} from '../../../../sdk/types/unchecked/core/v1.js';
import {containerFaults, specFaults} from './template-faults.js';

/** A volume, and all that is wrong with it below `t.spec.volumes[0]`. */
const volumes: [string, Volume, string[]][] = [
  ['has a source', {name: 'v'}, [': Required value: must specify a volume type']],
  [
    'has only one source',
    {name: 'v', emptyDir: {}, hostPath: {path: '/x'}},
    ['.hostPath: Forbidden: may not specify more than 1 volume type'],
  ],
  ['has a name', {emptyDir: {}}, ['.name: Required value']],
  [
    'stays where it is',
    {name: 'v', hostPath: {path: '/a/../b', type: 'Pipe'}},
    [
      '.hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
      '.hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  [
    'maps keys to files',
    {
      name: 'v',
      secret: {
        secretName: 's',
        defaultMode: 512,
        items: [
          {key: '', path: '/x'},
          {key: 'k', path: '..data'},
        ],
      },
    },
    [
      '.secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      '.secret.items[0].key: Required value',
      '.secret.items[0].path: Invalid value: "/x": must be a relative path',
      '.secret.items[1].path: Invalid value: "..data": must not start with \'..\'',
    ],
  ],
  [
    'shows fields',
    {name: 'v', downwardAPI: {items: [{path: 'f'}, {path: 'g', resourceFieldRef: {resource: 'limits.cpu'}}]}},
    [
      '.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
      '.downwardAPI.resourceFieldRef.containerName: Required value',
    ],
  ],
  [
    'projects sources without overlap',
    {
      name: 'v',
      projected: {
        sources: [{secret: {name: 's', items: [{key: 'k', path: 'f'}]}}, {serviceAccountToken: {expirationSeconds: 60, path: 'f'}}, {}],
      },
    },
    [
      '.projected.sources[1].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
      '.projected: Invalid value: "f": conflicting duplicate paths',
    ],
  ],
  [
    'makes a claim',
    {name: 'v', ephemeral: {volumeClaimTemplate: {metadata: {name: 'x'}, spec: {accessModes: ['ReadWriteOnce']}}}},
    [
      '.ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
      '.ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
    ],
  ],
  ['uses a claim', {name: 'v', persistentVolumeClaim: {}}, ['.persistentVolumeClaim.claimName: Required value']],
  [
    'uses a driver',
    {name: 'v', csi: {driver: '', nodePublishSecretRef: {}}},
    [
      '.csi.driver: Required value',
      `.csi.driver: Invalid value: "": ${dnsSubdomainFaults('')[0]}`,
      '.csi.nodePublishSecretRef.name: Required value',
    ],
  ],
  ['is on the network', {name: 'v', nfs: {server: 's', path: 'x'}}, ['.nfs.path: Invalid value: "x": must be an absolute path']],
];

for (const [title, volume, expected] of volumes) {
  test(`a volume ${title}`, (t) => {
    t.deepEqual(
      specFaults({volumes: [volume]}),
      expected.map((text) => `t.spec.volumes[0]${text}`),
    );
  });
}

test('volumes have names of their own, and containers cannot use faulty ones', (t) => {
  t.deepEqual(
    specFaults({
      volumes: [
        {name: 'v', emptyDir: {}},
        {name: 'v', emptyDir: {}},
      ],
    }),
    ['t.spec.volumes[1].name: Duplicate value: "v"'],
  );
  const faults = containerFaults({volumeMounts: [{name: 'v', mountPath: '/v'}]}, [{name: 'v'}]);
  t.deepEqual(faults, [
    't.spec.volumes[0]: Required value: must specify a volume type',
    't.spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ]);
});

test('block devices are claims', (t) => {
  const faults = containerFaults(
    {
      volumeDevices: [
        {name: 'v', devicePath: '/dev/../x'},
        {name: 'c', devicePath: '/dev/c'},
      ],
    },
    [
      {name: 'v', emptyDir: {}},
      {name: 'c', persistentVolumeClaim: {claimName: 'c'}},
    ],
  );
  t.deepEqual(faults, [
    't.spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    't.spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps (\'..\')',
  ]);
});
