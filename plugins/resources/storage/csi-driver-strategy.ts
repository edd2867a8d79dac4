import {
  duplicate,
  FieldPath,
  inject,
  invalid,
  notSupported,
  required,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {sameValue, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type {CSIDriver as CsiDriver} from '../../../sdk/types/unchecked/storage/v1.js';
import {validateCsiDriverName} from '../../families/volumes/csi-driver-name.js';

type Spec = NonNullable<CsiDriver['spec']>;

const specPath = FieldPath.of('spec');
const namePath = FieldPath.of('metadata', 'name');
const lifecycleModes = ['Persistent', 'Ephemeral'];
const groupPolicies = ['ReadWriteOnceWithFSType', 'File', 'None'];
const minimumTokenSeconds = 600;
const maximumTokenSeconds = 2 ** 32;
const immutableMembers = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] as const;
/** Members whose changes increase `metadata.generation`. */
const countedMembers = ['tokenRequests', 'requiresRepublish', 'seLinuxMount'] as const;

/** CSIDriver: the capabilities of a storage driver and how to call it. */
@strategy()
export class CsiDriverStrategy implements ResourceStrategy<CsiDriver> {
  readonly #hasSeLinuxMount: boolean;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#hasSeLinuxMount = gates.enabled('SELinuxMountReadWriteOncePod');
  }

  applyDefaults({spec}: CsiDriver): void {
    if (this.#hasSeLinuxMount && spec) spec.seLinuxMount ??= false;
  }

  prepareForCreate({spec}: CsiDriver): void {
    if (!this.#hasSeLinuxMount && spec) delete spec.seLinuxMount;
  }

  prepareForUpdate(object: CsiDriver, old: CsiDriver): void {
    if (!this.#hasSeLinuxMount && object.spec && (old.spec?.seLinuxMount ?? undefined) === undefined) delete object.spec.seLinuxMount;
    const changed = countedMembers.some((member) => !sameValue(object.spec?.[member], old.spec?.[member]));
    if (changed) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }

  validateCreate({metadata, spec = {}}: CsiDriver): FieldError[] {
    const faults = metadata.name ? validateCsiDriverName(metadata.name, namePath) : [];
    return [...faults, ...this.#specFaults(spec)];
  }

  validateUpdate(object: CsiDriver, old: CsiDriver): FieldError[] {
    const faults = this.#specFaults(object.spec ?? {});
    for (const member of immutableMembers)
      faults.push(...validateImmutable(object.spec?.[member], old.spec?.[member], specPath.child(member)));
    return faults;
  }

  tableCells({spec = {}}: CsiDriver): Record<string, string | boolean> {
    return {
      AttachRequired: spec.attachRequired ?? true,
      PodInfoOnMount: spec.podInfoOnMount ?? false,
      StorageCapacity: spec.storageCapacity ?? false,
      TokenRequests: spec.tokenRequests?.map(({audience}) => audience ?? '').join(',') ?? '<unset>',
      RequiresRepublish: spec.requiresRepublish ?? false,
      Modes: spec.volumeLifecycleModes?.join(',') || '<none>',
    };
  }

  #specFaults(spec: Spec): FieldError[] {
    const switches = [
      'attachRequired',
      'podInfoOnMount',
      'storageCapacity',
      ...(this.#hasSeLinuxMount ? (['seLinuxMount'] as const) : []),
    ] as const;
    return [
      ...switches.filter((member) => typeof spec[member] !== 'boolean').map((member) => required(specPath.child(member))),
      ...validateOneOf(spec.fsGroupPolicy, groupPolicies, specPath.child('fsGroupPolicy')),
      ...tokenRequestFaults(spec.tokenRequests ?? []),
      ...(spec.volumeLifecycleModes ?? [])
        .filter((mode) => !lifecycleModes.includes(mode))
        .map((mode) => notSupported(specPath.child('volumeLifecycleModes'), mode, lifecycleModes)),
    ];
  }
}

function tokenRequestFaults(requests: NonNullable<Spec['tokenRequests']>): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({audience = '', expirationSeconds}, index) => {
    const path = specPath.child('tokenRequests').index(index);
    if (audiences.has(audience)) return [duplicate(path.child('audience'), audience)];
    audiences.add(audience);
    if (expirationSeconds === undefined || expirationSeconds === null) return [];
    const secondsPath = path.child('expirationSeconds');
    if (expirationSeconds < minimumTokenSeconds)
      return [invalid(secondsPath, expirationSeconds, 'may not specify a duration less than 10 minutes')];
    if (expirationSeconds > maximumTokenSeconds)
      return [invalid(secondsPath, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')];
    return [];
  });
}
