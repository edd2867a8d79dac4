import {formatQuantity, parseQuantity, type AdmissionOperation, type ApiObject, type NamingProfile} from '../../../sdk/index.js';
import type {PersistentVolumeClaim} from '../../../sdk/types/core/v1.js';
import type {Amounts} from './amounts.js';
import {countName, type QuotaEvaluator} from './evaluator.js';

const count = countName('', 'persistentvolumeclaims');
const claims = 'persistentvolumeclaims';
const storage = 'requests.storage';
const nanoPerUnit = 1_000_000_000n;

/** Counts claims and the storage they request, in total and by storage class. A claim may grow. */
export class ClaimEvaluator implements QuotaEvaluator {
  readonly group = '';
  readonly resource = claims;
  readonly #classInfix: string;
  readonly #classAnnotation: string;

  constructor(naming: NamingProfile) {
    this.#classInfix = `.${naming.group('storageclass.storage.orch')}/`;
    this.#classAnnotation = naming.key('volume.beta.orch/storage-class');
  }

  mayUseLess(): boolean {
    return true;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  counts(name: string): boolean {
    if (name === count || name === claims || name === storage) return true;
    return name.endsWith(this.#classInfix + claims) || name.endsWith(this.#classInfix + storage);
  }

  usage(object: ApiObject): Amounts {
    const claim = object as unknown as PersistentVolumeClaim;
    const usage: Record<string, string> = {[count]: '1', [claims]: '1'};
    const size = claim.spec?.resources?.requests?.['storage'];
    const bytes = size === undefined ? undefined : wholeBytes(size);
    if (bytes !== undefined) usage[storage] = bytes;
    const ofClass = claim.metadata?.annotations?.[this.#classAnnotation] ?? claim.spec?.storageClassName;
    if (!ofClass) return usage;
    usage[ofClass + this.#classInfix + claims] = '1';
    if (bytes !== undefined) usage[ofClass + this.#classInfix + storage] = bytes;
    return usage;
  }

  missing(): undefined {
    return undefined;
  }

  isInScope(): boolean {
    return false;
  }
}

/** Storage counts in whole bytes, rounded up. */
function wholeBytes(size: string): string {
  const quantity = parseQuantity(size);
  if (!quantity || quantity.amount % nanoPerUnit === 0n) return size;
  return formatQuantity({...quantity, amount: (quantity.amount / nanoPerUnit + 1n) * nanoPerUnit});
}
