import type {Container, PodSpec, Volume} from '../../../sdk/types/unchecked/core/v1.js';

type Reference = {readonly name?: string} | null | undefined;

/** Names of all Secrets that a pod refers to: for image pulls, in environments of containers, in volumes. */
export function secretNames(spec: PodSpec): Set<string> {
  return namesOf([
    ...(spec.imagePullSecrets ?? []),
    ...containersOf(spec).flatMap(({env, envFrom}) => [
      ...(env ?? []).map(({valueFrom}) => valueFrom?.secretKeyRef),
      ...(envFrom ?? []).map(({secretRef}) => secretRef),
    ]),
    ...(spec.volumes ?? []).flatMap(secretsOfVolume),
  ]);
}

/** Names of all ConfigMaps that a pod refers to: in environments of containers, in volumes. */
export function configMapNames(spec: PodSpec): Set<string> {
  return namesOf([
    ...containersOf(spec).flatMap(({env, envFrom}) => [
      ...(env ?? []).map(({valueFrom}) => valueFrom?.configMapKeyRef),
      ...(envFrom ?? []).map(({configMapRef}) => configMapRef),
    ]),
    ...(spec.volumes ?? []).flatMap(({configMap, projected}) => [
      configMap,
      ...(projected?.sources ?? []).map((source) => source.configMap),
    ]),
  ]);
}

function secretsOfVolume(volume: Volume): Reference[] {
  const {secret, azureFile, cephfs, cinder, flexVolume, projected, rbd, scaleIO, iscsi, storageos, csi} = volume;
  return [
    secret && {name: secret.secretName ?? ''},
    azureFile && {name: azureFile.secretName ?? ''},
    ...(projected?.sources ?? []).map((source) => source.secret),
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef),
    csi?.nodePublishSecretRef,
  ];
}

function containersOf({initContainers, containers, ephemeralContainers}: PodSpec): Container[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...((ephemeralContainers ?? []) as Container[])];
}

function namesOf(references: readonly Reference[]): Set<string> {
  return new Set(references.flatMap((reference) => (reference?.name ? [reference.name] : [])));
}
