import type {FeatureGates, FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {Volume, VolumeProjection} from '../../../sdk/types/unchecked/core/v1.js';
import {givenUp} from '../volumes/given-up-sources.js';
import {claimSpecWarnings} from '../volumes/byte-warnings.js';

/** Where a file of a volume is, and what it comes from where there may be several. */
interface VolumeFile {
  readonly path: string;
  readonly source: string;
}

/** Warnings about kinds of volumes that are given up, and about files of a volume that hide each other. `path` is that of the list. */
export function volumeWarnings(volumes: readonly Volume[], path: FieldPath, gates: FeatureGates): string[] {
  return [...volumes.flatMap((volume, index) => sourceWarnings(volume, path.index(index), gates)), ...volumes.flatMap(overlapWarnings)];
}

function sourceWarnings(volume: Volume, path: FieldPath, gates: FeatureGates): string[] {
  const warnings = givenUp(volume, path);
  if (isGiven(volume.gitRepo)) {
    const isOff = gates.enabled('GitRepoVolumeDriver') ? '' : ', and disabled by default in v1.33+';
    warnings.push(`${path.child('gitRepo').toString()}: deprecated in v1.11${isOff}`);
  }
  const template = volume.ephemeral?.volumeClaimTemplate;
  return [...warnings, ...claimSpecWarnings(template?.spec, path.child('ephemeral', 'volumeClaimTemplate', 'spec'))];
}

function overlapWarnings({name, configMap, secret, downwardAPI, projected}: Volume): string[] {
  const about = (of: string, text: string) => `volume ${quote(name)} (${of}): overlapping paths: ${text}`;
  const within = (of: string, files: VolumeFile[]) => overlaps([files]).map((text) => about(of, text));
  return [
    ...within(`ConfigMap ${quote(configMap?.name)}`, filesOf(configMap?.items)),
    ...within(`Secret ${quote(secret?.secretName)}`, filesOf(secret?.items)),
    ...within('DownwardAPI', filesOf(downwardAPI?.items)),
    ...(projected?.sources ?? []).flatMap((source) =>
      Object.values(source).some(isGiven) ? [] : [`volume ${quote(name)} (Projected) has no sources provided`],
    ),
    ...overlaps((projected?.sources ?? []).map(projectedFiles)).map((text) => about('Projected', text)),
  ];
}

function projectedFiles(source: VolumeProjection): VolumeFile[] {
  const {configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate} = source;
  if (configMap?.items) return filesOf(configMap.items, `ConfigMap ${quote(configMap.name)}`);
  if (secret?.items) return filesOf(secret.items, `Secret ${quote(secret.name)}`);
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return filesOf([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle) {
    const {name, signerName} = clusterTrustBundle;
    return filesOf([clusterTrustBundle], `ClusterTrustBundle ${quote(isGiven(name) ? name : signerName)}`);
  }
  const parts = {certificateChainPath: 'chain', keyPath: 'key', credentialBundlePath: 'credential bundle'} as const;
  return (Object.keys(parts) as (keyof typeof parts)[]).flatMap((member) => {
    const path = podCertificate?.[member];
    return path ? [{path, source: `PodCertificate ${parts[member]}`}] : [];
  });
}

function filesOf(items: readonly {readonly path?: string | null}[] | undefined | null, source = ''): VolumeFile[] {
  return (items ?? []).map(({path}) => ({path: path ?? '', source}));
}

/** Files that are in the place of another one, or in a folder that is one. The sources of a volume come one after the other. */
function overlaps(sources: readonly (readonly VolumeFile[])[]): string[] {
  const seen: VolumeFile[] = [];
  const found: string[] = [];
  for (const each of sources.flat()) {
    const file = {...each, path: each.path.replace(/\/+$/, '')};
    if (file.path !== '')
      for (const other of seen)
        if (other.path !== '' && isAround(file.path, other.path)) found.push(`${fileText(file)} with ${fileText(other)}`);
    seen.push(file);
  }
  return found;
}

function isAround(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function fileText({path, source}: VolumeFile): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}

function quote(text: string | undefined | null): string {
  return JSON.stringify(text ?? '');
}
