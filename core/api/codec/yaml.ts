import {isUtf8} from 'node:buffer';
import {createRequire} from 'node:module';
import type * as Yaml from 'js-yaml';
import {atOnce, requestEntityTooLarge, StatusError, type Interruptible} from '../../../sdk/index.js';
import {DecodeError} from './decode-error.js';
import {maximumDepth, readJson, tooManyValues, type Decoded, type DecodeOptions} from './json.js';
import {invalidEscape, YamlComposer} from './yaml-composer.js';

/** Reading YAML takes ten times as long as reading JSON, and cannot be interrupted. */
const maximumBytes = 512 * 1024;

const unicodeEscape = '\\u';
/** An escape for half a surrogate pair whose other half is not beside it. */
const halfSurrogate =
  /(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2})/;

let library: typeof Yaml | undefined;

/** The parser loads slowly and most servers never receive YAML, so it is loaded on first use. */
function yaml(): typeof Yaml {
  library ??= createRequire(import.meta.url)('js-yaml') as typeof Yaml;
  return library;
}

/**
 * Reads a YAML body of one document, as Kubernetes reads YAML (see `plainScalar`). Member names that are numbers or booleans become
 * strings; merge keys and aliases are resolved. JSON is tried first, because most clients send it whatever media type they declare.
 *
 * @throws StatusError 413 for more than 512 KiB of YAML or too many values
 * @throws DecodeError for any other problem, for nesting deeper than `maximumDepth`, and if aliases expand too far
 */
export function decodeYaml(bytes: Buffer, options: DecodeOptions = {}): Decoded {
  return atOnce(readYaml(bytes, options));
}

/** As `decodeYaml`, for bodies of clients: others may go first between two steps. */
export function* readYaml(bytes: Buffer, options: DecodeOptions = {}): Interruptible<Decoded> {
  const json = yield* tryJson(bytes, options);
  if (json === undefined) return yield* decode(bytes, options);
  // JSON has it, YAML has not.
  if (bytes.includes(unicodeEscape) && halfSurrogate.test(bytes.toString('utf8'))) throw new DecodeError('YAML', invalidEscape);
  return json.duplicates.length > 0 ? {...json, ...(yield* repetitionsIn(bytes, options))} : json;
}

/** The duplicate keys of a JSON text, as reported by a YAML parser. */
function* repetitionsIn(bytes: Buffer, options: DecodeOptions): Interruptible<Pick<Decoded, 'repetitions'>> {
  if (bytes.length > maximumBytes) return {};
  try {
    const {repetitions = []} = yield* decode(bytes, options);
    return {repetitions};
  } catch (error) {
    // What JSON allows and YAML does not.
    if (error instanceof DecodeError || StatusError.is(error)) return {};
    throw error;
  }
}

function* tryJson(bytes: Buffer, options: DecodeOptions): Interruptible<Decoded | undefined> {
  const start = bytes.find((byte) => byte > 0x20);
  if (start !== 0x7b && start !== 0x5b) return undefined;
  try {
    return yield* readJson(bytes, options);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function* decode(bytes: Buffer, options: DecodeOptions): Interruptible<Decoded> {
  if (bytes.length > maximumBytes) throw requestEntityTooLarge(maximumBytes, 'a body in YAML may not be as large as one in JSON');
  if (!isUtf8(bytes)) throw new DecodeError('YAML', 'the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  const events = parseEvents(text);
  if (events === undefined && options.mayBeEmpty === true && !/^\.\.\./m.test(text)) return {value: null, duplicates: []};
  if (events === undefined) throw new DecodeError('YAML', 'the body is empty');
  if (options.maximumValues !== undefined && events.length > 2 * options.maximumValues) throw tooManyValues(options.maximumValues);
  yield;
  return new YamlComposer(yaml(), text, options.duplicates === true).compose(events);
}

/** @returns undefined for a text without a document */
function parseEvents(text: string): Yaml.Event[] | undefined {
  const {parseEvents: parse, EVENT_ID, YAMLException} = yaml();
  let events: Yaml.Event[];
  try {
    // The parser counts the document as a level.
    events = parse(text, {maxDepth: maximumDepth + 1});
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const {reason, mark} = error;
    throw new DecodeError('YAML', reason, mark === undefined ? undefined : {line: mark.line + 1, column: mark.column + 1});
  }
  const documents = events.filter((event) => event.type === EVENT_ID.DOCUMENT).length;
  if (documents === 0) return undefined;
  if (documents > 1) throw new DecodeError('YAML', 'the body holds more than one document');
  return events;
}

let dumpSchema: Yaml.Schema | undefined;

/** The schema for output, in which a bigint is an integer too. */
function schemaForDump(): Yaml.Schema {
  if (dumpSchema !== undefined) return dumpSchema;
  const {DUMP_SCHEMA} = yaml();
  const integer = DUMP_SCHEMA.tags.find((tag): tag is Yaml.ScalarTagDefinition => tag.tagName === 'tag:yaml.org,2002:int')!;
  dumpSchema = DUMP_SCHEMA.withTags({
    ...integer,
    identify: (member) => typeof member === 'bigint' || integer.identify(member),
    represent: (member) => (typeof member === 'bigint' ? member.toString() : integer.represent(member)),
  });
  return dumpSchema;
}

/**
 * Writes a value as YAML with members in alphabetical order, as Kubernetes does. Strings that another parser could take for another type
 * are quoted.
 */
export function encodeYaml(value: unknown): string {
  const text = yaml().dump(value, {schema: schemaForDump(), noRefs: true, lineWidth: -1, seqNoIndent: true, sortKeys: true});
  // Behind a text that ends with empty lines comes the mark of a document's end, which Kubernetes does not write, and more may follow here.
  return text.endsWith(documentEnd) ? text.slice(0, 1 - documentEnd.length) : text;
}

const documentEnd = '\n...\n';
