import {limitFaults, TooManyFaults} from '../../../../sdk/errors/fault-limit.js';
import {
  dns1035LabelFaults,
  invalid,
  required,
  type FieldError,
  type FieldPath,
  type JsonObject,
  type ObjectMeta,
} from '../../../../sdk/index.js';
import {isJsonObject} from '../../json/is-json-object.js';
import {validateObjectMeta} from '../../metadata/validate-object-meta.js';

/** Used as the name of an object without one: inside another object that is not an error. */
const standInName = 'fakename';

/**
 * Errors in the type and metadata of an object inside another one (`x-kubernetes-embedded-resource`), as in Kubernetes'
 * `objectmeta.Validate`. Members that are not strings are left to the type check.
 *
 * @param shortDetails whether what is missing is said without a detail
 */
export function embeddedResourceFaults(object: JsonObject, path: FieldPath, shortDetails = false): FieldError[] {
  const faults: FieldError[] = [];
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    const at = path.child(name);
    if (value === undefined) faults.push(required(at, shortDetails ? '' : 'must not be empty'));
    else if (value === '') faults.push(invalid(at, value, 'must not be empty'));
    else if (typeof value === 'string') faults.push(...(name === 'kind' ? kindFaults(value, at) : apiVersionFaults(value, at)));
  }
  const metadata = Object.hasOwn(object, 'metadata') ? object['metadata'] : undefined;
  if (isJsonObject(metadata)) faults.push(...metadataFaults(metadata as ObjectMeta, path.child('metadata')));
  return faults;
}

function apiVersionFaults(apiVersion: string, path: FieldPath): FieldError[] {
  return apiVersion.split('/').length <= 2 ? [] : [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

function kindFaults(kind: string, path: FieldPath): FieldError[] {
  const faults = dns1035LabelFaults(kind.toLowerCase());
  return faults.length === 0 ? [] : [invalid(path, kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`)];
}

function metadataFaults(metadata: ObjectMeta, path: FieldPath): FieldError[] {
  const named = metadata.name ? metadata : {...metadata, name: standInName};
  return validateObjectMeta(named, {namespaced: Boolean(metadata.namespace), nameFormat: 'path-segment'}, path);
}

/** The same, or the first errors if there are very many. */
export function boundedEmbeddedFaults(object: JsonObject, path: FieldPath, shortDetails: boolean): readonly FieldError[] {
  try {
    return limitFaults(() => embeddedResourceFaults(object, path, shortDetails));
  } catch (error) {
    if (TooManyFaults.is<FieldError>(error)) return error.faults;
    throw error;
  }
}
