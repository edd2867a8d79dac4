import type {Interruptible, JsonObject, JsonValue} from '../../../sdk/index.js';
import {endOfString} from '../../../sdk/values/json-outline.js';
import {setMember} from '../json/set-member.js';

/** Texts above this size are parsed in pieces of about as much: a few milliseconds each, even if they are nothing but tiny members. */
export const pieceBytes = 64 * 1024;

/** A list or object that has begun and not ended. */
interface Frame {
  /** Offset of its bracket. */
  readonly open: number;
  readonly isList: boolean;
  /** Made when a piece ends inside of it; without one its text is parsed with that around it. */
  value: JsonValue[] | JsonObject | undefined;
  /** Offset of the member that is being read, its name included. */
  member: number;
  /** Offset of the first member that is not in `value`. */
  unparsed: number;
  /** A comma stands before `unparsed`: a member must follow. */
  isAfterComma: boolean;
}

/**
 * Parses a JSON text piece by piece, with the value that `JSON.parse` gives. A single long string stays one piece.
 *
 * @param bytes valid UTF-8, nested to a bounded depth
 * @param parse parses a piece; what it throws is thrown
 * @returns undefined if the text is not one list or object of JSON
 */
export function* parseInPieces(bytes: Buffer, parse: (text: string) => JsonValue): Interruptible<JsonValue | undefined> {
  const frames: Frame[] = [];
  let lastPiece = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    const frame = frames.at(-1);
    if (byte === 0x22) {
      offset = endOfString(bytes, offset + 1);
    } else if (byte === 0x7b || byte === 0x5b) {
      if (!frame && !isBlank(bytes, 0, offset)) return undefined;
      const inside = offset + 1;
      frames.push({open: offset, isList: byte === 0x5b, value: undefined, member: inside, unparsed: inside, isAfterComma: false});
    } else if (byte === 0x2c) {
      if (!frame) return undefined;
      frame.member = offset + 1;
      if (offset - lastPiece < pieceBytes) continue;
      if (!begin(bytes, frames, parse) || !take(bytes, frame, offset, parse)) return undefined;
      continueAfter(frame, offset, true);
      lastPiece = offset;
      yield;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (!frame || frame.isList !== (byte === 0x5d)) return undefined;
      frames.pop();
      const parent = frames.at(-1);
      if (!parent) return isBlank(bytes, offset + 1, bytes.length) ? ended(bytes, frame, offset, parse) : undefined;
      if (!frame.value) continue;
      if (!take(bytes, frame, offset, parse)) return undefined;
      // The container is a member of its parent already.
      offset = skipBlank(bytes, offset + 1);
      const hasNext = bytes[offset] === 0x2c;
      if (!hasNext && bytes[offset] !== 0x7d && bytes[offset] !== 0x5d) return undefined;
      if (!hasNext) offset--;
      continueAfter(parent, offset, hasNext);
    }
  }
  return undefined;
}

function ended(bytes: Buffer, root: Frame, end: number, parse: (text: string) => JsonValue): JsonValue | undefined {
  if (!root.value) return parse(bytes.toString('utf8', root.open, end + 1));
  return take(bytes, root, end, parse) ? root.value : undefined;
}

function continueAfter(frame: Frame, offset: number, isAfterComma: boolean): void {
  frame.member = frame.unparsed = offset + 1;
  frame.isAfterComma = isAfterComma;
}

/** Makes the values of all that has begun, each a member of the one around it. Returns whether that is possible. */
function begin(bytes: Buffer, frames: readonly Frame[], parse: (text: string) => JsonValue): boolean {
  for (const [depth, frame] of frames.entries()) {
    if (frame.value) continue;
    frame.value = frame.isList ? [] : {};
    const parent = frames[depth - 1];
    if (!parent) continue;
    if (parent.member > parent.unparsed && !take(bytes, parent, parent.member - 1, parse)) return false;
    if (parent.isList) {
      if (!isBlank(bytes, parent.member, frame.open)) return false;
      (parent.value as JsonValue[]).push(frame.value);
    } else {
      const [name, ...others] = Object.keys(parse(`{${bytes.toString('utf8', parent.member, frame.open)}0}`) as JsonObject);
      if (name === undefined || others.length > 0) return false;
      setMember(parent.value!, name, frame.value);
    }
  }
  return true;
}

/** Parses the members up to an offset. Returns whether there is one where one must be. */
function take(bytes: Buffer, frame: Frame, end: number, parse: (text: string) => JsonValue): boolean {
  if (isBlank(bytes, frame.unparsed, end)) return !frame.isAfterComma && bytes[end] !== 0x2c;
  const text = bytes.toString('utf8', frame.unparsed, end);
  if (frame.isList) {
    for (const item of parse(`[${text}]`) as JsonValue[]) (frame.value as JsonValue[]).push(item);
  } else {
    const members = parse(`{${text}}`) as JsonObject;
    for (const name in members) setMember(frame.value!, name, members[name]);
  }
  return true;
}

/** Offset of the first byte that is no white space of JSON. */
function skipBlank(bytes: Buffer, start: number): number {
  let offset = start;
  while (offset < bytes.length && [0x20, 0x09, 0x0a, 0x0d].includes(bytes[offset]!)) offset++;
  return offset;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return skipBlank(bytes, start) >= end;
}
