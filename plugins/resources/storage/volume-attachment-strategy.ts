import {
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  inject,
  invalid,
  required,
  strategy,
  Tokens,
  tooLong,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {validateGivenText, validateImmutable} from '../../../sdk/validation/index.js';
import type {VolumeAttachment} from '../../../sdk/types/unchecked/storage/v1.js';
import {validateCsiDriverName} from '../../families/volumes/csi-driver-name.js';
import {inlineVolumeFaults} from './inline-volume.js';

type Spec = NonNullable<VolumeAttachment['spec']>;
type Status = NonNullable<VolumeAttachment['status']>;

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const maximumMetadataBytes = 256 * 1024;
const maximumMessageBytes = 1024;
const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** VolumeAttachment: the request to attach a volume to a node, and its progress. The request is immutable. */
@strategy()
export class VolumeAttachmentStrategy implements ResourceStrategy<VolumeAttachment> {
  /** Names are checked in all objects. */
  readonly #checksNames: boolean;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#checksNames = gates.enabled('AttachmentNamesChecked');
  }

  validateCreate(object: VolumeAttachment): FieldError[] {
    return [...objectFaults(object), ...nameFaults(object)];
  }

  validateUpdate(object: VolumeAttachment, old: VolumeAttachment): FieldError[] {
    const ofNames = this.#checksNames ? nameFaults(object) : [];
    return [...objectFaults(object), ...ofNames, ...validateImmutable(object.spec, old.spec, specPath)];
  }

  tableCells({spec, status}: VolumeAttachment): Record<string, string | boolean> {
    return {PV: spec?.source?.persistentVolumeName ?? '', Attached: status?.attached ?? false};
  }
}

function objectFaults({spec = {}, status = {}}: VolumeAttachment): FieldError[] {
  const nodeName = spec.nodeName ?? '';
  return [
    ...(spec.attacher ? [] : [required(specPath.child('attacher'))]),
    ...sourceFaults(spec.source ?? {}, specPath.child('source')),
    ...dnsSubdomainFaults(nodeName).map((detail) => invalid(specPath.child('nodeName'), nodeName, detail)),
    ...statusFaults(status),
  ];
}

/** Before the release that has `AttachmentNamesChecked` only new objects are checked: `v1beta1` accepted any name, and such objects may be stored. */
function nameFaults({spec = {}}: VolumeAttachment): FieldError[] {
  const volume = spec.source?.persistentVolumeName;
  return [
    ...validateCsiDriverName(spec.attacher, specPath.child('attacher')),
    ...validateGivenText(volume, specPath.child('source', 'persistentVolumeName'), dnsSubdomainFaults),
  ];
}

function sourceFaults(
  {persistentVolumeName: volume, inlineVolumeSpec: inline}: NonNullable<Spec['source']>,
  path: FieldPath,
): FieldError[] {
  const hasName = volume !== undefined && volume !== null;
  if (hasName && inline) return [forbiddenField(path, oneSource)];
  if (inline) return inlineVolumeFaults(inline, path.child('inlineVolumeSpec'));
  if (!hasName) return [required(path, oneSource)];
  return volume === '' ? [required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')] : [];
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
    if ((error?.errorCode ?? 0) < 0)
      faults.push(invalid(statusPath.child(member, 'errorCode'), error?.errorCode, 'must be between 0 and 2147483647, inclusive'));
  }
  return faults;
}
