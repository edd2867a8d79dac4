import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type AdmissionOperation,
  type ApiObject,
  type FeatureGates,
  type NamingProfile,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {PersistentVolumeClaim} from '../../../sdk/types/core/v1.js';
import type {Amounts} from './amounts.js';
import {attributesClasses, isClaimInScope} from './claim-scopes.js';
import {countName, type QuotaEvaluator} from './evaluator.js';
import type {ScopeRequirement} from './quota-object.js';

const count = countName('', 'persistentvolumeclaims');
const claims = 'persistentvolumeclaims';
const storage = 'requests.storage';
const nanoPerUnit = 1_000_000_000n;

/**
 * Counts claims and the storage they request, in total and by storage class. A claim may grow; as long as a volume is larger than what is asked for any longer
 * (`RecoverVolumeExpansionFailure`), the volume counts. With `VolumeAttributesClass` quotas may count the claims of some classes.
 */
export class ClaimEvaluator implements QuotaEvaluator {
  readonly group = '';
  readonly resource = claims;
  readonly subresource = 'status';
  readonly #classInfix: string;
  readonly #classAnnotation: string;
  readonly #recovers: boolean;
  readonly #hasClasses: boolean;

  constructor(naming: NamingProfile, gates: FeatureGates) {
    this.#recovers = gates.enabled('RecoverVolumeExpansionFailure');
    this.#hasClasses = gates.enabled('VolumeAttributesClass');
    this.#classInfix = `.${naming.group('storageclass.storage.orch')}/`;
    this.#classAnnotation = naming.key('volume.beta.orch/storage-class');
  }

  mayUseLess(): boolean {
    return true;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  /** A status with another size of the volume, or another class. */
  handlesSubresource(object: ApiObject, old: ApiObject | undefined): boolean {
    const [now, before] = [object, old] as unknown as [PersistentVolumeClaim, PersistentVolumeClaim | undefined];
    if (!before) return true;
    if (this.#recovers && compareQuantities(allocated(now), allocated(before)) !== 0) return true;
    return this.#hasClasses && !sameValue([...attributesClasses(now)].sort(), [...attributesClasses(before)].sort());
  }

  counts(name: string): boolean {
    if (name === count || name === claims || name === storage) return true;
    return name.endsWith(this.#classInfix + claims) || name.endsWith(this.#classInfix + storage);
  }

  usage(object: ApiObject): Amounts {
    const claim = object as unknown as PersistentVolumeClaim;
    const usage: Record<string, string> = {[count]: '1', [claims]: '1'};
    const bytes = this.#bytesOf(claim);
    if (bytes !== undefined) usage[storage] = bytes;
    const ofClass = claim.metadata?.annotations?.[this.#classAnnotation] ?? claim.spec?.storageClassName;
    if (!ofClass) return usage;
    usage[ofClass + this.#classInfix + claims] = '1';
    if (bytes !== undefined) usage[ofClass + this.#classInfix + storage] = bytes;
    return usage;
  }

  #bytesOf(claim: PersistentVolumeClaim): string | undefined {
    const size = claim.spec?.resources?.requests?.['storage'];
    if (size === undefined) return undefined;
    const held = this.#recovers ? allocated(claim) : undefined;
    return wholeBytes(held !== undefined && compareQuantities(held, size) > 0 ? held : size);
  }

  missing(): undefined {
    return undefined;
  }

  isInScope(requirement: ScopeRequirement, object: ApiObject): boolean {
    return this.#hasClasses && isClaimInScope(requirement, object as unknown as PersistentVolumeClaim);
  }
}

/** What the volume of a claim has been or is being enlarged to. */
function allocated({status}: PersistentVolumeClaim): string | undefined {
  return status?.allocatedResources?.['storage'];
}

/** Storage counts in whole bytes, rounded up. */
function wholeBytes(size: string): string {
  const quantity = parseQuantity(size);
  if (!quantity || quantity.amount % nanoPerUnit === 0n) return size;
  return formatQuantity({...quantity, amount: (quantity.amount / nanoPerUnit + 1n) * nanoPerUnit});
}
