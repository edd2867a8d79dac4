import {
  duplicate,
  FieldPath,
  forbiddenField,
  invalid,
  labelValueFaults,
  qualifiedNameFaults,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import {parseCidr} from '../../../sdk/net/index.js';
import {invalidFor, sameValue, validateOneOf} from '../../../sdk/validation/index.js';
import type {Node, Taint} from '../../../sdk/types/unchecked/core/v1.js';
import {cidrFieldFaults} from '../../families/addresses/address-fields.js';
import {cidrWarnings} from '../../families/addresses/address-warnings.js';
import {validateResourceAmount} from '../../families/pods/resource-requirements.js';
import {taintEffects} from '../../families/pods/tolerations.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');

/** Errors that apply to new and changed nodes. */
export function nodeFaults({spec = {}, status = {}}: Node, naming: NamingProfile, gates: FeatureGates): FieldError[] {
  return [
    ...taintFaults(spec.taints ?? [], specPath.child('taints')),
    ...amountFaults(status.capacity, statusPath.child('capacity'), naming),
    ...amountFaults(status.allocatable, statusPath.child('allocatable'), naming),
    ...featureFaults(status.declaredFeatures ?? [], statusPath.child('declaredFeatures')),
    ...cidrFaults(spec.podCIDRs ?? [], specPath.child('podCIDRs'), gates),
  ];
}

/** Warnings about what nodes have in vain, or should have in another form, in Kubernetes' words. */
export function nodeWarnings({spec = {}}: Node, gates: FeatureGates): string[] {
  const warnings = spec.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : [];
  if (!gates.enabled('AddressForms')) return warnings;
  return [...warnings, ...(spec.podCIDRs ?? []).flatMap((cidr, index) => cidrWarnings(cidr, specPath.child('podCIDRs').index(index)))];
}

/** Errors in a change: what identifies a node is set once. */
export function nodeUpdateFaults({spec = {}, status = {}}: Node, old: Node): FieldError[] {
  const before = old.spec ?? {};
  const faults: FieldError[] = [];
  if (before.podCIDRs?.length && !sameValue(spec.podCIDRs, before.podCIDRs)) {
    faults.push(forbiddenField(specPath.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  }
  if (before.providerID && spec.providerID !== before.providerID) {
    faults.push(forbiddenField(specPath.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  }
  if ((before.externalID ?? '') !== (spec.externalID ?? ''))
    faults.push(forbiddenField(specPath.child('externalID'), 'may not be updated'));
  const addresses = new Set<string>();
  for (const [index, address] of (status.addresses ?? []).entries()) {
    const text = JSON.stringify([address.type, address.address]);
    if (addresses.has(text)) faults.push(duplicate(statusPath.child('addresses').index(index), address));
    addresses.add(text);
  }
  return faults;
}

function taintFaults(taints: readonly Taint[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = path.index(index);
    const {key = '', value = '', effect} = taint;
    const faults = invalidFor(at.child('key'), key, qualifiedNameFaults(key));
    const details = labelValueFaults(value);
    if (details.length > 0) faults.push(invalid(at.child('value'), value, details.join(';')));
    faults.push(...validateOneOf(effect, taintEffects, at.child('effect')));
    const pair = JSON.stringify([key, effect]);
    if (seen.has(pair)) {
      const fault = duplicate(at, taint);
      faults.push({...fault, body: `${fault.body}: taints must be unique by key and effect pair`});
    }
    seen.add(pair);
    return faults;
  });
}

function amountFaults(amounts: Readonly<Record<string, string>> | undefined, path: FieldPath, naming: NamingProfile): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => validateResourceAmount(name, amount, path.child(name), naming));
}

function cidrFaults(cidrs: readonly string[], path: FieldPath, gates: FeatureGates): FieldError[] {
  const faults = cidrs.flatMap((cidr, index) => cidrFieldFaults(cidr, path.index(index), gates));
  const families = cidrs.map((cidr) => parseCidr(cidr)?.family);
  if (cidrs.length > 2 || new Set(families).size < families.length) {
    faults.push(invalid(path, cidrs, 'may specify no more than one CIDR for each IP family'));
  }
  return faults;
}

/** Features that a node says it has: sorted, each once. */
function featureFaults(features: readonly string[], path: FieldPath): FieldError[] {
  return features.flatMap((name, index) => {
    const before = features[index - 1];
    const at = path.index(index);
    const faults: FieldError[] = [];
    if (before === name) faults.push(duplicate(at, name));
    else if (before !== undefined && before > name) faults.push(invalid(at, name, 'list must be sorted alphabetically'));
    return [
      ...faults,
      ...featureNameFaults(name).map((detail) => invalid(at, name, `invalid feature name ${JSON.stringify(name)}: ${detail}`)),
    ];
  });
}

function featureNameFaults(name: string): string[] {
  if (name.length > 253) return ['must be no more than 253 characters'];
  if (/^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(name)) return [];
  return [
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes",
  ];
}
