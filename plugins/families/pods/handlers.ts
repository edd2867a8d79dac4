import {FieldPath, forbiddenField, headerNameFaults, invalid, required, type FieldError} from '../../../sdk/index.js';
import {
  invalidFor,
  isGiven,
  validateNonNegativeMembers,
  validateOneOf,
  validatePortNumberOrName,
  validateText,
} from '../../../sdk/validation/index.js';
import type {Container, LifecycleHandler, PodSpec, Probe, ProbeHandler} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';
import {mayUse, type PodRules} from './pod-rules.js';
import {validateStopSignal} from './stop-signal.js';

type Handler = LifecycleHandler & ProbeHandler;

const handlerTypes = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** What a container's hooks depend on. */
interface LifecycleSurroundings {
  readonly rules: PodRules;
  readonly spec: PodSpec;
}

/** Errors in what a container runs when it starts and before it stops, and in the signal that stops it. */
export function validateLifecycle({lifecycle}: Container, path: FieldPath, {rules, spec}: LifecycleSurroundings): FieldError[] {
  if (!lifecycle) return [];
  const {postStart, preStop, stopSignal} = lifecycle;
  const at = path.child('lifecycle');
  const hooks = Object.entries({postStart, preStop});
  return [
    ...hooks.flatMap(([name, hook]) => (hook ? validateHandler(hook, at.child(name), validateSleep(hook, spec, rules)) : [])),
    ...(isGiven(stopSignal) ? validateStopSignal(stopSignal, spec.os?.name, at.child('stopSignal')) : []),
  ];
}

/** How long a container sleeps must fit into the time that its pod has to end. */
function validateSleep(
  {sleep}: Handler,
  {terminationGracePeriodSeconds: period}: PodSpec,
  rules: PodRules,
): (path: FieldPath) => FieldError[] {
  const seconds = Number(sleep?.seconds ?? 0);
  return (path) => {
    if (!isNumber(period) || (seconds > 0 && seconds <= period)) return [];
    const mayBeZero = mayUse(rules, 'PodLifecycleSleepActionAllowZero', sleepsForNoTime);
    if (mayBeZero)
      return seconds === 0 ? [] : [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${period})`)];
    const hint = 'Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.';
    return [invalid(path, seconds, `must be greater than 0 and less than terminationGracePeriodSeconds (${period}). ${hint}`)];
  };
}

function sleepsForNoTime(spec: PodSpec): boolean {
  return allContainers(spec, FieldPath.root).some(({container: {lifecycle}}) =>
    [lifecycle?.postStart, lifecycle?.preStop].some((hook) => hook?.sleep && Number(hook.sleep.seconds ?? 0) === 0),
  );
}

/** Errors in a container's probes. */
export function validateProbes({livenessProbe, readinessProbe, startupProbe}: Container, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
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

function validateHandler(handler: Handler, path: FieldPath, validateSleepAt: (path: FieldPath) => FieldError[] = () => []): FieldError[] {
  const given = handlerTypes.filter((type) => handler[type]);
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  const [first, ...others] = given;
  const more = others.map((type) => forbiddenField(path.child(type), 'may not specify more than 1 handler type'));
  const own = first === 'sleep' ? validateSleepAt(path.child('sleep')) : validateAction(handler, first!, path.child(first!));
  return [...own, ...more];
}

function validateAction(
  {exec, httpGet, tcpSocket, grpc}: ProbeHandler,
  type: Exclude<(typeof handlerTypes)[number], 'sleep'>,
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
