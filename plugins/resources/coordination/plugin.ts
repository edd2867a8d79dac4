import {age, FieldPath, invalid, strategy, type ApiObject, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';

interface Lease extends ApiObject {
  spec?: {
    holderIdentity?: string | null;
    leaseDurationSeconds?: number | null;
    leaseTransitions?: number | null;
  };
}

const specPath = FieldPath.of('spec');

/** Lease: who leads, or that a process lives. */
@strategy()
export class LeaseStrategy implements ResourceStrategy<Lease> {
  validateCreate({spec}: Lease): FieldError[] {
    const faults: FieldError[] = [];
    const {leaseDurationSeconds, leaseTransitions} = spec ?? {};
    if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
      faults.push(invalid(specPath.child('leaseDurationSeconds'), leaseDurationSeconds, 'must be greater than 0'));
    }
    if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
      faults.push(invalid(specPath.child('leaseTransitions'), leaseTransitions, 'must be greater than or equal to 0'));
    }
    return faults;
  }

  validateUpdate(object: Lease): FieldError[] {
    return this.validateCreate(object);
  }

  tableCells({spec, metadata}: Lease, now: Date): Record<string, string> {
    return {Holder: spec?.holderIdentity ?? '', Age: age(metadata.creationTimestamp, now)};
  }
}
