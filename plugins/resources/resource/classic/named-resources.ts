import {dnsSubdomainFaults, duplicate, invalid, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {invalidFor, isGiven} from '../../../../sdk/validation/index.js';
import type {
  NamedResourcesAttribute,
  NamedResourcesInstance,
  StructuredResourceHandle,
} from '../../../../sdk/types/unchecked/resource/v1alpha2.js';

const number = String.raw`(0|[1-9]\d*)`;
const prerelease = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const build = '[0-9a-zA-Z-]+';
const semanticVersion = new RegExp(
  String.raw`^${number}\.${number}\.${number}(-${prerelease}(\.${prerelease})*)?(\+${build}(\.${build})*)?$`,
);

/** The kinds of values that an attribute may have, in the order of errors. */
const valueKinds = ['bool', 'int', 'intSlice', 'quantity', 'string', 'stringSlice', 'version'] as const;

/** The error of a place that has none of the models of structured parameters; there is only one in 1.30. */
export function missingModel(path: FieldPath): FieldError {
  return required(path, 'exactly one structured model field must be set');
}

/** Errors in the instances of a slice: their names, and those and the values of their attributes. */
export function instanceFaults(instances: readonly NamedResourcesInstance[] | undefined | null, path: FieldPath): FieldError[] {
  return namedFaults(instances, path, ({attributes}, at) => namedFaults(attributes, at.child('attributes'), attributeFaults));
}

/** Errors in what a scheduler has allocated for a claim by structured parameters. */
export function structuredHandleFaults({nodeName, results}: StructuredResourceHandle, path: FieldPath): FieldError[] {
  const faults = nodeName ? invalidFor(path.child('nodeName'), nodeName, dnsSubdomainFaults(nodeName)) : [];
  const resultsPath = path.child('results');
  const own = (results ?? []).flatMap(({namedResources}, index) => {
    const at = resultsPath.index(index);
    return namedResources ? nameFaults(namedResources.name, at.child('namedResources')) : [missingModel(at)];
  });
  return [...faults, ...own];
}

function namedFaults<T extends {readonly name?: string | null | undefined}>(
  items: readonly T[] | undefined | null,
  path: FieldPath,
  check: (item: T, path: FieldPath) => readonly FieldError[],
): FieldError[] {
  const seen = new Set<string>();
  return (items ?? []).flatMap((item, index) => {
    const at = path.index(index);
    const name = item.name ?? '';
    const faults = nameFaults(name, at);
    if (seen.has(name)) faults.push(duplicate(at.child('name'), name));
    seen.add(name);
    return [...faults, ...check(item, at)];
  });
}

function nameFaults(name: string | undefined | null, path: FieldPath): FieldError[] {
  return invalidFor(path.child('name'), name ?? '', dnsSubdomainFaults(name ?? ''));
}

function attributeFaults(attribute: NamedResourcesAttribute, path: FieldPath): FieldError[] {
  const {version} = attribute;
  const faults =
    isGiven(version) && !semanticVersion.test(version)
      ? [invalid(path.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0')]
      : [];
  const given = valueKinds.filter((kind) => isGiven(attribute[kind]));
  if (given.length === 0) faults.push(required(path, 'exactly one value must be set'));
  if (given.length > 1) faults.push(invalid(path, given, 'exactly one field must be set, not several'));
  return faults;
}
