import {FieldPath, forbiddenField, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import {validateOneOf} from '../../../sdk/validation/index.js';
import type {QueuingConfiguration} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';
import type {LimitedPriorityLevel, PriorityLevelSpec} from '../../families/flow-control/flow-types.js';
import {exemptName} from '../../families/flow-control/mandatory-objects.js';
import {sharesField} from '../../families/flow-control/shares-field.js';

const specPath = FieldPath.of('spec');
const limitedPath = specPath.child('limited');
const exemptPath = specPath.child('exempt');
const notNegative = 'must be a non-negative integer';
const responsePath = limitedPath.child('limitResponse');
const queuingPath = responsePath.child('queuing');
const maximumQueues = 10_000_000;
/** Queues are selected by a hash with this many usable bits. */
const maximumEntropyBits = 60;

/**
 * Errors in the spec of a priority level, with the field names of the version.
 *
 * @param mayBeZero whether a level may have no shares and live on what others lend
 */
export function priorityLevelFaults(
  name: string,
  {type = '', limited, exempt}: PriorityLevelSpec,
  version: string,
  mayBeZero: boolean,
): FieldError[] {
  const typePath = specPath.child('type');
  const faults =
    (name === exemptName) === (type === 'Exempt') ? [] : [invalid(typePath, type, "type must be 'Exempt' if and only if name is 'exempt'")];
  if (type === 'Exempt') {
    if (limited) faults.push(forbiddenField(limitedPath, 'must be nil if the type is not Limited'));
    if (exempt) faults.push(...exemptFaults(exempt));
    return faults;
  }
  if (type !== 'Limited') return [...faults, notSupported(typePath, type, ['Exempt', 'Limited'])];
  if (exempt) faults.push(forbiddenField(exemptPath, 'must be nil if the type is Limited'));
  if (limited) faults.push(...limitedFaults(limited, version, mayBeZero));
  else faults.push(required(limitedPath, 'must not be empty when type is Limited'));
  return faults;
}

function exemptFaults({nominalConcurrencyShares, lendablePercent}: NonNullable<PriorityLevelSpec['exempt']>): FieldError[] {
  const faults: FieldError[] = [];
  if (typeof nominalConcurrencyShares === 'number' && nominalConcurrencyShares < 0)
    faults.push(invalid(exemptPath.child('nominalConcurrencyShares'), nominalConcurrencyShares, notNegative));
  return [...faults, ...lendableFaults(lendablePercent, exemptPath)];
}

function lendableFaults(percent: number | null | undefined, path: FieldPath): FieldError[] {
  if (typeof percent !== 'number' || (percent >= 0 && percent <= 100)) return [];
  return [invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive')];
}

function limitedFaults(limited: LimitedPriorityLevel, version: string, mayBeZero: boolean): FieldError[] {
  const {lendablePercent, borrowingLimitPercent} = limited;
  const field = sharesField(version);
  const shares = limited[field] ?? 0;
  const faults =
    shares > 0 || (mayBeZero && shares === 0)
      ? []
      : [invalid(limitedPath.child(field), shares, mayBeZero ? notNegative : 'must be positive')];
  faults.push(...limitResponseFaults(limited.limitResponse ?? {}), ...lendableFaults(lendablePercent, limitedPath));
  if (typeof borrowingLimitPercent === 'number' && borrowingLimitPercent < 0) {
    faults.push(invalid(limitedPath.child('borrowingLimitPercent'), borrowingLimitPercent, 'if specified, must be a non-negative integer'));
  }
  return faults;
}

function limitResponseFaults({type, queuing}: NonNullable<LimitedPriorityLevel['limitResponse']>): FieldError[] {
  if (type === 'Reject') return queuing ? [forbiddenField(queuingPath, 'must be nil if limited.limitResponse.type is not Limited')] : [];
  if (type !== 'Queue') return validateOneOf(type, ['Queue', 'Reject'], responsePath.child('type'));
  return queuing ? queuingFaults(queuing) : [required(queuingPath, 'must not be empty if limited.limitResponse.type is Limited')];
}

function queuingFaults({queues = 0, handSize = 0, queueLengthLimit = 0}: QueuingConfiguration): FieldError[] {
  const faults: FieldError[] = [];
  const fault = (member: keyof QueuingConfiguration, value: number, detail: string) =>
    faults.push(invalid(queuingPath.child(member), value, detail));
  if (queueLengthLimit <= 0) fault('queueLengthLimit', queueLengthLimit, 'must be positive');
  if (queues <= 0) fault('queues', queues, 'must be positive');
  else if (queues > maximumQueues) fault('queues', queues, `must not be greater than ${maximumQueues}`);
  if (handSize <= 0) fault('handSize', handSize, 'must be positive');
  else if (handSize > queues) fault('handSize', handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > maximumEntropyBits) {
    fault(
      'handSize',
      handSize,
      `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maximumEntropyBits}`,
    );
  }
  return faults;
}
