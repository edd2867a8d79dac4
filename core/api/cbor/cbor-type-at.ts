import {argumentAt, argumentBytes, behindTags, breakByte, cborTypeName, info, itemEnd, major} from './cbor-head.js';

/**
 * The name of the type that a value has in a body, as messages have it. Only for what is refused: it walks the body again.
 *
 * @param bytes are well-formed
 * @param steps names and indexes, from the whole to the value; what they do not lead to has the type of the innermost that is there
 */
export function cborTypeAt(bytes: Buffer, steps: readonly (string | number)[]): string {
  let at = behindTags(bytes, 0);
  for (const step of steps) {
    const next = memberAt(bytes, at, step);
    if (next === undefined) break;
    at = behindTags(bytes, next);
  }
  return cborTypeName(bytes[at]!);
}

function memberAt(bytes: Buffer, container: number, step: string | number): number | undefined {
  const first = bytes[container]!;
  const isMap = first >> 5 === major.map;
  if (!isMap && first >> 5 !== major.array) return undefined;
  const count = (first & 31) === info.indefinite ? Infinity : argumentAt(bytes, container);
  let at = container + 1 + argumentBytes(first);
  for (let index = 0; index < count && !(count === Infinity && bytes[at] === breakByte); index++) {
    if (!isMap) {
      if (index === step) return at;
      at = itemEnd(bytes, at);
      continue;
    }
    const key = behindTags(bytes, at);
    const value = itemEnd(bytes, at);
    const content = key + 1 + argumentBytes(bytes[key]!);
    if (bytes.toString('utf8', content, value) === step) return value;
    at = itemEnd(bytes, value);
  }
  return undefined;
}
