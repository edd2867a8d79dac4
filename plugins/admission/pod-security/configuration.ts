import {dnsLabelFaults, dnsSubdomainFaults, type JsonObject, type JsonValue, type NamingProfile} from '../../../sdk/index.js';
import {modes, type Mode, type Policy} from './policy.js';
import {levelFault, parseLevel, parseVersion, versionFault, type Standard} from './standard.js';

/** The operator's configuration for all namespaces. */
export interface PodSecurityConfiguration {
  /** Used if a namespace lacks the label. */
  readonly defaults: Policy;
  /** Exemptions. */
  readonly exemptions: Readonly<Record<ExemptionKind, ReadonlySet<string>>>;
}

type ExemptionKind = keyof typeof exemptionFaults;

const exemptionFaults = {
  usernames: (text: string) => (text === '' ? ['username must not be empty'] : []),
  namespaces: dnsLabelFaults,
  runtimeClasses: dnsSubdomainFaults,
};
const versions = ['v1', 'v1beta1', 'v1alpha1'];
const standardMembers = modes.flatMap((mode) => [mode, `${mode}-version`]);

/**
 * Reads a `PodSecurityConfiguration`. Without one, nothing is restricted except by namespace labels.
 *
 * @throws Error that lists everything that is wrong with it
 */
export function readConfiguration(given: JsonObject | undefined, naming: NamingProfile): PodSecurityConfiguration {
  const faults: string[] = [];
  const configuration = given ?? {};
  if (given) checkType(given, naming, faults);
  const defaults = objectAt(configuration, 'defaults', standardMembers, faults);
  const exemptions = objectAt(configuration, 'exemptions', Object.keys(exemptionFaults), faults);
  const read = {
    defaults: {
      enforce: standardAt(defaults, 'enforce', faults),
      audit: standardAt(defaults, 'audit', faults),
      warn: standardAt(defaults, 'warn', faults),
    },
    exemptions: {
      usernames: namesAt(exemptions, 'usernames', faults),
      namespaces: namesAt(exemptions, 'namespaces', faults),
      runtimeClasses: namesAt(exemptions, 'runtimeClasses', faults),
    },
  };
  if (faults.length > 0) throw new Error(faults.join('; '));
  return read;
}

function checkType(given: JsonObject, naming: NamingProfile, faults: string[]): void {
  const group = naming.group('pod-security.admission.config.orch');
  const {apiVersion, kind, ...rest} = given;
  if (!versions.some((version) => apiVersion === `${group}/${version}`)) {
    faults.push(`apiVersion: must be ${group}/v1 (or v1beta1, v1alpha1)`);
  }
  if (kind !== 'PodSecurityConfiguration') faults.push('kind: must be PodSecurityConfiguration');
  checkMembers(rest, '', ['defaults', 'exemptions'], faults);
}

function checkMembers(object: JsonObject, at: string, known: readonly string[], faults: string[]): void {
  for (const member of Object.keys(object)) if (!known.includes(member)) faults.push(`${at}${member}: unknown field`);
}

function objectAt(parent: JsonObject, member: string, known: readonly string[], faults: string[]): JsonObject {
  const value = parent[member] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    faults.push(`${member}: must be an object`);
    return {};
  }
  checkMembers(value as JsonObject, `${member}.`, known, faults);
  return value as JsonObject;
}

function standardAt(defaults: JsonObject, mode: Mode, faults: string[]): Standard {
  const text = (member: string, otherwise: string) => {
    const value = defaults[member];
    return value === undefined || value === null || value === '' ? otherwise : String(value);
  };
  const level = parseLevel(text(mode, 'privileged'));
  const version = parseVersion(text(`${mode}-version`, 'latest'));
  if (level === undefined) faults.push(`defaults.${mode}: ${levelFault}`);
  if (version === undefined) faults.push(`defaults.${mode}-version: ${versionFault}`);
  return {level: level ?? 'restricted', version: version ?? 'latest'};
}

function namesAt(exemptions: JsonObject, kind: ExemptionKind, faults: string[]): ReadonlySet<string> {
  const value: JsonValue = exemptions[kind] ?? [];
  const names = new Set<string>();
  if (!Array.isArray(value)) {
    faults.push(`exemptions.${kind}: must be a list`);
    return names;
  }
  value.forEach((name, index) => {
    const wrong = typeof name === 'string' ? exemptionFaults[kind](name) : ['must be a string'];
    if (wrong.length === 0 && names.has(String(name))) wrong.push('is there twice');
    if (wrong.length > 0) faults.push(`exemptions.${kind}[${index}]: ${wrong.join(', ')}`);
    else names.add(String(name));
  });
  return names;
}
