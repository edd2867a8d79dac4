import {
  FieldPath,
  invalid,
  notSupported,
  qualifiedNameFaults,
  required,
  strategy,
  type ApiObject,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {invalidFor, validateImmutable} from '../../../sdk/validation/index.js';
import type {LeaseCandidateSpec as AlphaSpec} from '../../../sdk/types/unchecked/coordination/v1alpha1.js';
import type {LeaseCandidate, LeaseCandidateSpec} from '../../../sdk/types/unchecked/coordination/v1beta1.js';
import {compareSemanticVersions, parseSemanticVersion, type SemanticVersion} from '../../families/semantic-versions/semantic-version.js';

const leasePath = FieldPath.of('spec', 'leaseName');
const binaryPath = FieldPath.of('spec', 'binaryVersion');
const emulationPath = FieldPath.of('spec', 'emulationVersion');
const strategyPath = FieldPath.of('spec', 'strategy');
const oldestEmulationVersion = 'OldestEmulationVersion';
const newerThanEmulated = 'must be greater than or equal to `emulationVersion`';
const neededForOldest = `must be specified when \`strategy\` is '${oldestEmulationVersion}'`;
const noVersion = 'must be a valid semantic version';
const zero: SemanticVersion = {numbers: [0n, 0n, 0n], prerelease: []};

/** LeaseCandidate: a process that could hold a lease, and its version, by which the holder is chosen. */
@strategy()
export class LeaseCandidateStrategy implements ResourceStrategy<LeaseCandidate> {
  /** v1alpha1 has a list of strategies, of which the first counts. */
  convert(object: LeaseCandidate, {version}: {readonly version: string}): ApiObject {
    const {preferredStrategies, strategy: chosen, ...rest} = (object.spec ?? {}) as LeaseCandidateSpec & AlphaSpec;
    const preferred = preferredStrategies ?? (chosen ? [chosen] : []);
    if (version === 'v1alpha1') return {...object, spec: {...rest, preferredStrategies: preferred}} as ApiObject;
    const strategy = chosen ?? preferred[0];
    return {...object, spec: {...rest, ...(strategy === undefined ? {} : {strategy})}} as ApiObject;
  }

  validateCreate({spec = {}}: LeaseCandidate, {version}: StrategyContext): FieldError[] {
    return faultsIn(version, spec);
  }

  validateUpdate({spec = {}}: LeaseCandidate, old: LeaseCandidate, {version}: StrategyContext): FieldError[] {
    return [...faultsIn(version, spec), ...validateImmutable(spec.leaseName, old.spec?.leaseName, leasePath)];
  }

  tableCells({spec}: LeaseCandidate): Record<string, string> {
    return {EmulationVersion: spec?.emulationVersion ?? ''};
  }
}

function faultsIn(version: string, spec: LeaseCandidateSpec): FieldError[] {
  return version === 'v1alpha1' ? alphaSpecFaults(spec as AlphaSpec) : specFaults(spec);
}

/** In v1alpha1 the binary's version is required for the strategies of the platform alone. */
function alphaSpecFaults({leaseName, binaryVersion = '', emulationVersion = '', preferredStrategies}: AlphaSpec): FieldError[] {
  const faults = leaseName ? [] : [required(leasePath)];
  const emulation = emulationVersion === '' ? zero : parseSemanticVersion(emulationVersion);
  if (!emulation) faults.push(invalid(emulationPath, emulationVersion, noVersion));
  const binary = binaryVersion === '' ? zero : parseSemanticVersion(binaryVersion);
  if (!binary) faults.push(invalid(binaryPath, binaryVersion, noVersion));
  if (binaryVersion !== '' && emulationVersion !== '' && compareSemanticVersions(binary ?? zero, emulation ?? zero) < 0)
    faults.push(invalid(binaryPath, binaryVersion, newerThanEmulated));
  for (const [index, name] of (preferredStrategies ?? []).entries()) {
    if (name === oldestEmulationVersion) {
      if (compareSemanticVersions(binary ?? zero, zero) === 0) faults.push(required(binaryPath, neededForOldest));
      if (compareSemanticVersions(emulation ?? zero, zero) === 0) faults.push(required(emulationPath, neededForOldest));
    }
    faults.push(...strategyFaults(name, FieldPath.of('spec', 'preferredStrategies').index(index).child('strategy')));
  }
  return faults;
}

function specFaults({leaseName, binaryVersion = '', emulationVersion = '', strategy: chosen = ''}: LeaseCandidateSpec): FieldError[] {
  const faults = leaseName ? [] : [required(leasePath)];
  const emulation = emulationVersion === '' ? zero : parseSemanticVersion(emulationVersion);
  if (!emulation) faults.push(invalid(emulationPath, emulationVersion, noVersion));
  const binary = binaryVersion === '' ? zero : parseSemanticVersion(binaryVersion);
  if (binaryVersion === '') faults.push(required(binaryPath));
  else if (!binary) faults.push(invalid(binaryPath, binaryVersion, noVersion));
  if (binaryVersion !== '' && emulationVersion !== '' && compareSemanticVersions(binary ?? zero, emulation ?? zero) < 0)
    faults.push(invalid(binaryPath, binaryVersion, newerThanEmulated));
  if (chosen === '') return [...faults, required(strategyPath)];
  if (chosen === oldestEmulationVersion && compareSemanticVersions(emulation ?? zero, zero) === 0)
    faults.push(required(emulationPath, neededForOldest));
  return [...faults, ...strategyFaults(chosen, strategyPath.child('strategy'))];
}

/** Kubernetes names the member twice in the paths of these errors. */
function strategyFaults(name: string, path: FieldPath): FieldError[] {
  if (name.includes('/')) return invalidFor(path, name, qualifiedNameFaults(name));
  return name === oldestEmulationVersion ? [] : [notSupported(path, name, [oldestEmulationVersion])];
}
