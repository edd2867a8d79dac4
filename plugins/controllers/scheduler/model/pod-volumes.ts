import type {Pod, Volume} from '../../../../sdk/types/unchecked/core/v1.js';

/** A claim that a pod uses. */
export interface PodClaim {
  readonly name: string;
  /** Whether the claim is made for the pod. */
  readonly isEphemeral: boolean;
}

/** A disk that pods of one node cannot all use. */
export interface SharedDisk {
  /** Equal for the same disk. */
  readonly id: string;
  readonly isReadOnly: boolean;
  /** Whether several may read it. */
  readonly mayShare: boolean;
}

/** What a pod needs of storage. */
export interface PodVolumes {
  readonly claims: readonly PodClaim[];
  readonly disks: readonly SharedDisk[];
}

const none: PodVolumes = {claims: [], disks: []};

export function podVolumes({metadata, spec}: Pod): PodVolumes {
  if (!spec?.volumes?.length) return none;
  const claims = spec.volumes.flatMap(({name = '', persistentVolumeClaim, ephemeral}): PodClaim[] => {
    if (persistentVolumeClaim) return [{name: persistentVolumeClaim.claimName ?? '', isEphemeral: false}];
    return ephemeral ? [{name: `${metadata.name}-${name}`, isEphemeral: true}] : [];
  });
  const disks = spec.volumes.flatMap(disksOf);
  return claims.length === 0 && disks.length === 0 ? none : {claims, disks};
}

function disksOf({gcePersistentDisk: gce, awsElasticBlockStore: aws, rbd, iscsi}: Volume): SharedDisk[] {
  if (gce) return [{id: `gce ${gce.pdName}`, isReadOnly: gce.readOnly ?? false, mayShare: true}];
  if (aws) return [{id: `aws ${aws.volumeID}`, isReadOnly: false, mayShare: false}];
  if (iscsi) return [{id: `iscsi ${iscsi.iqn}`, isReadOnly: iscsi.readOnly ?? false, mayShare: true}];
  if (!rbd) return [];
  return (rbd.monitors ?? []).map((monitor) => ({
    id: `rbd ${monitor} ${rbd.pool || 'rbd'} ${rbd.image}`,
    isReadOnly: rbd.readOnly ?? false,
    mayShare: true,
  }));
}

/** Whether two pods cannot use their disks on one node. */
export function disksCollide(left: PodVolumes, right: PodVolumes): boolean {
  return left.disks.some((one) =>
    right.disks.some((other) => one.id === other.id && !(one.mayShare && one.isReadOnly && other.isReadOnly)),
  );
}
