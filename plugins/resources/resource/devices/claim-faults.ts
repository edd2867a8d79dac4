import {invalid, notSupported, required, tooLong, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceConfiguration,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateList, validateSet, type Finding} from './findings.js';
import {jsonObjectFaults, maximumOpaqueBytes} from './json-object-faults.js';
import {validateClassName, validateDriver, validateFullyQualifiedName, validateLabelName} from './names.js';
import {RequestNames} from './request-names.js';
import {validateToleration} from './taints.js';

const maximumRequests = 32;
const maximumAlternatives = 8;
const maximumConstraints = 32;
const maximumConfigurations = 32;
const maximumSelectors = 32;
/** Of one expression, in bytes. */
const longestExpression = 10 * 1024;

/** Errors in the spec of a claim or claim template. @param hasDistinct whether a constraint may ask for attributes that differ */
export function claimSpecFaults(spec: ResourceClaimSpec, path: FieldPath, hasDistinct: boolean): Finding[] {
  const devices: DeviceClaim = spec.devices ?? {};
  const at = path.child('devices');
  const names = RequestNames.of(devices);
  return [
    ...validateSet(devices.requests, maximumRequests, at.child('requests'), validateRequest, ({name = ''}) => name),
    ...validateList(devices.constraints, maximumConstraints, at.child('constraints'), (constraint, place) =>
      validateConstraint(constraint, place, names, hasDistinct),
    ),
    ...validateList(devices.config, maximumConfigurations, at.child('config'), (entry, place) => [
      ...names.validateReferences(entry.requests, maximumRequests, place.child('requests')),
      ...validateConfiguration(entry, place, false),
    ]),
  ];
}

/** Errors in the configuration of a claim or class, or of the devices of a claim. @param isStored whether it was stored before: it may be of any size then */
export function validateConfiguration({opaque}: DeviceConfiguration, path: FieldPath, isStored: boolean): FieldError[] {
  const at = path.child('opaque');
  if (!opaque) return [required(at)];
  return [
    ...validateDriver(opaque.driver, at.child('driver')),
    ...jsonObjectFaults(opaque.parameters, at.child('parameters'), isStored ? Infinity : maximumOpaqueBytes),
  ];
}

export function validateSelectors(selectors: readonly DeviceSelector[] | undefined | null, path: FieldPath): Finding[] {
  return validateList(selectors, maximumSelectors, path, ({cel}, place): Finding[] => {
    if (!cel) return [required(place.child('cel'))];
    const {expression = ''} = cel;
    const at = place.child('cel', 'expression');
    return Buffer.byteLength(expression) > longestExpression ? [tooLong(at, longestExpression)] : [{expression, path: at}];
  });
}

function validateRequest({name, exactly, firstAvailable}: DeviceRequest, path: FieldPath): Finding[] {
  const hasAlternatives = (firstAvailable ?? []).length > 0;
  return [
    ...validateLabelName(name, path.child('name')),
    ...(exactly && hasAlternatives
      ? [invalid(path, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set')]
      : exactly
        ? validateDevices(exactly, path.child('exactly'))
        : hasAlternatives
          ? validateSet(firstAvailable, maximumAlternatives, path.child('firstAvailable'), validateAlternative, (each) => each.name ?? '')
          : [required(path, 'exactly one of `exactly` or `firstAvailable` is required')]),
  ];
}

function validateAlternative(request: DeviceSubRequest, path: FieldPath): Finding[] {
  return [...validateLabelName(request.name, path.child('name')), ...validateDevices(request, path)];
}

function validateDevices(request: ExactDeviceRequest | DeviceSubRequest, path: FieldPath): Finding[] {
  return [
    ...validateClassName(request.deviceClassName, path.child('deviceClassName')),
    ...validateSelectors(request.selectors, path.child('selectors')),
    ...validateAmount(request, path),
    ...(request.tolerations ?? []).flatMap((toleration, index) => validateToleration(toleration, path.child('tolerations').index(index))),
  ];
}

function validateAmount({allocationMode = '', count = 0}: ExactDeviceRequest | DeviceSubRequest, path: FieldPath): FieldError[] {
  const at = path.child('count');
  switch (allocationMode) {
    case 'All':
      return Number(count) === 0 ? [] : [invalid(at, count, "must not be specified when allocationMode is 'All'")];
    case 'ExactCount':
      return Number(count) > 0 ? [] : [invalid(at, count, 'must be greater than zero')];
    default:
      return [notSupported(path.child('allocationMode'), allocationMode, ['All', 'ExactCount'])];
  }
}

function validateConstraint(constraint: DeviceConstraint, path: FieldPath, names: RequestNames, hasDistinct: boolean): FieldError[] {
  const {requests, matchAttribute, distinctAttribute} = constraint;
  return [...names.validateReferences(requests, maximumRequests, path.child('requests')), ...attributeFaults()];

  function attributeFaults(): FieldError[] {
    if (typeof matchAttribute === 'string') return validateFullyQualifiedName(matchAttribute, path.child('matchAttribute'));
    if (typeof distinctAttribute === 'string') return validateFullyQualifiedName(distinctAttribute, path.child('distinctAttribute'));
    // Kubernetes says so although none is set.
    return hasDistinct
      ? [required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')]
      : [required(path.child('matchAttribute'))];
  }
}
