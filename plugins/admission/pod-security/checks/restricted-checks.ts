import type {Check, Revision} from './check.js';
import {containersWhere, containersWith} from './checked-containers.js';
import {isFilter, unfilteredViolation} from './seccomp-settings.js';
import {named, plural, quoted, setters} from './wording.js';

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;
/** Determines which type is named if a volume has several. */
const otherVolumes = [
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

function restricted(id: string, ...revisions: Revision[]): Check {
  return {id, level: 'restricted', revisions};
}

/** A control, and since release 1.25 the same without Windows pods, where the setting does not exist. */
function exceptOnWindows(id: string, revision: Revision): Check {
  return restricted(id, revision, {
    ...revision,
    since: 25,
    check: (pod, keys) => (pod.spec.os?.name === 'windows' ? undefined : revision.check(pod, keys)),
  });
}

/** All capabilities must be dropped, and only the one for low ports may be added. */
const capabilities = exceptOnWindows('capabilities_restricted', {
  since: 22,
  replaces: ['capabilities_baseline'],
  check({spec}) {
    const keeping = containersWhere(spec, ({securityContext}) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'));
    const {containers: adding, values: added} = containersWith(spec, ({securityContext}) =>
      (securityContext?.capabilities?.add ?? []).filter((capability) => capability !== 'NET_BIND_SERVICE'),
    );
    const details: string[] = [];
    if (keeping.length > 0) details.push(`${named('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`);
    if (adding.length > 0) {
      details.push(`${named('container', adding)} must not include ${quoted(added)} in securityContext.capabilities.add`);
    }
    return details.length === 0 ? undefined : {reason: 'unrestricted capabilities', detail: details.join('; ')};
  },
});

/** Processes must not gain more privileges than their parent. The field exists since release 1.8. */
const privilegeEscalation = exceptOnWindows('allowPrivilegeEscalation', {
  since: 8,
  check({spec}) {
    const containers = containersWhere(spec, ({securityContext}) => securityContext?.allowPrivilegeEscalation !== false);
    if (containers.length === 0) return undefined;
    const detail = `${named('container', containers)} must set securityContext.allowPrivilegeEscalation=false`;
    return {reason: 'allowPrivilegeEscalation != false', detail};
  },
});

/** Only volume types that give no access to the host and do not bypass the platform's storage. */
const volumeTypes = restricted('restrictedVolumes', {
  since: 0,
  replaces: ['hostPathVolumes'],
  check({spec}) {
    const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type]));
    if (bad.length === 0) return undefined;
    const types = new Set(bad.map((volume) => otherVolumes.find((type) => volume[type]) ?? 'unknown'));
    const names = bad.map(({name}) => name ?? '');
    const verb = names.length === 1 ? 'uses' : 'use';
    const detail = `${named('volume', names)} ${verb} ${plural('restricted volume type', types.size)} ${quoted([...types].sort())}`;
    return {reason: 'restricted volume types', detail};
  },
});

/** No container may run as root. */
const runAsNonRoot = restricted('runAsNonRoot', {
  since: 0,
  check({spec}) {
    const reason = 'runAsNonRoot != true';
    const ofPod = spec.securityContext?.runAsNonRoot;
    const allowing = containersWhere(spec, ({securityContext}) => securityContext?.runAsNonRoot === false);
    if (ofPod === false || allowing.length > 0) {
      return {reason, detail: `${setters(ofPod === false, allowing)} must not set securityContext.runAsNonRoot=false`};
    }
    const silent = ofPod === true ? [] : containersWhere(spec, ({securityContext}) => typeof securityContext?.runAsNonRoot !== 'boolean');
    if (silent.length === 0) return undefined;
    return {reason, detail: `pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true`};
  },
});

/** No container may set root as its user. */
const runAsUser = restricted('runAsUser', {
  since: 23,
  check({spec}) {
    const isPod = isRoot(spec.securityContext?.runAsUser);
    const containers = containersWhere(spec, ({securityContext}) => isRoot(securityContext?.runAsUser));
    if (!isPod && containers.length === 0) return undefined;
    return {reason: 'runAsUser=0', detail: `${setters(isPod, containers)} must not set runAsUser=0`};
  },
});

/** Large integers are no numbers here, so it is compared as one. */
function isRoot(user: unknown): boolean {
  return user !== undefined && user !== null && Number(user) === 0;
}

/** Every container must have a seccomp profile. */
const seccompProfiles = exceptOnWindows('seccompProfile_restricted', {
  since: 19,
  replaces: ['seccompProfile_baseline'],
  check({spec}) {
    const unfiltered = unfilteredViolation(spec);
    if (unfiltered || isFilter(spec.securityContext?.seccompProfile)) return unfiltered;
    const containers = containersWhere(spec, ({securityContext}) => !securityContext?.seccompProfile);
    if (containers.length === 0) return undefined;
    const who = `pod or ${named('container', containers)}`;
    return {reason: 'seccompProfile', detail: `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`};
  },
});

/** The controls that the level `restricted` adds, as of release 1.26. */
export const restrictedChecks: readonly Check[] = [
  capabilities,
  privilegeEscalation,
  volumeTypes,
  runAsNonRoot,
  runAsUser,
  seccompProfiles,
];
