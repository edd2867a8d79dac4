import {unsupportedMediaType} from '../../../sdk/index.js';
import {BoundedCache} from '../cache/bounded-cache.js';
import {parseMediaType, type MediaType} from './media-type.js';

const parsed = new BoundedCache((header) => ({mediaType: parseMediaType(header)}), 128);

/** Further names of what is accepted, which messages leave out. */
const otherNames = new Set(['application/x-yaml', 'text/yaml']);

/** Charsets that are UTF-8 or a subset of it. */
const charsets = new Set(['utf-8', 'utf8', 'us-ascii']);

/**
 * Parses a `Content-Type` header and checks that an operation accepts it.
 *
 * @param header undefined if it was not sent: the first of `supported` applies then
 * @param supported media types in lower case, without parameters
 * @throws StatusError 415 for another media type, a malformed one, and a charset other than UTF-8
 */
export function requireContentType(header: string | undefined, supported: readonly string[]): MediaType {
  const text = header === undefined || header.trim() === '' ? supported[0]! : header;
  const {mediaType} = contentTypeOf(text, supported);
  if (mediaType === undefined) throw unsupportedMediaType(supported.filter((one) => !otherNames.has(one)));
  return mediaType;
}

/** The media type of a header, if it is one of `supported` in UTF-8. */
export function contentTypeOf(text: string, supported: readonly string[]): {readonly mediaType: MediaType | undefined} {
  const {mediaType} = parsed.get(text);
  if (mediaType === undefined || !supported.includes(mediaType.essence)) return {mediaType: undefined};
  const charset = mediaType.parameters.get('charset');
  return {mediaType: charset === undefined || charsets.has(charset.toLowerCase()) ? mediaType : undefined};
}
