import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {jsonSize} from '../json/json-size.js';
import {setMember} from '../json/set-member.js';
import {encodeJson} from './json.js';
import {encodeYaml} from './yaml.js';

/** Characters of JSON that are written as YAML at once: it takes ten times as long as JSON. */
const pieceCharacters = 8 * 1024;
/** A longer name needs the explicit form of a key. */
const longestName = 500;

/** The text of `encodeYaml` in pieces, so that others get their turn while a large document is written. */
export function* yamlPieces(value: JsonValue, indent = ''): Generator<string> {
  if (isSmall(value)) yield indented(encodeYaml(value), indent);
  else if (Array.isArray(value)) yield* itemPieces(value, indent);
  else yield* memberPieces(value as JsonObject, indent);
}

/** Whether a value is written at once. */
export function isSmall(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null || jsonSize(value, pieceCharacters) <= pieceCharacters;
}

function* memberPieces(object: JsonObject, indent: string): Generator<string> {
  let batch: JsonObject = {};
  let size = 0;
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    if (isSmall(member)) {
      setMember(batch, name, member);
      size += name.length + jsonSize(member, pieceCharacters);
      if (size < pieceCharacters) continue;
    }
    if (size > 0) yield indented(encodeYaml(batch), indent);
    [batch, size] = [{}, 0];
    if (!isSmall(member)) yield* largeMember(name, member, indent);
  }
  if (size > 0) yield indented(encodeYaml(batch), indent);
}

function* largeMember(name: string, member: JsonValue, indent: string): Generator<string> {
  // JSON is YAML too.
  if (name.length > longestName) return yield `${indent}? ${JSON.stringify(name)}\n${indent}: ${encodeJson(member)}\n`;
  yield `${indent}${encodeYaml({[name]: null}).slice(0, -' null\n'.length)}\n`;
  yield* yamlPieces(member, Array.isArray(member) ? indent : `${indent}  `);
}

function* itemPieces(list: readonly JsonValue[], indent: string): Generator<string> {
  let batch: JsonValue[] = [];
  let size = 0;
  for (const item of list) {
    if (isSmall(item)) {
      batch.push(item);
      size += 1 + jsonSize(item, pieceCharacters);
      if (size < pieceCharacters) continue;
    }
    if (size > 0) yield indented(encodeYaml(batch), indent);
    [batch, size] = [[], 0];
    if (!isSmall(item)) yield* largeItem(item, indent);
  }
  if (size > 0) yield indented(encodeYaml(batch), indent);
}

/** Its first line begins with the dash. */
function* largeItem(item: JsonValue, indent: string): Generator<string> {
  let isFirst = true;
  for (const piece of yamlPieces(item, `${indent}  `)) {
    yield isFirst ? `${indent}- ${piece.slice(indent.length + 2)}` : piece;
    isFirst = false;
  }
}

/** Lines without text, which only literal strings have, stay as they are. */
function indented(text: string, indent: string): string {
  return indent === '' ? text : indent + text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`);
}
