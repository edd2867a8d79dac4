import type {FeatureGates, FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {Volume, VolumeProjection} from '../../../sdk/types/unchecked/core/v1.js';
import {givenUp} from '../volumes/given-up-sources.js';
import {claimSpecWarnings} from '../volumes/byte-warnings.js';
import {PairBudget} from './pair-budget.js';

/** What a warning quotes of a name or path; answers cut warnings at the same length. */
const quotedCharacters = 256;

/** Where a file of a volume is, and what it comes from where there may be several. */
interface VolumeFile {
  readonly path: string;
  readonly source: string;
}

/** Warnings about kinds of volumes that are given up, and about files of a volume that hide each other. `path` is that of the list. */
export function* volumeWarnings(volumes: readonly Volume[], path: FieldPath, gates: FeatureGates): Generator<string> {
  for (const [index, volume] of volumes.entries()) yield* sourceWarnings(volume, path.index(index), gates);
  const budget = new PairBudget();
  for (const volume of volumes) yield* overlapWarnings(volume, budget);
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

function* overlapWarnings({name, configMap, secret, downwardAPI, projected}: Volume, budget: PairBudget): Generator<string> {
  const about = (of: string, text: string) => `volume ${quote(name)} (${of}): overlapping paths: ${text}`;
  const lists: [of: string, files: VolumeFile[]][] = [
    [`ConfigMap ${quote(configMap?.name)}`, filesOf(configMap?.items)],
    [`Secret ${quote(secret?.secretName)}`, filesOf(secret?.items)],
    ['DownwardAPI', filesOf(downwardAPI?.items)],
  ];
  for (const [of, files] of lists) for (const text of overlaps(files, budget)) yield about(of, text);
  const sources = projected?.sources ?? [];
  for (const source of sources) if (!Object.values(source).some(isGiven)) yield `volume ${quote(name)} (Projected) has no sources provided`;
  for (const text of overlaps(sources.flatMap(projectedFiles), budget)) yield about('Projected', text);
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

/** Files that are in the place of another one, or in a folder that is one. */
function* overlaps(files: readonly VolumeFile[], budget: PairBudget): Generator<string> {
  const seen: VolumeFile[] = [];
  for (const {path, source} of files) {
    const file = {path: asFolder(path), source};
    if (file.path === '/') continue;
    for (const other of seen) {
      if (!budget.take()) return;
      if (file.path.startsWith(other.path) || other.path.startsWith(file.path)) yield `${fileText(file)} with ${fileText(other)}`;
    }
    seen.push(file);
  }
}

/** With one slash at its end, so that a folder is how the paths of its files begin. */
function asFolder(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return `${path.slice(0, end)}/`;
}

function fileText({path, source}: VolumeFile): string {
  const shown = quote(path.slice(0, -1));
  return source === '' ? shown : `${shown} (${source})`;
}

function quote(text: string | undefined | null): string {
  return JSON.stringify((text ?? '').slice(0, quotedCharacters));
}
