import {invalid, parseApiVersion, typeInvalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isJsonObject} from '../json/is-json-object.js';

/** Each reference needs an API version, kind, name and uid. None may be a core Event, and at most one is the controller. */
export function validateOwnerReferences(references: unknown, path: FieldPath): FieldError[] {
  if (references === undefined || references === null) return [];
  if (!Array.isArray(references)) return [typeInvalid(path, references, 'must be an array')];

  const faults: FieldError[] = [];
  let controller: string | undefined;
  let isReported = false;
  for (const [position, reference] of references.entries()) {
    if (!isJsonObject(reference)) {
      faults.push(typeInvalid(path.index(position), reference, 'must be an object'));
      continue;
    }
    faults.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const name = `${textOf(reference.kind)}/${textOf(reference.name)}`;
    if (controller !== undefined) {
      // The list is not quoted, as Kubernetes does: it may be long, and every further controller is wrong for the same reason.
      const problem = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      if (!isReported) faults.push(invalid(path, name, problem));
      isReported = true;
    }
    controller ??= name;
  }
  return faults;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

// The path names the list, not the item, as in Kubernetes.
function validateOwnerReference(reference: Record<string, unknown>, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const apiVersion = textOf(reference.apiVersion);
  const version = parseApiVersion(apiVersion);
  if (version === undefined) faults.push(invalid(path.child('apiVersion'), apiVersion, 'version must not be empty'));
  for (const member of ['kind', 'name', 'uid']) {
    if (textOf(reference[member]) === '') faults.push(invalid(path.child(member), '', `${member} must not be empty`));
  }
  if (version?.group === '' && version.version === 'v1' && reference.kind === 'Event') {
    faults.push(invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return faults;
}
