import {forbiddenField, invalid, required, type FieldError, type FieldPath, type ObjectMeta} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {validateFinalizers, validateNoNewFinalizers} from './finalizers.js';
import {validateAnnotations, validateLabels} from './label-validation.js';
import {validateManagedFields} from './managed-fields-entries.js';
import {dnsLabelFaults} from './name-formats.js';
import {objectNameFaults, objectNamePrefixFaults, type NameFormat} from './object-name.js';
import {validateOwnerReferences} from './owner-references.js';

/** What the rules for metadata depend on. */
export interface MetadataRules {
  readonly namespaced: boolean;
  readonly nameFormat: NameFormat;
  /** Finalizers that need no domain; undefined if all need one. */
  readonly standardFinalizers?: ReadonlySet<string> | undefined;
}

/**
 * All errors in the metadata of a new object, after its name and namespace have been filled in.
 *
 * @param path of the metadata, usually `metadata`
 */
export function validateObjectMeta(meta: ObjectMeta, rules: MetadataRules, path: FieldPath): FieldError[] {
  const faults = validateNames(meta, rules.nameFormat, path);
  faults.push(...validateNamespace(meta.namespace, rules.namespaced, path));
  const {generation, finalizers} = meta;
  if (generation !== undefined && generation < 0)
    faults.push(invalid(path.child('generation'), generation, 'must be greater than or equal to 0'));
  validateSharedParts(meta, path, faults);
  if (finalizers !== undefined) faults.push(...validateFinalizers(finalizers, rules.standardFinalizers, path.child('finalizers')));
  return faults;
}

function validateNames(meta: ObjectMeta, format: NameFormat, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const {name, generateName} = meta;
  if (generateName) {
    for (const fault of objectNamePrefixFaults(generateName, format)) faults.push(invalid(path.child('generateName'), generateName, fault));
  }
  if (!name) return [...faults, required(path.child('name'), 'name or generateName is required')];
  for (const fault of objectNameFaults(name, format)) faults.push(invalid(path.child('name'), name, fault));
  return faults;
}

function validateNamespace(namespace: string | undefined, namespaced: boolean, path: FieldPath): FieldError[] {
  if (!namespaced) return namespace ? [forbiddenField(path.child('namespace'), 'not allowed on this type')] : [];
  if (!namespace) return [required(path.child('namespace'))];
  return dnsLabelFaults(namespace).map((fault) => invalid(path.child('namespace'), namespace, fault));
}

/** The checks shared by create and update. Most metadata has two of the four. */
function validateSharedParts(
  {labels, annotations, ownerReferences, managedFields}: ObjectMeta,
  path: FieldPath,
  faults: FieldError[],
): void {
  if (labels !== undefined) faults.push(...validateLabels(labels, path.child('labels')));
  if (annotations !== undefined) faults.push(...validateAnnotations(annotations, path.child('annotations')));
  if (ownerReferences !== undefined) faults.push(...validateOwnerReferences(ownerReferences, path.child('ownerReferences')));
  if (managedFields !== undefined) faults.push(...validateManagedFields(managedFields, path.child('managedFields')));
}

const immutableMembers = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof ObjectMeta)[];

/**
 * All errors in the metadata of a changed object, after `fillSystemFields`. Does not check that a required `resourceVersion` is present:
 * that depends on the type and the kind of write.
 */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const finalizers = path.child('finalizers');
  faults.push(...validateFinalizers(meta.finalizers, undefined, finalizers));
  if (old.deletionTimestamp) faults.push(...validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], finalizers));
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    faults.push(invalid(path.child('generation'), meta.generation ?? 0, 'must not be decremented'));
  }
  for (const member of immutableMembers) {
    const value = meta[member];
    if (!equalJson(value ?? undefined, old[member] ?? undefined)) faults.push(invalid(path.child(member), value, 'field is immutable'));
  }
  validateSharedParts(meta, path, faults);
  return faults;
}
