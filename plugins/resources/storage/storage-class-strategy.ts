import {
  FieldPath,
  forbiddenField,
  inject,
  invalid,
  notSupported,
  qualifiedNameFaults,
  required,
  strategy,
  Tokens,
  tooLong,
  tooMany,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {sameValue, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type {StorageClass} from '../../../sdk/types/unchecked/storage/v1.js';
import {allowedTopologyFaults} from './allowed-topologies.js';

const provisionerPath = FieldPath.of('provisioner');
const parametersPath = FieldPath.of('parameters');
const reclaimPath = FieldPath.of('reclaimPolicy');
const bindingPath = FieldPath.of('volumeBindingMode');
const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const maximumParameters = 512;
const maximumParameterBytes = 256 * 1024;

/** StorageClass: how to create volumes. What created volumes depend on is immutable; whether they may be expanded is not. */
@strategy()
export class StorageClassStrategy implements ResourceStrategy<StorageClass> {
  /** Annotations that mark the default class. */
  readonly #defaultMarks: readonly string[];

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#defaultMarks = ['storageclass.orch/is-default-class', 'storageclass.beta.orch/is-default-class'].map((key) => naming.key(key));
  }

  validateCreate(object: StorageClass): FieldError[] {
    const {provisioner = '', reclaimPolicy} = object;
    const faults = provisioner === '' ? [required(provisionerPath)] : [];
    if (provisioner !== '')
      faults.push(...qualifiedNameFaults(provisioner.toLowerCase()).map((detail) => invalid(provisionerPath, provisioner, detail)));
    faults.push(...parameterFaults(object.parameters ?? {}));
    if (reclaimPolicy && !reclaimPolicies.includes(reclaimPolicy)) faults.push(notSupported(reclaimPath, reclaimPolicy, reclaimPolicies));
    return [
      ...faults,
      ...validateOneOf(object.volumeBindingMode, bindingModes, bindingPath),
      ...allowedTopologyFaults(object.allowedTopologies),
    ];
  }

  validateUpdate(object: StorageClass, old: StorageClass): FieldError[] {
    const faults = this.validateCreate(object);
    for (const member of ['parameters', 'provisioner', 'reclaimPolicy'] as const) {
      if (!sameValue(object[member], old[member])) faults.push(forbiddenField(FieldPath.of(member), `updates to ${member} are forbidden.`));
    }
    return [...faults, ...validateImmutable(object.volumeBindingMode, old.volumeBindingMode, bindingPath)];
  }

  tableCells(object: StorageClass): Record<string, string | boolean> {
    const {metadata} = object;
    const isDefault = this.#defaultMarks.some((mark) => metadata.annotations?.[mark] === 'true');
    return {
      Name: isDefault ? `${metadata.name ?? ''} (default)` : (metadata.name ?? ''),
      ReclaimPolicy: object.reclaimPolicy ?? 'Delete',
      VolumeBindingMode: object.volumeBindingMode ?? 'Immediate',
      AllowVolumeExpansion: object.allowVolumeExpansion ?? false,
    };
  }
}

function parameterFaults(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters);
  const faults: FieldError[] = [];
  if (entries.length > maximumParameters) faults.push(tooMany(parametersPath, entries.length, maximumParameters));
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === '') faults.push(invalid(parametersPath, key, 'field can not be empty.'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maximumParameterBytes) faults.push(tooLong(parametersPath, maximumParameterBytes));
  return faults;
}
