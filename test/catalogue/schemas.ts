import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {kubernetes} from '../../core/api/naming/kubernetes.js';
import {defaultReleaseOf} from '../../core/api/lifetimes/releases.js';
import {readSchemaFile, SchemaCatalog} from '../../core/api/object-schema/schema-catalog.js';
import {documentId} from '../../core/api/schema/schema-document.js';
import type {SchemaNode} from '../../core/api/schema/schema-node.js';
import {projectRoot} from '../helpers/project-root.js';

const catalogs = new Map<string, SchemaCatalog>();

/** The schema of a built-in kind as a release has it, for its group in either profile. @throws Error when the project has none */
export function schemaOf(group: string, version: string, kind: string, release = defaultReleaseOf()): SchemaNode {
  return schemaAt(`${documentId(kubernetes.neutralGroup(group), version)}#/definitions/${kind}`, release);
}

/** The schema that a reference names. @throws Error when the project has none */
export function schemaAt(reference: string, release = defaultReleaseOf()): SchemaNode {
  let catalog = catalogs.get(release);
  if (!catalog) catalogs.set(release, (catalog = readSchemas(release)));
  return catalog.schema(reference).node;
}

function readSchemas(release: string): SchemaCatalog {
  const all = new SchemaCatalog(undefined, release);
  const resources = join(projectRoot(), 'plugins/resources');
  for (const folder of readdirSync(resources)) {
    for (const name of readdirSync(join(resources, folder)).filter((file) => file.endsWith('.schema.json'))) {
      const document = readSchemaFile(join(resources, folder, name));
      all.add(documentId(document.group, document.version), () => document);
    }
  }
  return all;
}
