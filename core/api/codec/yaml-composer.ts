import type * as Yaml from 'js-yaml';
import {shownPath, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import {isJsonObject} from '../json/is-json-object.js';
import {jsonSize} from '../json/json-size.js';
import {setMember} from '../json/set-member.js';
import {DecodeError, positionAt} from './decode-error.js';
import {DuplicatePaths, maximumReported, memberPath} from './duplicate-paths.js';
import {notANumber, plainScalar, yamlBoolean, yamlFloat, yamlInteger} from './yaml-scalars.js';

/** Maximum total size that the aliases of a document may add, in characters of JSON. */
const maximumAliased = 1024 * 1024;

/** A container under construction. */
interface Frame {
  readonly value: JsonObject | JsonValue[];
  readonly anchor: string | undefined;
  readonly path: string;
  /** The member whose value comes next; undefined if a name comes next. */
  name: string | undefined;
  /** Members of the mapping itself, as opposed to merged ones; tracked if duplicates are requested. */
  readonly own: Set<string>;
  /** Whether the next value will be merged into this mapping. */
  merging: boolean;
  /** The name of the member whose value comes next, if the mapping has it already, and the line where that value begins. */
  again?: {readonly name: Scalar; line?: number} | undefined;
}

type Scalar = Exclude<JsonValue, JsonObject | JsonValue[]>;

/** What Kubernetes' parser says of half a surrogate pair. */
export const invalidEscape = 'found invalid Unicode character escape code';
const coreTag = 'tag:yaml.org,2002:';

/** Builds a JSON value from the events of one YAML document. Aliases become copies, so that no part of the value is shared. */
export class YamlComposer {
  readonly #stack: Frame[] = [];
  readonly #anchors = new Map<string, JsonValue>();
  readonly #duplicates = new DuplicatePaths();
  readonly #repetitions: string[] = [];
  /** A place in the text and its line, counted from 1: lines are asked for in ascending order. */
  #counted = {offset: 0, line: 1};
  #root: JsonValue = null;
  #aliased = 0;
  #offset = 0;
  readonly #yaml: typeof Yaml;
  readonly #text: string;
  readonly #wantDuplicates: boolean;

  constructor(yaml: typeof Yaml, text: string, wantDuplicates: boolean) {
    this.#yaml = yaml;
    this.#text = text;
    this.#wantDuplicates = wantDuplicates;
  }

  /** @throws DecodeError for constructs that JSON cannot represent, and if aliases add too much */
  compose(events: readonly Yaml.Event[]): {value: JsonValue; duplicates: string[]; repetitions: string[]} {
    for (const event of events) this.#take(event);
    return {value: this.#root, duplicates: this.#duplicates.list(), repetitions: this.#repetitions};
  }

  #take(event: Yaml.Event): void {
    const {EVENT_ID} = this.#yaml;
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        this.#offset = event.start;
        this.#noteLine(event.start);
        return this.#open(event.type === EVENT_ID.MAPPING ? {} : [], event);
      case EVENT_ID.POP: {
        const frame = this.#stack.pop();
        if (frame?.anchor !== undefined) this.#anchors.set(frame.anchor, frame.value);
        if (frame !== undefined) this.#finish(frame.value);
        return;
      }
      case EVENT_ID.SCALAR:
        if (event.valueStart >= 0) this.#offset = event.valueStart;
        this.#noteLine(this.#isBlock(event) ? undefined : event.valueStart);
        return this.#scalar(event);
      case EVENT_ID.ALIAS:
        this.#offset = event.anchorStart;
        this.#noteLine(event.anchorStart);
        return this.#alias(this.#text.slice(event.anchorStart, event.anchorEnd));
    }
  }

  /** A text whose value begins behind the line of its indicator (`|`). */
  #isBlock({style}: Yaml.ScalarEvent): boolean {
    const {SCALAR_STYLE} = this.#yaml;
    return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
  }

  /** Notes where the value of a repeated member begins. @param offset undefined if it begins in the line of its name */
  #noteLine(offset: number | undefined): void {
    const again = this.#stack.at(-1)?.again;
    if (again === undefined || again.line !== undefined) return;
    if (offset !== undefined) this.#countLines(offset);
    again.line = this.#counted.line;
  }

  #countLines(end: number): void {
    const {offset} = this.#counted;
    for (let at = offset; at < end; at++) if (this.#text.charCodeAt(at) === 10) this.#counted.line++;
    this.#counted.offset = Math.max(offset, end);
  }

  #fault(problem: string): DecodeError {
    return new DecodeError('YAML', problem, positionAt(this.#text, this.#offset));
  }

  #anchorOf(event: {anchorStart: number; anchorEnd: number}): string | undefined {
    return event.anchorStart < 0 ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd);
  }

  /** The tag of a node: '' without one, `str` for `!!str`. */
  #tagOf(event: {tagStart: number; tagEnd: number}): string {
    if (event.tagStart < 0) return '';
    const text = this.#text.slice(event.tagStart, event.tagEnd);
    if (text === '!') return 'str';
    if (text.startsWith('!!')) return text.slice(2);
    if (text.startsWith(`!<${coreTag}`) && text.endsWith('>')) return text.slice(2 + coreTag.length, -1);
    throw this.#fault(`unknown tag ${text}`);
  }

  #open(value: JsonObject | JsonValue[], event: Yaml.MappingEvent | Yaml.SequenceEvent): void {
    const parent = this.#stack.at(-1);
    if (parent !== undefined && !Array.isArray(parent.value) && parent.name === undefined && !parent.merging) {
      throw this.#fault('the name of a member must be a scalar');
    }
    const kind = Array.isArray(value) ? 'seq' : 'map';
    const tag = this.#tagOf(event);
    if (tag !== '' && tag !== kind && tag !== 'str') throw this.#fault(`unknown tag !!${tag}`);
    this.#stack.push({value, anchor: this.#anchorOf(event), path: this.#nextPath(), name: undefined, own: new Set(), merging: false});
  }

  #nextPath(): string {
    const parent = this.#stack.at(-1);
    if (parent === undefined || !this.#wantDuplicates) return '';
    return Array.isArray(parent.value) ? `${parent.path}[${parent.value.length}]` : memberPath(parent.path, parent.name ?? '');
  }

  #scalar(event: Yaml.ScalarEvent): void {
    const text = this.#yaml.getScalarValue(this.#text, event);
    // Half a surrogate pair has no UTF-8 encoding.
    if (!text.isWellFormed()) throw this.#fault(invalidEscape);
    const plain = event.style === this.#yaml.SCALAR_STYLE.PLAIN;
    const parent = this.#stack.at(-1);
    const anchor = this.#anchorOf(event);
    if (parent !== undefined && !Array.isArray(parent.value) && parent.name === undefined && !parent.merging) {
      if (text === '<<' && plain && event.tagStart < 0) {
        parent.merging = true;
        return;
      }
      const name = this.#scalarValue(text, plain, this.#tagOf(event));
      if (anchor !== undefined) this.#anchors.set(anchor, name);
      return this.#startMember(parent, name);
    }
    const value = this.#scalarValue(text, plain, this.#tagOf(event));
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    this.#finish(value);
  }

  #scalarValue(text: string, plain: boolean, tag: string): Scalar {
    const value = this.#taggedScalar(text, plain, tag);
    if (value === undefined) throw this.#fault(`cannot read ${JSON.stringify(text.slice(0, 40))} as !!${tag}`);
    if (value === notANumber) throw this.#fault('number out of range');
    return value;
  }

  #taggedScalar(text: string, plain: boolean, tag: string): Scalar | typeof notANumber | undefined {
    switch (tag) {
      case '':
        return plain ? plainScalar(text) : text;
      case 'str':
      case 'timestamp':
        return text;
      case 'int':
        return yamlInteger(text);
      case 'float':
        return yamlFloat(text);
      case 'bool':
        return yamlBoolean(text);
      case 'null':
        return plainScalar(text) === null ? null : undefined;
      case 'binary':
        return this.#binary(text);
      default:
        throw this.#fault(`unknown tag !!${tag}`);
    }
  }

  #binary(text: string): string {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text.replaceAll(/\s/g, '')) throw this.#fault('!!binary value contains invalid base64 data');
    return bytes.toString('utf8');
  }

  #startMember(frame: Frame, name: Scalar): void {
    if (name === null) throw this.#fault('the name of a member must not be null');
    frame.name = String(name);
    if (!this.#wantDuplicates) return;
    if (!frame.own.has(frame.name)) return void frame.own.add(frame.name);
    this.#duplicates.add(memberPath(frame.path, frame.name));
    if (this.#repetitions.length >= maximumReported) return;
    this.#countLines(this.#offset);
    frame.again = {name};
  }

  #alias(anchor: string): void {
    const value = this.#anchors.get(anchor);
    if (value === undefined) throw this.#fault(`unknown anchor '${anchor}'`);
    this.#aliased += jsonSize(value, maximumAliased - this.#aliased);
    if (this.#aliased > maximumAliased) throw this.#fault('aliases add too much to the document');
    const parent = this.#stack.at(-1);
    if (parent !== undefined && !Array.isArray(parent.value) && parent.name === undefined && !parent.merging) {
      if (typeof value === 'object' && value !== null) throw this.#fault('the name of a member must be a scalar');
      return this.#startMember(parent, value);
    }
    this.#finish(cloneJson(value));
  }

  /** Stores a complete value in the container that is under construction. */
  #finish(value: JsonValue): void {
    const parent = this.#stack.at(-1);
    if (parent === undefined) {
      this.#root = value;
    } else if (Array.isArray(parent.value)) {
      parent.value.push(value);
    } else if (parent.merging) {
      parent.merging = false;
      for (const source of Array.isArray(value) ? value : [value]) this.#merge(parent, source);
    } else {
      setMember(parent.value, parent.name!, value);
      parent.name = undefined;
      if (parent.again) this.#repeated(parent.again);
      parent.again = undefined;
    }
  }

  #repeated({name, line = 0}: NonNullable<Frame['again']>): void {
    if (this.#repetitions.length >= maximumReported) return;
    const shown = typeof name === 'string' ? JSON.stringify(shownPath(name)) : String(name);
    this.#repetitions.push(`line ${line}: key ${shown} already set in map`);
  }

  /** Adds the members that the mapping does not have; its own later members replace them. */
  #merge(frame: Frame, source: JsonValue): void {
    if (!isJsonObject(source)) throw this.#fault('only mappings can be merged');
    for (const [name, value] of Object.entries(source)) {
      if (!Object.hasOwn(frame.value, name)) setMember(frame.value, name, value);
    }
  }
}
