import {unsupportedMediaType} from '../../../sdk/index.js';
import {BoundedCache} from '../cache/bounded-cache.js';
import {parseMediaType, type MediaType} from './media-type.js';

const parsed = new BoundedCache((header) => ({mediaType: parseMediaType(header)}), 128);

/** Encodings that are UTF-8, or a part of it. */
const charsets = new Set(['utf-8', 'utf8', 'us-ascii']);

/**
 * Reads a `Content-Type` header and checks that it is one of those an operation takes.
 *
 * @param header undefined when the header was not sent: then the first of `supported` holds
 * @param supported media types in lower case, without parameters
 * @throws StatusError 415 for another media type, for one that cannot be read, and for a charset other than UTF-8
 */
export function requireContentType(header: string | undefined, supported: readonly string[]): MediaType {
  const text = header === undefined || header.trim() === '' ? supported[0]! : header;
  const {mediaType} = parsed.get(text);
  if (mediaType === undefined || !supported.includes(mediaType.essence)) throw unsupportedMediaType(text, supported);
  const charset = mediaType.parameters.get('charset');
  if (charset !== undefined && !charsets.has(charset.toLowerCase())) throw unsupportedMediaType(text, supported);
  return mediaType;
}
