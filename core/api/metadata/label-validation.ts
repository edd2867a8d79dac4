import {typeInvalid, type FieldError, type FieldPath, type JsonObject} from '../../../sdk/index.js';
import {validateAnnotations as annotationFaults, validateLabels as labelFaults} from '../../../sdk/labels/index.js';
import {isJsonObject} from '../json/is-json-object.js';

type Texts = Readonly<Record<string, string>>;

function hasOnlyTexts(value: JsonObject): value is Record<string, string> {
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

/** Checks that `value` is a map of strings; null counts as empty. Anything else is reported and left out of the result. */
function textsOf(value: unknown, path: FieldPath, faults: FieldError[]): Texts | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    faults.push(typeInvalid(path, value, 'must be an object'));
    return undefined;
  }
  if (hasOnlyTexts(value)) return value;
  const others = Object.entries(value).filter(([, text]) => typeof text !== 'string');
  for (const [key, other] of others) faults.push(typeInvalid(path.key(key), other, 'must be a string'));
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string')) as Texts;
}

/** Labels of an object whose types have not been checked yet. */
export function validateLabels(labels: unknown, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const texts = textsOf(labels, path, faults);
  return [...faults, ...labelFaults(texts, path)];
}

/** Annotations of an object whose types have not been checked yet. */
export function validateAnnotations(annotations: unknown, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const texts = textsOf(annotations, path, faults);
  return [...faults, ...annotationFaults(texts, path)];
}
