import {FieldPath, type NamingProfile} from '../../../sdk/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import {firstWarnings} from '../../families/pods/first-warnings.js';
import {nodeExpressionWarnings} from '../../families/pods/node-label-warnings.js';
import {claimSpecWarnings} from '../../families/volumes/byte-warnings.js';
import {givenUp} from '../../families/volumes/given-up-sources.js';

const specPath = FieldPath.of('spec');
const annotationsPath = FieldPath.of('metadata', 'annotations');
/** Kubernetes says nothing about them there. */
const quietSources = ['flocker', 'quobyte'];

/** Warnings about what a volume has that is given up, in Kubernetes' words. */
export function persistentVolumeWarnings(volume: PersistentVolume, naming: NamingProfile): string[] {
  return firstWarnings(allWarnings(volume, naming));
}

function* allWarnings({metadata, spec}: PersistentVolume, naming: NamingProfile): Generator<string> {
  const annotations = {
    [naming.key('volume.beta.orch/storage-class')]: 'deprecated since v1.8; use "storageClassName" attribute instead',
    [naming.key('volume.beta.orch/mount-options')]: 'deprecated since v1.31; use "mountOptions" attribute instead',
  };
  for (const [key, advice] of Object.entries(annotations))
    if (metadata.annotations?.[key] !== undefined) yield `${annotationsPath.key(key).toString()}: ${advice}`;
  if (spec?.persistentVolumeReclaimPolicy === 'Recycle') {
    const policy = specPath.child('persistentVolumeReclaimPolicy').toString();
    yield `${policy}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`;
  }
  const terms = specPath.child('nodeAffinity', 'required', 'nodeSelectorTerms');
  for (const [index, {matchExpressions}] of (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries())
    yield* nodeExpressionWarnings(matchExpressions, terms.index(index).child('matchExpressions'), naming);
  yield* givenUp(spec ?? {}, specPath, quietSources);
}

/** Warnings about a claim, in Kubernetes' words. */
export function claimWarnings({metadata, spec}: PersistentVolumeClaim, naming: NamingProfile): string[] {
  const key = naming.key('volume.beta.orch/storage-class');
  const advice = `${annotationsPath.key(key).toString()}: deprecated since v1.8; use "storageClassName" attribute instead`;
  return [...(metadata.annotations?.[key] === undefined ? [] : [advice]), ...claimSpecWarnings(spec, specPath)];
}
