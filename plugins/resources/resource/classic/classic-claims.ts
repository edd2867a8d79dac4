import {FieldPath, type FieldError, type StrategyContext} from '../../../../sdk/index.js';
import {validateImmutable} from '../../../../sdk/validation/index.js';
import type {ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1alpha1.js';
import {claimSpecFaults} from './claim-spec-rules.js';
import {claimStatusFaults} from './claim-status-rules.js';

const specPath = FieldPath.of('spec');

/** Claims as they were until 1.30: a request for a resource that one driver provides. The request is immutable. */
export class ClassicClaims {
  validateCreate({spec}: ResourceClaim): FieldError[] {
    return claimSpecFaults(spec ?? {}, specPath);
  }

  validateUpdate(object: ResourceClaim, old: ResourceClaim, context: StrategyContext): FieldError[] {
    if (context.subresource === 'status') return claimStatusFaults(object, old, context.version);
    return [...this.validateCreate(object), ...validateImmutable(object.spec, old.spec, specPath)];
  }

  tableCells(object: ResourceClaim): Record<string, string> {
    return {State: stateText(object)};
  }
}

function stateText({metadata, status}: ResourceClaim): string {
  const deleted = Boolean(metadata.deletionTimestamp);
  const words = deleted ? ['deleted'] : [];
  if (!status?.allocation) {
    if (!deleted) words.push('pending');
    return words.join(',');
  }
  words.push('allocated');
  if ((status.reservedFor ?? []).length > 0) words.push('reserved');
  else if (deleted || status.deallocationRequested) words.push('deallocating');
  return words.join(',');
}
