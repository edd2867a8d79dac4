import {readFileSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {ResourceVersionDefinition} from '../../sdk/index.js';
import {schemaMark} from '../api/types/schema-mark.js';
import {KERNEL_VERSION} from '../kernel/kernel-version.js';

/**
 * Marks the schema of a version that a plugin contributes. Its file may refer to others, which change with the server only: so
 * the server's version counts too.
 *
 * @param folder what file names are relative to
 */
export function schemaFileMark({name, schema}: ResourceVersionDefinition, folder: string): number {
  if (typeof schema !== 'string') return schemaMark(KERNEL_VERSION, name, JSON.stringify(schema));
  const [file = ''] = schema.split('#', 1);
  const content = file.endsWith('.json') ? readFileSync(isAbsolute(file) ? file : join(folder, file)) : '';
  return schemaMark(KERNEL_VERSION, name, schema, content);
}
