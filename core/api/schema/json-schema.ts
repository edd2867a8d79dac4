/** The value of `x-orch-field`: the number of a protobuf field, alone or with what does not follow from the schema. */
export type ProtoField =
  | number
  | {
      readonly number: number;
      /** The field's name in protobuf, if it differs from the JSON name. */
      readonly name?: string;
      /** Numbers of the nested messages that contain the field, outermost first. Its JSON member is one level higher for each. */
      readonly within?: readonly number[];
    };

/**
 * When a field of a typed object is written (`x-orch-presence`). Without it, the field is left out if it is empty (`""`, `0`, `false`, an
 * empty list or map), and empty is equivalent to absent.
 *
 * - `always`: also written if empty
 * - `explicit`: absent and empty are different
 * - `explicit-null`: like `explicit`, and an absent field is written as null
 */
export type Presence = 'always' | 'explicit' | 'explicit-null';

/** A string with a normal form. */
export type TextForm = 'time' | 'micro-time' | 'duration' | 'quantity';

/**
 * A value whose binary form does not follow from its schema (`x-orch-form`): the text forms; `raw`, a JSON value as bytes in field 1;
 * `list`, a list in field 1 of a message; and the three unions of JSON schemas (a message with one field per alternative).
 */
export type ValueForm = TextForm | 'raw' | 'list' | 'schema-or-bool' | 'schema-or-list' | 'schema-or-texts';

/** What a schema is from a release on: keywords with their new values, `null` for one that is gone. */
export interface Change {
  readonly since: string;
  readonly [keyword: string]: unknown;
}

/**
 * A structural OpenAPI v3 schema with the `x-kubernetes-*` extensions and our own `x-orch-*` ones (`docs/schema-extensions.md`). It is
 * data: unknown keywords are kept and ignored.
 */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  /** Rules in the Common Expression Language (`core/api/cel`). */
  readonly 'x-kubernetes-validations'?: readonly unknown[];
  readonly 'x-orch-field'?: ProtoField;
  readonly 'x-orch-presence'?: Presence;
  readonly 'x-orch-form'?: ValueForm;
  /** The Go type of a field, where it has a name that does not follow from the schema. */
  readonly 'x-orch-go'?: string;
  /** The default is the name of an API group or a reserved key, which the naming profile translates. */
  readonly 'x-orch-name'?: 'group' | 'key';
  readonly 'x-orch-feature-gate'?: string;
  /**
   * On schemas of variables that plugins declare for expressions: the CEL type of a string or of a value of any form, whose size `maxLength`
   * bounds. An attribute of a device is an object as ResourceSlices have it.
   */
  readonly 'x-orch-expression-type'?: 'string' | 'kubernetes.Quantity' | 'kubernetes.Semver' | 'kubernetes.DeviceAttribute' | 'dyn' | 'any';
  /** On the values of a map among these: what an expression reads where the map has no value. */
  readonly 'x-orch-expression-default'?: unknown;
  readonly 'x-orch-immutable'?: boolean;
  /** On definitions of schema files and their properties: the first release that has it, the first that has it no more, and how it changes in between. */
  readonly 'x-orch-since'?: string;
  readonly 'x-orch-until'?: string;
  readonly 'x-orch-changes'?: readonly Change[];
  readonly 'x-orch-alternatives'?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}
