import {
  dataKeyFaults,
  FieldPath,
  invalid,
  notSupported,
  qualifiedNameFaults,
  required,
  strategy,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {invalidFor, validateImmutable} from '../../../sdk/validation/index.js';
import type {LeaseCandidate, LeaseCandidateSpec} from '../../../sdk/types/unchecked/coordination/v1beta1.js';
import {compareSemanticVersions, parseSemanticVersion, type SemanticVersion} from './semantic-version.js';

const namePath = FieldPath.of('metadata', 'name');
const leasePath = FieldPath.of('spec', 'leaseName');
const binaryPath = FieldPath.of('spec', 'binaryVersion');
const emulationPath = FieldPath.of('spec', 'emulationVersion');
const strategyPath = FieldPath.of('spec', 'strategy');
const oldestEmulationVersion = 'OldestEmulationVersion';
const noVersion = 'must be a valid semantic version';
const zero: SemanticVersion = {numbers: [0n, 0n, 0n], prerelease: []};

/** LeaseCandidate: a process that could hold a lease, and its version, by which the holder is chosen. */
@strategy()
export class LeaseCandidateStrategy implements ResourceStrategy<LeaseCandidate> {
  validateCreate({metadata: {name = ''}, spec = {}}: LeaseCandidate): FieldError[] {
    return [...(name === '' ? [] : invalidFor(namePath, name, dataKeyFaults(name))), ...specFaults(spec)];
  }

  validateUpdate({spec = {}}: LeaseCandidate, old: LeaseCandidate): FieldError[] {
    return [...specFaults(spec), ...validateImmutable(spec.leaseName, old.spec?.leaseName, leasePath)];
  }

  tableCells({spec}: LeaseCandidate): Record<string, string> {
    return {EmulationVersion: spec?.emulationVersion ?? ''};
  }
}

function specFaults({leaseName, binaryVersion = '', emulationVersion = '', strategy: chosen = ''}: LeaseCandidateSpec): FieldError[] {
  const faults = leaseName ? [] : [required(leasePath)];
  const emulation = emulationVersion === '' ? zero : parseSemanticVersion(emulationVersion);
  if (!emulation) faults.push(invalid(emulationPath, emulationVersion, noVersion));
  const binary = binaryVersion === '' ? zero : parseSemanticVersion(binaryVersion);
  if (binaryVersion === '') faults.push(required(binaryPath));
  else if (!binary) faults.push(invalid(binaryPath, binaryVersion, noVersion));
  if (binaryVersion !== '' && emulationVersion !== '' && compareSemanticVersions(binary ?? zero, emulation ?? zero) < 0)
    faults.push(invalid(binaryPath, binaryVersion, 'must be greater than or equal to `emulationVersion`'));
  if (chosen === '') return [...faults, required(strategyPath)];
  if (chosen === oldestEmulationVersion && compareSemanticVersions(emulation ?? zero, zero) === 0)
    faults.push(required(emulationPath, `must be specified when \`strategy\` is '${oldestEmulationVersion}'`));
  return [...faults, ...strategyFaults(chosen)];
}

/** Kubernetes names the member twice in the paths of these errors. */
function strategyFaults(name: string): FieldError[] {
  const path = strategyPath.child('strategy');
  if (name.includes('/')) return invalidFor(path, name, qualifiedNameFaults(name));
  return name === oldestEmulationVersion ? [] : [notSupported(path, name, [oldestEmulationVersion])];
}
