import {withoutFaultLimit} from '../../../sdk/errors/fault-limit.js';
import {
  FieldPath,
  invalid,
  requestEntityTooLarge,
  type FieldError,
  type FieldErrorReason,
  type JsonObject,
  type Task,
} from '../../../sdk/index.js';
import {atOnce, inTurns, type Interruptible} from '../../../sdk/values/interruptible.js';
import {applyDefaults, maximumDefaulted} from '../schema/apply-defaults.js';
import {Decoder} from '../schema/decode-value.js';
import type {GoDecoder} from '../schema/go-words/mismatch.js';
import {hasRules} from '../schema/has-rules.js';
import {immutableFaults} from '../schema/immutable-fields.js';
import type {JsonSchema} from '../schema/json-schema.js';
import {loadRules, type RuleCheck} from './lazy-rules.js';
import type {SchemaBehaviour} from '../schema/schema-behaviour.js';
import {SchemaNode, type SchemaScope} from '../schema/schema-node.js';
import {Correlation} from '../schema/validation/correlation.js';
import {Validator} from '../schema/validation/validator.js';

/** Errors after which an expression might see a value that its schema rules out. */
const blocking: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const uncheckedRules =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const moreFaults = 'there may be more faults than are listed here; correct these to see the others';

function faultOfWhole({words}: SchemaBehaviour, detail: string): FieldError {
  return {...invalid(FieldPath.root, null, ''), body: `Invalid value: ${words.shown(null)}: ${detail}`};
}

/** The findings of decoding other than invalid values. */
export interface DecodeReport {
  readonly unknown: string[];
  isMistyped?: boolean;
  /** Why typed parts were refused, in the words of Go's decoder. */
  refusal?: string;
  /** Of a body of CBOR: the position of the unknown field for which it is refused. */
  unknownIndex?: number;
}

/** What is known of a write whose object is judged. */
export interface WriteKind {
  /** Only the status is written: nothing else is judged but by validation rules. */
  readonly isStatus?: boolean;
  /** Gets the text of a rule that is broken, and may be. */
  readonly warn?: (text: string) => void;
}

/** The schema of an API object. Built-in types and custom resources use this class. */
export class ObjectSchema {
  #node: SchemaNode | undefined;
  #ruleCheck: RuleCheck | undefined;
  readonly #scope: SchemaScope;

  /** @param reference the full reference of the schema; undefined if it is part of a manifest or CustomResourceDefinition */
  constructor(
    readonly source: JsonSchema,
    scope: SchemaScope,
    readonly reference?: string,
  ) {
    this.#scope = scope;
  }

  /** The root node, on which decoding, apply and merge work. Created on first use. */
  get node(): SchemaNode {
    return (this.#node ??= new SchemaNode(this.source, this.#scope, {root: true, reference: this.reference}));
  }

  /**
   * Brings an object from outside into the form of its type, in place. Unknown fields are dropped, and so are nulls that have no meaning
   * and, in built-in types, empty values. Strings with a normal form are normalized. Metadata is always decoded.
   *
   * @param words in which a value of a wrong type is refused
   * @param report collects the paths of unknown fields (`spec.containers[0].bar`), at most 100, and records whether structural parts have
   * values of a wrong type; only `validate` may see such an object
   * @returns values of a wrong type in typed parts, at most 100; if there are any, the object must not be used
   */
  decode(object: JsonObject, report: DecodeReport, words?: GoDecoder): FieldError[] {
    const decoder = new Decoder(report.unknown, undefined, words);
    decoder.object(this.node, object);
    if (decoder.isMistyped) report.isMistyped = true;
    if (decoder.refusal !== undefined) report.refusal = decoder.refusal;
    if (decoder.unknownIndex !== undefined) report.unknownIndex = decoder.unknownIndex;
    return decoder.faults;
  }

  /**
   * Fills in defaults in place and, in built-in types, the fields that are always written.
   *
   * @throws StatusError 413 if the object would become too large; it must not be used then
   */
  applyDefaults(object: JsonObject): void {
    if (!this.fillDefaults(object))
      throw requestEntityTooLarge(maximumDefaulted, 'the defaults of the schema would make the object too large');
  }

  /** The same for a stored object, which must be shown in any case. Returns whether there was room for all defaults. */
  fillDefaults(object: JsonObject): boolean {
    const budget = {left: maximumDefaulted};
    applyDefaults(this.node, object, budget);
    return budget.left >= 0;
  }

  /**
   * All errors of a decoded and defaulted object: against the schema's value rules (required, enum, pattern, formats, bounds, list types,
   * `allOf` and the like) and its validation rules (`x-kubernetes-validations`). Built-in types have none here: their strategies enforce
   * what the schema publishes.
   *
   * @param old the previous object on updates, with which rules may compare; what the update leaves as it was may be invalid
   */
  validate(object: JsonObject, old?: JsonObject, write: WriteKind = {}): FieldError[] {
    // It has its own limit.
    return withoutFaultLimit(() => atOnce(this.#judge(object, old, write)));
  }

  /**
   * The same for an object of a request. Validation rules may take long.
   *
   * @param task asked between their parts
   */
  validateInTurns(
    object: JsonObject,
    old: JsonObject | undefined,
    task: Pick<Task, 'yieldIfDue'>,
    write: WriteKind = {},
  ): FieldError[] | Promise<FieldError[]> {
    if (!hasRules(this.source)) return this.validate(object, old, write);
    const work = this.#judge(object, old, write);
    return inTurns(work, task, () => withoutFaultLimit(() => work.next()));
  }

  *#judge(object: JsonObject, old: JsonObject | undefined, {isStatus = false, warn}: WriteKind): Interruptible<FieldError[]> {
    const {behaviour} = this.node;
    const correlation = old && behaviour.ratchets ? new Correlation(this.node, object, old) : undefined;
    const ratcheted = isStatus && !behaviour.ratchetsStatus ? undefined : correlation;
    const validator = this.#validated(object, isStatus, ratcheted);
    const faults = [...validator.faults, ...(isStatus ? [] : validator.embedded)];
    const {duplicates} = validator;
    // An object that already has duplicate items may keep them.
    if (duplicates.length > 0 && !(old && this.#validated(old, false).duplicates.length > 0)) faults.push(...duplicates);
    if (validator.endedEarly) faults.push(faultOfWhole(behaviour, moreFaults));
    if (!hasRules(this.source)) return faults;
    const isBlocking = ({reason}: FieldError) =>
      blocking.has(reason) || (reason === 'FieldValueNotSupported' && behaviour.enumFaultsBlockRules);
    if (faults.some(isBlocking)) return [...faults, faultOfWhole(behaviour, uncheckedRules)];
    this.#ruleCheck ??= loadRules(this.node);
    return [...faults, ...(yield* this.#ruleCheck(object, old, ratcheted && {correlation: ratcheted, warn}))];
  }

  #validated(object: JsonObject, isStatus: boolean, before?: Correlation): Validator {
    const validator = new Validator();
    const status = isStatus ? this.node.properties.get('status') : undefined;
    if (status) validator.checkMember(status, object, 'status', before?.member('status'));
    else if (!isStatus) validator.check(this.node, object, before);
    return validator;
  }

  /** Errors of a change: fields marked `x-orch-immutable` with a different value. */
  validateUpdate(object: JsonObject, old: JsonObject): FieldError[] {
    return immutableFaults(this.node, object, old);
  }
}
