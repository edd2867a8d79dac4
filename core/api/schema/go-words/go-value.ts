import type {JsonValue} from '../../../../sdk/index.js';
import {quotedText} from '../../json/quoted-text.js';

/** Characters of a value that a message shows; Kubernetes shows all of them. */
const longest = 1024;

/** A value as Go prints it with `%v`: texts as they are. A null is that of an expression. */
export function goText(value: JsonValue): string {
  return cut(written(value, String, (type, parts) => `${type === 'map' ? 'map' : ''}[${parts.join(' ')}]`, 'NULL_VALUE'));
}

/** A value as Go prints it with `%#v`: as in a program. */
export function goSyntax(value: JsonValue): string {
  const types = {map: 'map[string]interface {}', list: '[]interface {}'};
  return cut(written(value, quotedText, (type, parts) => `${types[type]}{${parts.join(', ')}}`, '0', quotedText));
}

/** The type of a value as Go prints it with `%T`. */
export function goTypeName(value: JsonValue): string {
  if (value === null) return 'structpb.NullValue';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'bigint' ? 'int64' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function written(
  value: JsonValue,
  text: (text: string) => string,
  list: (type: 'map' | 'list', parts: readonly string[]) => string,
  nothing: string,
  key: (name: string) => string = String,
): string {
  const one = (item: JsonValue): string => {
    if (item === null) return nothing;
    if (typeof item === 'string') return text(item.slice(0, longest));
    if (typeof item !== 'object') return String(item);
    if (Array.isArray(item)) return list('list', item.slice(0, longest).map(one));
    const names = Object.keys(item).sort().slice(0, longest);
    return list(
      'map',
      names.map((name) => `${key(name)}:${one(item[name]!)}`),
    );
  };
  return one(value);
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
