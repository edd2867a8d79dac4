import type {Check} from './check.js';
import {named, plural, quoted} from './wording.js';

const allowed = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret'] as const;

/** Determines which type is named if a volume has several. */
const others = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const;

/** Only volume types that give no access to the host and do not bypass the platform's storage. */
export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  level: 'restricted',
  revisions: [
    {
      since: 0,
      replaces: ['hostPathVolumes'],
      check({spec}) {
        const bad = (spec.volumes ?? []).filter((volume) => !allowed.some((type) => volume[type]));
        if (bad.length === 0) return undefined;
        const types = new Set(bad.map((volume) => others.find((type) => volume[type]) ?? 'unknown'));
        const names = bad.map(({name}) => name ?? '');
        const verb = names.length === 1 ? 'uses' : 'use';
        const detail = `${named('volume', names)} ${verb} ${plural('restricted volume type', types.size)} ${quoted([...types].sort())}`;
        return {reason: 'restricted volume types', detail};
      },
    },
  ],
};
