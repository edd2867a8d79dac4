import type {FeatureGates, NamingProfile} from '../../../sdk/index.js';
import type {PersistentVolumeClaimSpec, TypedObjectReference} from '../../../sdk/types/unchecked/core/v1.js';

/** Reconciles the two data source fields: a missing one is copied from the other. Modifies `spec`. */
export function alignDataSources(spec: PersistentVolumeClaimSpec): void {
  const {dataSource, dataSourceRef} = spec;
  // The older field cannot express a source in another namespace.
  if (dataSource && !dataSourceRef) spec.dataSourceRef = {...dataSource};
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) spec.dataSource = withoutNamespace(dataSourceRef);
}

/**
 * The older field supports only claims and snapshots; other values of clients that do not send the newer one are silently dropped, unless
 * the stored claim has a source. Modifies `spec`.
 */
export function dropUnknownSource(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
  naming: NamingProfile,
): void {
  const {dataSource, dataSourceRef} = spec;
  if (!dataSource || dataSourceRef || old?.dataSource || old?.dataSourceRef) return;
  const isClaim = !dataSource.apiGroup && dataSource.kind === 'PersistentVolumeClaim';
  const isSnapshot = dataSource.apiGroup === naming.group('snapshot.storage.orch') && dataSource.kind === 'VolumeSnapshot';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/** Drops a source in another namespace while that feature is off, unless the stored claim uses it. Modifies `spec`. */
export function dropForeignSource(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec | undefined, gates: FeatureGates): void {
  if (!spec.dataSourceRef?.namespace || gates.enabled('CrossNamespaceVolumeDataSource') || old?.dataSourceRef?.namespace) return;
  delete spec.dataSourceRef;
}

function withoutNamespace({apiGroup, kind, name}: TypedObjectReference): TypedObjectReference {
  return {...(apiGroup === undefined ? {} : {apiGroup}), ...(kind === undefined ? {} : {kind}), ...(name === undefined ? {} : {name})};
}
