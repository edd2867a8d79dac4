import type {JsonSchema} from '../api/schema/json-schema.js';
import type {SchemaDocument} from '../api/schema/schema-document.js';
import {compiledValidator} from '../kernel/schema/compiled-validators.js';
import {schemaFaults, type SchemaFault} from '../kernel/schema/schema-faults.js';

/** The same as `formFaults`, for a schema inside a manifest. */
export function inlineSchemaFaults(schema: JsonSchema): SchemaFault[] {
  const prefix = 'definitions.schema';
  return formFaults({definitions: {schema}}).map(({path, text}) => ({path: path.replace(prefix, '').replace(/^\./, ''), text}));
}

/** Keywords, their types and references' form, in a whole schema file (`schema-file.schema.json`). */
export function formFaults(document: Pick<SchemaDocument, 'definitions'>): SchemaFault[] {
  const validate = compiledValidator(new URL('schema-file.validator.cjs', import.meta.url));
  return validate(document) ? [] : schemaFaults(validate.errors);
}
