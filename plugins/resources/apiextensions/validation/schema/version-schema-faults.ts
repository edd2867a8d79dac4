import {isDeepStrictEqual} from 'node:util';
import {forbiddenField, invalid, type FieldError, type FieldPath, type Interruptible, type Schemas} from '../../../../../sdk/index.js';
import {someSchema, type SchemaProps} from '../../schema-props.js';
import type {Ratcheting} from '../ratcheting.js';
import {defaultFaults} from './default-faults.js';
import {openApiFaults} from './open-api-faults.js';
import {isBeyondStructure, structuralFaults} from './structural-faults.js';

/**
 * Keywords allowed at the root next to a status subresource: the status is validated separately, and no other keyword may get lost in the
 * process.
 */
const rootKeywords: readonly string[] = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** The place of a version's schema, and the rules that apply to it. */
export interface SchemaCase {
  readonly path: FieldPath;
  /** Whether the version, or another one with the same schema, has a status subresource. */
  readonly hasStatus: boolean;
  /** Whether the schema must be structural even if the previous one was not. */
  readonly mustBeStructural: boolean;
  /** The previous schema. */
  readonly old: SchemaProps | undefined;
}

/**
 * All errors in the schema of a version. Later checks depend on earlier ones: defaults are checked in structural schemas only, and rules
 * only if they are well-formed and in places without other errors. Existing rules are not checked again.
 */
export function* versionSchemaFaults(
  schema: SchemaProps,
  {path, hasStatus, mustBeStructural, old}: SchemaCase,
  schemas: Schemas,
  ratcheting: Ratcheting,
): Interruptible<FieldError[]> {
  const faults = hasStatus ? rootFaults(schema, path) : [];
  if (schema.nullable) faults.push(forbiddenField(path.child('nullable'), 'nullable cannot be true at the root'));
  const ofKeywords = yield* openApiFaults(schema, path, ratcheting);
  faults.push(...ofKeywords);
  yield;
  if (ofKeywords.length > 0 && isBeyondStructure(schema)) return faults;
  const ofStructure = yield* structureFaults(schema, path, schemas, ratcheting);
  yield;
  if (ofStructure.length > 0 && !mustBeStructural && ratcheting.looseStructure) return faults;
  faults.push(...ofStructure);
  if (ofStructure.length === 0 && !isDeepStrictEqual(schema, old)) {
    const isFaulty = (place: FieldPath) => ofKeywords.some(({field}) => isWithin(field, place.toString()));
    faults.push(...(yield* schemas.ruleFaults(schema as Readonly<Record<string, unknown>>, path, isFaulty)));
  }
  if (faults.length === 0 && someSchema(schema, ({$schema}) => Boolean($schema)))
    faults.push(invalid(path, '', "OpenAPIV3Schema 'schema' is not supported"));
  return faults;
}

function* structureFaults(schema: SchemaProps, path: FieldPath, schemas: Schemas, ratcheting: Ratcheting): Interruptible<FieldError[]> {
  const faults = yield* structuralFaults(schema, path, (pattern) => schemas.patternFault(pattern));
  if (faults.length > 0) return faults;
  const ofDefaults = defaultFaults(schema, path, schemas);
  return ofDefaults.length > 0 && ratcheting.unprunedDefaults ? defaultFaults(schema, path, schemas, true) : ofDefaults;
}

function isWithin(field: string, place: string): boolean {
  return field.startsWith(place) && (field.length === place.length || field[place.length] === '.' || field[place.length] === '[');
}

/** The name of a keyword as Kubernetes has it in Go. */
function goName(keyword: string): string {
  return keyword.replace('kubernetes', '').replaceAll(/(?:^|-+)(.)/g, (_text, first: string) => first.toUpperCase());
}

function rootFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const {type} = schema;
  if (type && type !== 'object') {
    return [
      invalid(
        path.child('type'),
        type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  }
  const other = Object.keys(schema).find((keyword) => !rootKeywords.includes(keyword));
  if (other === undefined) return [];
  return [
    invalid(
      path,
      other,
      `only [${rootKeywords.map(goName).join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`,
    ),
  ];
}
