import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {encodeJson, encodePretty} from '../../api/codec/json.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import type {RequestTask} from '../../registry/request-task.js';
import {yamlBytes} from './yaml-bytes.js';

/** A document around a list, in one form: what is written before the members of the list, between them and behind them. */
export interface ListFrame<T> {
  readonly head: Buffer;
  readonly separator: Buffer;
  readonly tail: Buffer;
  /** How many bytes at the beginning of each member are left out; none where absent. */
  readonly skip?: number;
  item(item: T, task: RequestTask): Buffer | Promise<Buffer>;
}

const comma = Buffer.from(',');
const nothing = Buffer.alloc(0);

/**
 * A document whose last member is a list, as JSON or YAML.
 *
 * @param document all members but the list
 * @param member its name
 * @param isEmpty whether the list has no members
 */
export function framed(
  document: object,
  member: string,
  isEmpty: boolean,
  {mediaType, pretty}: {readonly mediaType: string; readonly pretty: boolean},
): ListFrame<unknown> {
  if (mediaType === 'application/yaml') return yamlFrame(document, member, isEmpty);
  return pretty ? prettyFrame(document, member, isEmpty) : compactFrame(document, member);
}

function compactFrame(document: object, member: string): ListFrame<unknown> {
  const text = encodeJson({...document, [member]: []});
  return {
    head: Buffer.from(text.slice(0, -2)),
    separator: comma,
    tail: Buffer.from(']}\n'),
    item: (item) => Buffer.from(encodeJson(item)),
  };
}

/** Line ends in strings are escaped: each in the text begins a new line of it. */
function prettyFrame(document: object, member: string, isEmpty: boolean): ListFrame<unknown> {
  const text = encodePretty({...document, [member]: []});
  const end = ']\n}\n';
  return {
    head: Buffer.from(isEmpty ? text : `${text.slice(0, -end.length)}\n    `),
    separator: Buffer.from(',\n    '),
    tail: isEmpty ? nothing : Buffer.from('\n  ]\n}\n'),
    item: (item) => Buffer.from(encodePretty(item).trimEnd().replaceAll('\n', '\n    ')),
  };
}

/** Members come in alphabetical order, and the members of a list follow one another at the same depth. */
function yamlFrame(document: object, member: string, isEmpty: boolean): ListFrame<unknown> {
  const entries = Object.entries(document as JsonObject);
  const part = (chosen: typeof entries) => (chosen.length === 0 ? '' : encodeYaml(Object.fromEntries(chosen)));
  return {
    head: Buffer.from(part(entries.filter(([name]) => name < member)) + (isEmpty ? `${member}: []\n` : `${member}:\n`)),
    separator: nothing,
    tail: Buffer.from(part(entries.filter(([name]) => name > member))),
    item: (item, task) => yamlBytes([item as JsonValue], task),
  };
}
