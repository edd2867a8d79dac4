import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ResourceVersionDefinition, SubresourceDefinition} from '../../../sdk/contracts/resource-definition.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import type {TypedSchema} from './schema-type.js';
import type {TypedVersion} from './type-module.js';

interface SchemaFile {
  readonly definitions?: Readonly<Record<string, TypedSchema>>;
}

/** What scale subresources carry. */
export const scaleReference = 'autoscaling/v1#/definitions/Scale';

/**
 * The types that a plugin contributes. Schema files have been checked.
 *
 * @throws Error for a schema file that cannot be read
 */
export function pluginVersions({folder, manifest}: FoundPlugin): TypedVersion[] {
  const files = new Map<string, SchemaFile>();
  const read = (name: string) => {
    let file = files.get(name);
    if (!file) files.set(name, (file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as SchemaFile));
    return file;
  };
  return (manifest.contributes?.resources ?? []).flatMap(({group, names, scope, versions}) =>
    versions.map((version) => ({
      group,
      version: version.name,
      kind: names.kind,
      plural: names.plural,
      isNamespaced: scope === 'Namespaced',
      ...schemaOf(version, read),
      subresources: new Map(
        Object.entries(version.subresources ?? {})
          .filter(([, {connect}]) => !connect)
          .map(([name, own]) => [name, carried(own)]),
      ),
    })),
  );
}

function schemaOf({schema}: ResourceVersionDefinition, read: (name: string) => SchemaFile): Pick<TypedVersion, 'schema' | 'definitions'> {
  if (typeof schema !== 'string') return {schema: schema as TypedSchema, definitions: {}};
  const [file = '', name = ''] = schema.split('#/definitions/');
  // A document of the platform.
  if (!file.endsWith('.json')) return {schema: {}, definitions: {}};
  const {definitions = {}} = read(file);
  return {schema: definitions[name] ?? {}, definitions};
}

/** What a subresource carries: undefined for the type's own objects. */
function carried({specReplicasPath, kind, schema}: SubresourceDefinition): string | undefined {
  if (specReplicasPath !== undefined) return scaleReference;
  return kind ? (schema ?? '#/definitions/') : undefined;
}
