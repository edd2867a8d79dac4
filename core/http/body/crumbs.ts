import type {IncomingMessage} from 'node:http';
import {filterBody} from '../node/body-parts.js';

/**
 * This many parts of a body may have any size; beyond that, they must have a minimum average size. Each part costs as much time as a hundred bytes in
 * large parts.
 */
const unjudgedParts = 512;
const leastBytes = 64;

/** Whether a body comes in so many small parts that its connection is cut. */
function isInCrumbs(parts: number, bytes: number): boolean {
  return parts > unjudgedParts && bytes < parts * leastBytes;
}

/**
 * Has a body looked at as it is parsed, which may be long before somebody reads it: Node keeps 64 KiB for that, and each byte of a chunked body may be
 * a part of its own. What follows is dropped.
 *
 * @param cut called once when the parts are too small: a response would have to wait until the rest is parsed
 */
export function watchForCrumbs(request: IncomingMessage, cut: () => void): void {
  const {'transfer-encoding': coding, 'content-length': length} = request.headers;
  // Fast path: no body, or one with fewer bytes than may come one by one.
  if (coding === undefined && (length === undefined || Number(length) <= unjudgedParts)) return;
  let parts = 0;
  let bytes = 0;
  filterBody(request, (part) => {
    if (isInCrumbs(parts, bytes)) return false;
    parts += 1;
    bytes += part.length;
    if (!isInCrumbs(parts, bytes)) return true;
    cut();
    return false;
  });
}
