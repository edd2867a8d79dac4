import {duplicate, invalid, notSupported, required, tooLong, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import type {Unchecked} from '../objects/unchecked.js';
import {qualifiedNameFaults} from '../values/qualified-name.js';
import type * as meta from '../types/meta/v1.js';

export type Condition = Unchecked<meta.Condition>;

const statuses = ['True', 'False', 'Unknown'];
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reason = new RegExp(`^${reasonPattern}$`);
const maximumReason = 1024;
const maximumMessage = 32 * 1024;

/** Errors in the conditions of a status. */
export function validateConditions(conditions: readonly Condition[] | undefined, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap((condition, index) => {
    const at = path.index(index);
    const type = condition.type ?? '';
    const faults = seen.has(type) ? [duplicate(at.child('type'), type)] : [];
    seen.add(type);
    return [...faults, ...validateCondition(condition, at)];
  });
}

function validateCondition(
  {type = '', status = '', observedGeneration = 0, lastTransitionTime, reason: text = '', message = ''}: Condition,
  path: FieldPath,
): FieldError[] {
  const faults = qualifiedNameFaults(type).map((detail) => invalid(path.child('type'), type, detail));
  if (!statuses.includes(status)) faults.push(notSupported(path.child('status'), status, statuses));
  if (observedGeneration < 0)
    faults.push(invalid(path.child('observedGeneration'), observedGeneration, 'must be greater than or equal to zero'));
  if (!lastTransitionTime) faults.push(required(path.child('lastTransitionTime'), 'must be set'));
  faults.push(...reasonFaults(text, path.child('reason')));
  if (Buffer.byteLength(message) > maximumMessage) faults.push(tooLong(path.child('message'), maximumMessage));
  return faults;
}

function reasonFaults(text: string, path: FieldPath): FieldError[] {
  if (text === '') return [required(path, 'must be set')];
  // Length first: there is no point in matching a string that is far too long.
  if (Buffer.byteLength(text) > maximumReason) return [tooLong(path, maximumReason)];
  if (reason.test(text)) return [];
  const rule =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
  return [
    invalid(
      path,
      text,
      `${rule} (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`,
    ),
  ];
}
