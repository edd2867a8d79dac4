import {generateName} from '../../../sdk/index.js';
import type {PodSpec, Volume} from '../../../sdk/types/unchecked/core/v1.js';

/** Whether the account's token is mounted automatically: the pod decides, then the account; the default is yes. */
export function wantsToken(pod: PodSpec, account: {readonly automountServiceAccountToken?: boolean}): boolean {
  return pod.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

/** The platform's names for the parts of the volume. */
export interface TokenVolumeNames {
  /** Prefix of the volume's name, with the hyphen. */
  readonly volumePrefix: string;
  readonly mountPath: string;
  /** ConfigMap with the server's CA. */
  readonly certificates: string;
}

/**
 * Mounts token, CA and namespace in every container that has nothing mounted at that path. An existing volume with such a name is reused.
 */
export function mountToken(spec: PodSpec, {volumePrefix, mountPath, certificates}: TokenVolumeNames): void {
  const existing = (spec.volumes ?? []).find(({name}) => name?.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(volumePrefix);
  let isMounted = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), {name, readOnly: true, mountPath}];
    isMounted = true;
  }
  if (isMounted && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name, certificates)];
}

/** Clients read the token again after an hour at most. The extra seven seconds mark tokens whose longer use is tolerated and only noted. */
const tokenSeconds = 3607;

function tokenVolume(name: string, certificates: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        {serviceAccountToken: {expirationSeconds: tokenSeconds, path: 'token'}},
        {configMap: {name: certificates, items: [{key: 'ca.crt', path: 'ca.crt'}]}},
        {downwardAPI: {items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}]}},
      ],
    },
  };
}
