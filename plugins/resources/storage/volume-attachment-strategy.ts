import {
  age,
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  invalid,
  required,
  strategy,
  tooLong,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {validateImmutable} from '../../shared/fields/field-rules.js';
import {validateCsiDriverName} from '../../shared/names/csi-driver-name.js';
import {inlineVolumeFaults} from './inline-volume.js';
import type {VolumeAttachment} from './storage-types.js';

type Spec = NonNullable<VolumeAttachment['spec']>;
type Status = NonNullable<VolumeAttachment['status']>;

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const maximumMetadataBytes = 256 * 1024;
const maximumMessageBytes = 1024;
const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** VolumeAttachment: the wish that a volume is attached to a node, and how far that has come. The wish cannot change. */
@strategy()
export class VolumeAttachmentStrategy implements ResourceStrategy<VolumeAttachment> {
  validateCreate({spec = {}, status = {}}: VolumeAttachment): FieldError[] {
    return [
      ...validateCsiDriverName(spec.attacher, specPath.child('attacher')),
      ...sourceFaults(spec.source ?? {}, specPath.child('source')),
      ...nameFaults(spec.nodeName ?? '', specPath.child('nodeName')),
      ...statusFaults(status),
    ];
  }

  validateUpdate(object: VolumeAttachment, old: VolumeAttachment): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.spec, old.spec, specPath)];
  }

  tableCells({spec, status, metadata}: VolumeAttachment, now: Date): Record<string, string | boolean> {
    return {PV: spec?.source?.persistentVolumeName ?? '', Attached: status?.attached ?? false, Age: age(metadata.creationTimestamp, now)};
  }
}

function sourceFaults(
  {persistentVolumeName: volume, inlineVolumeSpec: inline}: NonNullable<Spec['source']>,
  path: FieldPath,
): FieldError[] {
  const hasName = volume !== undefined && volume !== null;
  if (hasName && inline) return [forbiddenField(path, oneSource)];
  if (inline) return inlineVolumeFaults(inline, path.child('inlineVolumeSpec'));
  if (!hasName) return [required(path, oneSource)];
  const volumePath = path.child('persistentVolumeName');
  return volume === '' ? [required(volumePath, 'must specify non empty persistentVolumeName')] : nameFaults(volume, volumePath);
}

function nameFaults(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return dnsSubdomainFaults(name).map((detail) => invalid(path, name, detail));
}

function statusFaults({attachmentMetadata, attachError, detachError}: Status): FieldError[] {
  const metadataPath = statusPath.child('attachmentMetadata');
  const faults: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(attachmentMetadata ?? {})) {
    if (key === '') faults.push(invalid(metadataPath, key, 'field can not be empty'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maximumMetadataBytes) faults.push(tooLong(metadataPath, maximumMetadataBytes));
  for (const [member, error] of Object.entries({attachError, detachError})) {
    if (Buffer.byteLength(error?.message ?? '') > maximumMessageBytes)
      faults.push(tooLong(statusPath.child(member, 'message'), maximumMessageBytes));
  }
  return faults;
}
