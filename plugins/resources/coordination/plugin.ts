import {FieldPath, invalid, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import type {Lease} from '../../../sdk/types/unchecked/coordination/v1.js';

export {LeaseCandidateStrategy} from './lease-candidate-strategy.js';

const specPath = FieldPath.of('spec');

/** Lease: who is the leader, or that a process is alive. */
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

  tableCells({spec}: Lease): Record<string, string> {
    return {Holder: spec?.holderIdentity ?? ''};
  }
}
