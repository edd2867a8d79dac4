import {invalid, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {storageVersionOf, versionsOf, type CustomResourceDefinition} from '../custom-resource-definition.js';

/** Errors in `status.storedVersions`: it must contain the storage version, and only versions that the definition still has. */
export function storedVersionFaults(definition: CustomResourceDefinition, path: FieldPath): FieldError[] {
  const stored = definition.status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, stored, 'must have at least one stored version')];
  const faults: FieldError[] = [];
  const storage = storageVersionOf(definition);
  if (storage !== undefined && !stored.includes(storage)) faults.push(invalid(path, stored, `must have the storage version ${storage}`));
  const known = new Set(versionsOf(definition).map(({name}) => name));
  stored.forEach((name, position) => {
    if (!known.has(name)) faults.push(invalid(path.index(position), name, 'must appear in spec.versions'));
  });
  return faults;
}
