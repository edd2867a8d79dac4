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
  type StrategyContext,
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
/** In seconds: how often the driver may be asked for what a node can attach. */
const minimumUpdatePeriod = 10;
const maximumTokenSeconds = 2 ** 32;
const immutableMembers = ['attachRequired', 'volumeLifecycleModes'] as const;
/** Those that were before more came to be changeable. */
const onceImmutableMembers = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] as const;
/** Members whose changes increased `metadata.generation` before all did. */
const onceCountedMembers = ['tokenRequests', 'requiresRepublish', 'seLinuxMount'] as const;
const uselessSwitch = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
const tokenAdvice =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** CSIDriver: the capabilities of a storage driver and how to call it. */
@strategy()
export class CsiDriverStrategy implements ResourceStrategy<CsiDriver> {
  readonly #hasSeLinuxMount: boolean;
  /** Whether more of a driver may change, and any change of it counts. */
  readonly #isChangeable: boolean;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#gates = gates;
    this.#isChangeable = gates.enabled('ChangeableCSIDrivers');
    this.#hasSeLinuxMount = gates.enabled('SELinuxMountReadWriteOncePod');
  }

  applyDefaults({spec}: CsiDriver): void {
    if (this.#hasSeLinuxMount && spec) spec.seLinuxMount ??= false;
    if (this.#gates.enabled('VolumeLimitScaling') && spec) spec.preventPodSchedulingIfMissing ??= false;
  }

  prepareForCreate({spec}: CsiDriver): void {
    if (!this.#hasSeLinuxMount && spec) delete spec.seLinuxMount;
  }

  prepareForUpdate(object: CsiDriver, old: CsiDriver): void {
    if (!this.#hasSeLinuxMount && object.spec && (old.spec?.seLinuxMount ?? undefined) === undefined) delete object.spec.seLinuxMount;
    const changed = this.#isChangeable
      ? !sameValue(object.spec, old.spec)
      : onceCountedMembers.some((member) => !sameValue(object.spec?.[member], old.spec?.[member]));
    if (changed) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }

  validateCreate({metadata, spec = {}}: CsiDriver, context: StrategyContext): FieldError[] {
    const ofName = metadata.name ? validateCsiDriverName(metadata.name, namePath) : [];
    const faults = [...ofName, ...this.#specFaults(spec)];
    if (faults.length === 0) this.#warnOfTokens(spec, context);
    return faults;
  }

  validateUpdate(object: CsiDriver, old: CsiDriver, context: StrategyContext): FieldError[] {
    const faults = this.#specFaults(object.spec ?? {});
    for (const member of this.#isChangeable ? immutableMembers : onceImmutableMembers)
      faults.push(...validateImmutable(object.spec?.[member], old.spec?.[member], specPath.child(member)));
    const isChanged = !sameValue(object.spec?.tokenRequests, old.spec?.tokenRequests);
    if (faults.length === 0 && isChanged) this.#warnOfTokens(object.spec, context);
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

  #warnOfTokens(spec: Spec | undefined, context: StrategyContext): void {
    const isOpen = spec?.tokenRequests?.length && typeof spec.serviceAccountTokenInSecrets !== 'boolean';
    if (isOpen && this.#gates.enabled('CSIServiceAccountTokenSecrets')) context.warn(tokenAdvice);
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
      ...laterFaults(spec),
      ...(spec.volumeLifecycleModes ?? [])
        .filter((mode) => !lifecycleModes.includes(mode))
        .map((mode) => notSupported(specPath.child('volumeLifecycleModes'), mode, lifecycleModes)),
    ];
  }
}

function laterFaults({nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets, tokenRequests}: Spec): FieldError[] {
  const faults: FieldError[] = [];
  if (typeof period === 'number' && period < minimumUpdatePeriod) {
    const detail = `must be greater than or equal to ${minimumUpdatePeriod} seconds`;
    faults.push(invalid(specPath.child('nodeAllocatableUpdatePeriodSeconds'), period, detail));
  }
  if (typeof serviceAccountTokenInSecrets === 'boolean' && !tokenRequests?.length)
    faults.push(invalid(specPath.child('serviceAccountTokenInSecrets'), serviceAccountTokenInSecrets, uselessSwitch));
  return faults;
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
