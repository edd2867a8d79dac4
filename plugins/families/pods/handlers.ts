import {forbiddenField, headerNameFaults, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {
  invalidFor,
  validateNonNegativeMembers,
  validateOneOf,
  validatePortNumberOrName,
  validateText,
} from '../../../sdk/validation/index.js';
import type {Container, Probe, ProbeHandler} from '../../../sdk/types/unchecked/core/v1.js';

const handlerTypes = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Errors in a container's probes and lifecycle hooks. */
export function validateProbes({livenessProbe, readinessProbe, startupProbe, lifecycle}: Container, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (lifecycle?.postStart) faults.push(...validateHandler(lifecycle.postStart, path.child('lifecycle', 'postStart')));
  if (lifecycle?.preStop) faults.push(...validateHandler(lifecycle.preStop, path.child('lifecycle', 'preStop')));
  if (livenessProbe)
    faults.push(...validateProbe(livenessProbe, path.child('livenessProbe')), ...singleSuccess(livenessProbe, path.child('livenessProbe')));
  if (readinessProbe) {
    const at = path.child('readinessProbe');
    const {terminationGracePeriodSeconds: period} = readinessProbe;
    faults.push(...validateProbe(readinessProbe, at));
    if (isNumber(period)) faults.push(invalid(at.child('terminationGracePeriodSeconds'), period, 'must not be set for readinessProbes'));
  }
  if (startupProbe)
    faults.push(...validateProbe(startupProbe, path.child('startupProbe')), ...singleSuccess(startupProbe, path.child('startupProbe')));
  return faults;
}

function validateProbe(probe: Probe, path: FieldPath): FieldError[] {
  const faults = validateHandler(probe, path);
  const numbers = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;
  faults.push(...validateNonNegativeMembers(probe, numbers, path));
  const {terminationGracePeriodSeconds: period} = probe;
  if (isNumber(period) && period <= 0) faults.push(invalid(path.child('terminationGracePeriodSeconds'), period, 'must be greater than 0'));
  return faults;
}

/** Liveness and startup probes succeed after a single success. */
function singleSuccess({successThreshold = 0}: Probe, path: FieldPath): FieldError[] {
  return successThreshold === 1 ? [] : [invalid(path.child('successThreshold'), successThreshold, 'must be 1')];
}

function validateHandler(handler: ProbeHandler, path: FieldPath): FieldError[] {
  const given = handlerTypes.filter((type) => handler[type]);
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  const [first, ...others] = given;
  const more = others.map((type) => forbiddenField(path.child(type), 'may not specify more than 1 handler type'));
  return [...validateAction(handler, first!, path.child(first!)), ...more];
}

function validateAction(
  {exec, httpGet, tcpSocket, grpc}: ProbeHandler,
  type: (typeof handlerTypes)[number],
  path: FieldPath,
): FieldError[] {
  switch (type) {
    case 'exec':
      return exec?.command?.length ? [] : [required(path.child('command'))];
    case 'httpGet':
      return [
        ...validateText(httpGet?.path, path.child('path')),
        ...validatePortNumberOrName(httpGet?.port, path.child('port')),
        ...validateOneOf(httpGet?.scheme, ['HTTP', 'HTTPS'], path.child('scheme')),
        ...(httpGet?.httpHeaders ?? []).flatMap(({name = ''}) => invalidFor(path.child('httpHeaders'), name, headerNameFaults(name))),
      ];
    case 'tcpSocket':
      return validatePortNumberOrName(tcpSocket?.port, path.child('port'));
    case 'grpc':
      return validatePortNumberOrName(grpc?.port, path.child('port'));
  }
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number';
}
