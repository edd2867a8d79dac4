import {
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Interruptible,
  type NamingProfile,
  type Schemas,
} from '../../../../sdk/index.js';
import {reviewVersions} from '../conversion/review-versions.js';
import {isConditionTrue, versionsOf, type CustomResourceDefinition} from '../custom-resource-definition.js';
import {someSchema} from '../schema-props.js';
import {approvalFaults} from './approval.js';
import {conversionFaults} from './conversion-faults.js';
import {commonBehaviour, type DefinitionBehaviour} from './definition-behaviour.js';
import {namesFaults} from './names-faults.js';
import {StoredRatcheting} from './stored-ratcheting.js';
import {versionFaults} from './version-faults.js';

/** What the validation of definitions needs from the server. */
export interface ValidationParts {
  readonly naming: NamingProfile;
  readonly schemas: Schemas;
  /** That of every release by default. */
  readonly behaviour?: DefinitionBehaviour;
}

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');

/** All errors in a new definition (Kubernetes' `ValidateCustomResourceDefinition`). */
export function* newDefinitionFaults(definition: CustomResourceDefinition, parts: ValidationParts): Interruptible<FieldError[]> {
  return [
    ...nameFaults(definition),
    ...(yield* specFaults(definition, undefined, parts)),
    ...statusFaults(definition),
    ...storedVersionFaults(definition, parts.behaviour),
    ...approvalFaults(definition, undefined, parts.naming),
  ];
}

/**
 * All errors in a changed definition: those of a new one, and changes to immutable fields (Kubernetes'
 * `ValidateCustomResourceDefinitionUpdate`). Some errors that already existed may stay; see `StoredRatcheting`.
 */
export function* changedDefinitionFaults(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  parts: ValidationParts,
): Interruptible<FieldError[]> {
  const {group, names, scope} = definition.spec;
  const faults = yield* specFaults(definition, old, parts);
  const immutable = (path: FieldPath, value: string, before: string) => {
    if (value !== before) faults.push(invalid(path, value, 'field is immutable'));
  };
  if (isConditionTrue(old, 'Established')) {
    immutable(specPath.child('scope'), scope, old.spec.scope);
    immutable(specPath.child('names', 'kind'), names.kind, old.spec.names.kind);
  }
  immutable(specPath.child('group'), group, old.spec.group);
  immutable(specPath.child('names', 'plural'), names.plural, old.spec.names.plural);
  return [
    ...faults,
    ...statusFaults(definition),
    ...storedVersionFaults(definition, parts.behaviour),
    ...approvalFaults(definition, old, parts.naming),
  ];
}

/** Errors in the status where it is written by itself: migrations of stored objects take versions from it as they see fit. */
export function statusFaults(definition: CustomResourceDefinition): FieldError[] {
  const accepted = definition.status?.acceptedNames;
  return accepted ? namesFaults(accepted, statusPath.child('acceptedNames')) : [];
}

function nameFaults({metadata, spec}: CustomResourceDefinition): FieldError[] {
  const name = metadata.name ?? '';
  if (name === '' || name === `${spec.names.plural}.${spec.group}`) return [];
  return [invalid(FieldPath.of('metadata', 'name'), name, 'must be spec.names.plural+"."+spec.group')];
}

function* specFaults(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  {schemas, behaviour}: ValidationParts,
): Interruptible<FieldError[]> {
  const {spec} = definition;
  const ratcheting = new StoredRatcheting(schemas, old, behaviour);
  const namesPath = specPath.child('names');
  const faults = [...groupFaults(spec.group), ...scopeFaults(spec.scope), ...preservingFaults(definition, old)];
  faults.push(...(yield* versionFaults(definition, specPath.child('versions'), schemas, ratcheting)));
  for (const member of ['plural', 'singular', 'kind', 'listKind'] as const)
    if (!spec.names[member]) faults.push(required(namesPath.child(member)));
  faults.push(...namesFaults(spec.names, namesPath));
  const before = old?.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const requireKnown = before.length === 0 || before.some((version) => reviewVersions.includes(version));
  faults.push(...conversionFaults(spec.conversion, specPath.child('conversion'), requireKnown, ratcheting));
  return faults;
}

function groupFaults(group: string): FieldError[] {
  const path = specPath.child('group');
  if (group === '') return [required(path)];
  const wrong = dnsSubdomainFaults(group);
  if (wrong.length > 0) return [invalid(path, group, wrong.join(','))];
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
}

function scopeFaults(scope: string): FieldError[] {
  const path = specPath.child('scope');
  if (scope === '') return [required(path)];
  return scope === 'Cluster' || scope === 'Namespaced' ? [] : [notSupported(path, scope, ['Cluster', 'Namespaced'])];
}

/** `preserveUnknownFields: true` and what cannot be combined with it. */
function preservingFaults(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  const {preserveUnknownFields, conversion} = definition.spec;
  if (!preserveUnknownFields) return [];
  const path = specPath.child('preserveUnknownFields');
  const faults: FieldError[] = [];
  if (!old?.spec.preserveUnknownFields) {
    faults.push(
      invalid(path, true, 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'),
    );
  }
  if (
    versionsOf(definition).some(
      ({schema}) => schema?.openAPIV3Schema && someSchema(schema.openAPIV3Schema, (part) => part.default !== undefined),
    )
  ) {
    faults.push(invalid(path, true, 'must be false in order to use defaults in the schema'));
  }
  if (conversion && conversion.strategy !== 'None') {
    faults.push(
      invalid(specPath.child('conversion', 'strategy'), conversion.strategy, 'must be None if spec.preserveUnknownFields is true'),
    );
  }
  return faults;
}

/** Errors in `status.storedVersions`: it must contain the storage version, and only versions that the definition still has. */
function storedVersionFaults(definition: CustomResourceDefinition, {explainsStorage} = commonBehaviour): FieldError[] {
  const path = statusPath.child('storedVersions');
  const stored = definition.status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const faults: FieldError[] = [];
  const left = new Map(stored.map((name, position) => [name, position]));
  for (const {name, storage} of versionsOf(definition))
    // Of a version that is there twice, the second is not found any more.
    if (!left.delete(name) && storage) faults.push(invalid(path, stored, `must have the storage version ${name}`));
  for (const [name, position] of left) {
    const detail = explainsStorage
      ? `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
      : 'must appear in spec.versions';
    faults.push(invalid(path.index(position), name, detail));
  }
  return faults;
}
