import {FieldPath, invalid, type FieldError, type FieldErrorReason, type JsonObject} from '../../../sdk/index.js';
import {applyDefaults} from './apply-defaults.js';
import {Decoder} from './decode-value.js';
import {hasRules} from './has-rules.js';
import {immutableFaults} from './immutable-fields.js';
import type {JsonSchema} from './json-schema.js';
import {loadRules, type RuleCheck} from './lazy-rules.js';
import {SchemaNode, type SchemaScope} from './schema-node.js';
import {Validator} from './validate-value.js';

/** Faults after which an expression might see what its schema rules out. */
const blocking: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const uncheckedRules = invalid(
  FieldPath.root,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** The schema of an API object. Built-in types and custom resources use the same class. */
export class ObjectSchema {
  #node: SchemaNode | undefined;
  #metadataRules: SchemaNode | null | undefined;
  #ruleCheck: RuleCheck | undefined;

  /**
   * @param reference the full reference under which the schema is known; undefined when it stands in a manifest or a
   *   CustomResourceDefinition itself
   */
  constructor(
    readonly source: JsonSchema,
    private readonly scope: SchemaScope,
    readonly reference?: string,
  ) {}

  /** The root of what decoding, apply and merge walk over. Made on first use. */
  get node(): SchemaNode {
    return (this.#node ??= new SchemaNode(this.source, this.scope, {root: true, reference: this.reference}));
  }

  /**
   * Brings an object from outside into the form of its type, in place: unknown fields are dropped, nulls where they mean
   * nothing, and in built-in types empty values too; texts with a normal form get it. Metadata is always decoded.
   *
   * @param report collects the paths of unknown fields (`spec.containers[0].bar`), at most 100
   * @returns values of a wrong type, at most 100; when there are any the object must not be used
   */
  decode(object: JsonObject, report: {unknown: string[]}): FieldError[] {
    const decoder = new Decoder(report.unknown);
    decoder.object(this.node, object);
    return decoder.faults;
  }

  /** Fills in defaults in place, and in built-in types the fields that are always written. */
  applyDefaults(object: JsonObject): void {
    applyDefaults(this.node, object);
  }

  /**
   * All faults of a decoded and defaulted object against the value rules of the schema (required, enum, pattern, formats, bounds,
   * list types, `allOf` and the like), and against its validation rules (`x-kubernetes-validations`). Built-in types have none here:
   * their strategies enforce what the schema publishes.
   *
   * @param old the object before, on updates: rules may compare with it
   */
  validate(object: JsonObject, old?: JsonObject): FieldError[] {
    const validator = new Validator();
    validator.value(this.node, object);
    const rules = this.#rulesOfMetadata();
    if (rules && object['metadata'] !== undefined) validator.value(rules, object['metadata'], 'metadata');
    const {faults} = validator;
    if (!hasRules(this.source)) return faults;
    if (faults.some(({reason}) => blocking.has(reason))) return [...faults, uncheckedRules];
    this.#ruleCheck ??= loadRules(this.node);
    return [...faults, ...this.#ruleCheck(object, old)];
  }

  /** Faults of a change: fields marked `x-orch-immutable` whose value is another one. */
  validateUpdate(object: JsonObject, old: JsonObject): FieldError[] {
    return immutableFaults(this.node, object, old);
  }

  /** What a schema of our own or of a user says of metadata narrows names; it never says which fields there are. */
  #rulesOfMetadata(): SchemaNode | null {
    if (this.#metadataRules === undefined) {
      const given = this.node.typed ? undefined : this.source.properties?.['metadata'];
      this.#metadataRules = given ? new SchemaNode(given, this.scope) : null;
    }
    return this.#metadataRules;
  }
}
