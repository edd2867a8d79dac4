import {invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {fileMode, relativeFilePath, validateText} from '../../../sdk/validation/index.js';
import type {DownwardAPIVolumeFile} from '../../../sdk/types/unchecked/core/v1.js';
import {validateObjectField, validateResourceField} from './field-references.js';

/** Pod fields allowed in a file, besides single labels and annotations. */
const fileFields = ['metadata.name', 'metadata.namespace', 'metadata.labels', 'metadata.annotations', 'metadata.uid'];

/** Errors in a file with a field of the pod or a resource of a container. `path` is that of the volume's source. */
export function validateDownwardApiFile(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const {fieldRef, resourceFieldRef} = file;
  const faults = [...validateText(file.path, path.child('path')), ...relativeFilePath(path.child('path'), file.path ?? '')];
  if (fieldRef) {
    faults.push(...validateObjectField(fieldRef, fileFields, path.child('fieldRef')));
    if (resourceFieldRef) faults.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceFieldRef) faults.push(...validateResourceField(resourceFieldRef, true, path.child('resourceFieldRef')));
  else faults.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...faults, ...fileMode(file.mode, path.child('mode'))];
}
