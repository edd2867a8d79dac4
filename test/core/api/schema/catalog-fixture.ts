import {existsSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {join} from 'node:path';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import type {DecodeReport, ObjectSchema} from '../../../../core/api/object-schema/object-schema.js';
import {readSchemaFile, SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {documentId, type SchemaDocument} from '../../../../core/api/schema/schema-document.js';
import type {Names} from '../../../../core/api/schema/schema-node.js';
import {fieldErrorText, type FieldError, type JsonObject} from '../../../../sdk/index.js';

const resources = fileURLToPath(new URL('../../../../plugins/resources/', import.meta.url));

/** A catalogue of all schema files of the built-in types. */
export function builtInCatalog(naming?: Names): SchemaCatalog {
  const catalog = new SchemaCatalog(naming);
  for (const folder of readdirSync(resources)) {
    if (!existsSync(join(resources, folder))) continue;
    for (const file of readdirSync(join(resources, folder)).filter((name) => name.endsWith('.schema.json'))) {
      const document = readSchemaFile(join(resources, folder, file));
      catalog.add(documentId(document.group, document.version), () => document);
    }
  }
  return catalog;
}

/** A structural schema with the given schema of `spec`. */
export function specSchema(spec: JsonSchema, catalog = new SchemaCatalog()): ObjectSchema {
  return catalog.fromInline({type: 'object', properties: {spec}});
}

/** The schema of one typed definition `Thing` with the given properties. */
export function typedSchema(properties: Record<string, JsonSchema>, more: SchemaDocument['definitions'] = {}): ObjectSchema {
  const catalog = new SchemaCatalog();
  catalog.add('demo.example/v1', () => ({
    group: 'demo.example',
    version: 'v1',
    semantics: 'typed',
    definitions: {
      Thing: {
        type: 'object',
        properties: {metadata: {$ref: 'meta.orch/v1#/definitions/ObjectMeta', 'x-orch-presence': 'always'}, ...properties},
      },
      ...more,
    },
  }));
  return catalog.schema('demo.example/v1#/definitions/Thing');
}

export interface Outcome {
  readonly object: JsonObject;
  readonly unknown: string[];
  readonly faults: string[];
  readonly isMistyped: boolean;
}

/** Decodes a copy of an object; faults as texts. */
export function decoded(schema: ObjectSchema, object: unknown): Outcome {
  const copy = structuredClone(object) as JsonObject;
  const report: DecodeReport = {unknown: []};
  const faults = texts(schema.decode(copy, report));
  return {object: copy, unknown: report.unknown, faults, isMistyped: report.isMistyped === true};
}

export function texts(faults: readonly FieldError[]): string[] {
  return faults.map(fieldErrorText);
}

/** Faults of `validate` for an object with the given `spec`. */
export function faultsOfSpec(spec: JsonSchema, value: unknown): string[] {
  return texts(specSchema(spec).validate({spec: value} as JsonObject));
}
