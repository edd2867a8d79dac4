import {invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isZeroIntOrPercent, validateAtMostHundredPercent, validateIntOrPercent} from '../../../sdk/validation/index.js';
import type {RollingUpdateDeployment} from '../../../sdk/types/unchecked/apps/v1.js';

/** A deployment can replace its pods only if at least one may be unavailable or surplus. */
export function validateDeploymentRollingUpdate({maxUnavailable, maxSurge}: RollingUpdateDeployment, path: FieldPath): FieldError[] {
  const unavailable = maxUnavailable ?? 0;
  const surge = maxSurge ?? 0;
  const unavailablePath = path.child('maxUnavailable');
  const faults = [...validateIntOrPercent(unavailable, unavailablePath), ...validateIntOrPercent(surge, path.child('maxSurge'))];
  if (isZeroIntOrPercent(unavailable) && isZeroIntOrPercent(surge)) {
    faults.push(invalid(unavailablePath, unavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...faults, ...validateAtMostHundredPercent(unavailable, unavailablePath)];
}

/** A daemon set has one pod per node: either the old one goes first or the new one comes first. */
export function validateDaemonSetRollingUpdate({maxUnavailable, maxSurge}: RollingUpdateDeployment, path: FieldPath): FieldError[] {
  const unavailable = maxUnavailable ?? 0;
  const surge = maxSurge ?? 0;
  const unavailablePath = path.child('maxUnavailable');
  const surgePath = path.child('maxSurge');
  const faults = [
    ...validateIntOrPercent(unavailable, unavailablePath),
    ...validateIntOrPercent(surge, surgePath),
    ...validateAtMostHundredPercent(unavailable, unavailablePath),
    ...validateAtMostHundredPercent(surge, surgePath),
  ];
  const mayBeAway = !isZeroIntOrPercent(unavailable);
  const mayBeTwo = !isZeroIntOrPercent(surge);
  if (mayBeAway && mayBeTwo) faults.push(invalid(surgePath, surge, 'may not be set when maxUnavailable is non-zero'));
  if (!mayBeAway && !mayBeTwo) faults.push(required(unavailablePath, 'cannot be 0 when maxSurge is 0'));
  return faults;
}
