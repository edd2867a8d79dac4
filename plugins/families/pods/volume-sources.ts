import {dnsSubdomainFaults, forbiddenField, quantityAmount, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateAnnotations, validateLabels} from '../../../sdk/labels/index.js';
import {fileMode, invalidFor, relativePath, validateOneOf, validateText} from '../../../sdk/validation/index.js';
import type {Volume} from '../../../sdk/types/unchecked/core/v1.js';
import {validateCsiDriverName} from '../volumes/csi-driver-name.js';
import {referenceOf, type VolumeSource} from '../volumes/source-members.js';
import {storageSources} from '../volumes/storage-sources.js';
import {validatePersistentVolumeClaimSpec} from '../volumes/persistent-volume-claim-spec.js';
import {validateDownwardApiFile} from './downward-api-file.js';
import {validateItems} from './key-to-path.js';
import type {PodRules} from './pod-rules.js';
import {validateProjected} from './projected-volume.js';

type SourceRule = (volume: Volume, path: FieldPath, rules: PodRules) => FieldError[];

/** Rules of the sources that only pods have. */
const podSources: Readonly<Record<string, SourceRule>> = {
  emptyDir: ({emptyDir}, path) =>
    quantityAmount(emptyDir?.sizeLimit) < 0n
      ? [forbiddenField(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
      : [],
  gitRepo: ({gitRepo}, path) => [
    ...validateText(gitRepo?.repository, path.child('repository')),
    ...relativePath(path.child('directory'), gitRepo?.directory ?? ''),
  ],
  secret: ({secret}, path) => [
    ...validateText(secret?.secretName, path.child('secretName')),
    ...fileMode(secret?.defaultMode, path.child('defaultMode')),
    ...validateItems(secret?.items, path.child('items')),
  ],
  configMap: ({configMap}, path) => [
    ...validateText(configMap?.name, path.child('name')),
    ...fileMode(configMap?.defaultMode, path.child('defaultMode')),
    ...validateItems(configMap?.items, path.child('items')),
  ],
  downwardAPI: ({downwardAPI}, path) => [
    ...fileMode(downwardAPI?.defaultMode, path.child('defaultMode')),
    ...(downwardAPI?.items ?? []).flatMap((file) => validateDownwardApiFile(file, path)),
  ],
  projected: ({projected}, path, {naming}) => validateProjected(projected?.sources ?? [], projected?.defaultMode, path, naming),
  persistentVolumeClaim: ({persistentVolumeClaim}, path) => validateText(persistentVolumeClaim?.claimName, path.child('claimName')),
  ephemeral: validateEphemeral,
  image: ({image}, path, {podMetadata}) => [
    ...(podMetadata && !image?.reference ? [required(path.child('reference'))] : []),
    ...validateOneOf(image?.pullPolicy, ['Always', 'IfNotPresent', 'Never'], path.child('pullPolicy')),
  ],
  csi: ({csi}, path) => [
    ...validateCsiDriverName(csi?.driver, path.child('driver')),
    ...(csi?.nodePublishSecretRef ? validatePublishSecret(csi.nodePublishSecretRef.name, path) : []),
  ],
};

/** A volume's source of the given type; undefined if it has none. */
export function sourceOf(volume: Volume, type: string): VolumeSource | undefined {
  return referenceOf(volume, type);
}

/** All source types of a pod's volumes. */
export const volumeSourceTypes: readonly string[] = [...Object.keys(podSources), ...Object.keys(storageSources)];

/** Errors in one source of a volume. */
export function validateVolumeSource(type: string, volume: Volume, volumePath: FieldPath, rules: PodRules): FieldError[] {
  const path = volumePath.child(type);
  const around = {naming: rules.naming, volumeName: volume.name ?? '', volumePath};
  return podSources[type]?.(volume, path, rules) ?? storageSources[type]?.(sourceOf(volume, type) ?? {}, path, around) ?? [];
}

/** An invalid name is reported at the source itself, as in Kubernetes; a missing one at its own path. */
function validatePublishSecret(name: string | undefined, path: FieldPath): FieldError[] {
  return name ? invalidFor(path.child('name'), name, dnsSubdomainFaults(name)) : [required(path.child('nodePublishSecretRef', 'name'))];
}

const templateMetadata = new Set(['labels', 'annotations']);

function validateEphemeral({ephemeral}: Volume, path: FieldPath, rules: PodRules): FieldError[] {
  const at = path.child('volumeClaimTemplate');
  const template = ephemeral?.volumeClaimTemplate;
  if (!template) return [required(at)];
  const metadata = template.metadata ?? {};
  const others = Object.entries(metadata).filter(
    ([member, value]) => !templateMetadata.has(member) && value !== null && value !== undefined,
  );
  return [
    ...validateLabels(metadata.labels, at.child('metadata', 'labels')),
    ...validateAnnotations(metadata.annotations, at.child('metadata', 'annotations')),
    ...others.map(([member]) => forbiddenField(at.child('metadata', member), 'cannot be set')),
    ...validatePersistentVolumeClaimSpec(template.spec ?? {}, at.child('spec'), {
      allowReadWriteOncePod: rules.allowReadWriteOncePod === true,
      allowInvalidSelectorValues: rules.allowInvalidSelectorValues === true,
    }),
  ];
}
