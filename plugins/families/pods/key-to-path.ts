import type {FieldError, FieldPath} from '../../../sdk/index.js';
import {fileMode, relativeFilePath, validateText} from '../../../sdk/validation/index.js';
import type {KeyToPath} from '../../../sdk/types/unchecked/core/v1.js';

/** Errors in the mapping of keys to files. */
export function validateItems(items: readonly KeyToPath[] | undefined, path: FieldPath): FieldError[] {
  return (items ?? []).flatMap(({key, path: file, mode}, index) => {
    const at = path.index(index);
    return [
      ...validateText(key, at.child('key')),
      ...validateText(file, at.child('path')),
      ...relativeFilePath(at.child('path'), file ?? ''),
      ...fileMode(mode, at.child('mode')),
    ];
  });
}
