import {readFileSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {JsonSchema} from '../../api/schema/json-schema.js';
import {compiledValidator} from '../../kernel/schema/compiled-validators.js';
import {schemaFaults, type SchemaFault} from '../../kernel/schema/schema-faults.js';

/** Keywords, their types and references' form, in a whole schema file (`schema-file.schema.json`). */
export function schemaFileFaults(file: string, folder: string): SchemaFault[] {
  return formFaults(JSON.parse(readFileSync(isAbsolute(file) ? file : join(folder, file), 'utf8')));
}

/** The same for a schema inside a manifest. */
export function inlineSchemaFaults(schema: JsonSchema): SchemaFault[] {
  const prefix = 'definitions.schema';
  return formFaults({definitions: {schema}}).map(({path, text}) => ({path: path.replace(prefix, '').replace(/^\./, ''), text}));
}

function formFaults(document: unknown): SchemaFault[] {
  const validate = compiledValidator(new URL('schema-file.validator.cjs', import.meta.url));
  return validate(document) ? [] : schemaFaults(validate.errors);
}
