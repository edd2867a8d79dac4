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
  tooMany,
  type FieldError,
  type FeatureGates,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type {StorageClass} from '../../../sdk/types/unchecked/storage/v1.js';
import {firstWarnings} from '../../families/pods/first-warnings.js';
import {nodeLabelAdvice} from '../../families/pods/node-label-warnings.js';
import {allowedTopologyFaults} from './allowed-topologies.js';
import {maximumParameters, parameterBytesFaults} from './parameter-faults.js';

const provisionerPath = FieldPath.of('provisioner');
const reclaimPath = FieldPath.of('reclaimPolicy');
const bindingPath = FieldPath.of('volumeBindingMode');
const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];

/** StorageClass: how to create volumes. What created volumes depend on is immutable; whether they may be expanded is not. */
@strategy()
export class StorageClassStrategy implements ResourceStrategy<StorageClass> {
  /** Annotations that mark the default class. */
  readonly #defaultMarks: readonly string[];
  readonly #naming: NamingProfile;
  /** Whether what may not change is refused in the words that other types have for it. */
  readonly #saysImmutable: boolean;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#naming = naming;
    this.#saysImmutable = gates.enabled('ImmutableStorageClasses');
    this.#defaultMarks = ['storageclass.orch/is-default-class', 'storageclass.beta.orch/is-default-class'].map((key) => naming.key(key));
  }

  prepareForCreate({allowedTopologies}: StorageClass, {warn}: StrategyContext): void {
    for (const text of firstWarnings(topologyWarnings(allowedTopologies, this.#naming))) warn(text);
  }

  prepareForUpdate(object: StorageClass, _old: StorageClass, context: StrategyContext): void {
    this.prepareForCreate(object, context);
  }

  validateCreate(object: StorageClass): FieldError[] {
    const {provisioner = '', reclaimPolicy} = object;
    const faults = provisioner === '' ? [required(provisionerPath)] : [];
    if (provisioner !== '')
      faults.push(...qualifiedNameFaults(provisioner.toLowerCase()).map((detail) => invalid(provisionerPath, provisioner, detail)));
    const count = Object.keys(object.parameters ?? {}).length;
    if (count > maximumParameters) faults.push(tooMany(FieldPath.of('parameters'), count, maximumParameters));
    faults.push(...parameterBytesFaults(object.parameters));
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
      const path = FieldPath.of(member);
      if (this.#saysImmutable) faults.push(...validateImmutable(object[member], old[member], path));
      else if (!sameValue(object[member], old[member])) faults.push(forbiddenField(path, `updates to ${member} are forbidden.`));
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

/** Warnings about deprecated labels of nodes. */
function* topologyWarnings(topologies: StorageClass['allowedTopologies'], naming: NamingProfile): Generator<string> {
  for (const [index, {matchLabelExpressions}] of (topologies ?? []).entries()) {
    const path = FieldPath.of('allowedTopologies').index(index).child('matchLabelExpressions');
    for (const [position, {key = ''}] of (matchLabelExpressions ?? []).entries()) {
      const advice = nodeLabelAdvice(key, naming);
      if (advice !== undefined) yield `${path.index(position).child('key').toString()}: ${advice}`;
    }
  }
}
