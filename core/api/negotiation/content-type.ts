import {unsupportedMediaType} from '../../../sdk/index.js';
import {BoundedCache} from '../cache/bounded-cache.js';
import {parseMediaType, type MediaType} from './media-type.js';

const parsed = new BoundedCache((header) => ({mediaType: parseMediaType(header)}), 128);

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
  const {mediaType} = parsed.get(text);
  if (mediaType === undefined || !supported.includes(mediaType.essence)) throw unsupportedMediaType(text, supported);
  const charset = mediaType.parameters.get('charset');
  if (charset !== undefined && !charsets.has(charset.toLowerCase())) throw unsupportedMediaType(text, supported);
  return mediaType;
}
