import {decodeJson} from '../../api/codec/json.js';
import {decodeYaml} from '../../api/codec/yaml.js';
import type {DecodedBody, WriteContext} from '../../registry/write-context.js';

/** Reads the text of a body by its media type. Duplicate members are looked for only where somebody wants to hear of them. */
export function decodeBody(bytes: Buffer, mediaType: string, {fieldValidation}: Pick<WriteContext, 'fieldValidation'>): DecodedBody {
  const duplicates = fieldValidation !== 'Ignore';
  return mediaType.endsWith('yaml') ? decodeYaml(bytes, {duplicates}) : decodeJson(bytes, {duplicates});
}
