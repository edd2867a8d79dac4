import {buildGroupVersionDocument} from '../group-version-document.js';
import type {GroupVersionInput, OpenApiNode} from '../openapi-input.js';
import {swaggerPaths} from './swagger-paths.js';
import {swaggerDefinition} from './swagger-schema.js';

/** How a part of the OpenAPI v2 document is written. */
export interface SwaggerForm {
  /** Path items by path. */
  paths(paths: Readonly<Record<string, OpenApiNode>>): Buffer;
  definition(name: string, schema: OpenApiNode): Buffer;
  /**
   * The whole document.
   *
   * @param paths what `paths` made, in any number of pieces that are not empty
   * @param definitions what `definition` made
   */
  document(frame: SwaggerFrame, paths: readonly Buffer[], definitions: readonly Buffer[]): Buffer;
}

/** What the document says besides paths and definitions. */
export interface SwaggerFrame {
  readonly title: string;
  readonly serverVersion: string;
}

/** What one group version adds to the document, written in one form. */
export interface SwaggerPart {
  readonly paths: Buffer;
  /** By name. Parts share definitions: those of the common metadata are in each. */
  readonly definitions: Map<string, Buffer>;
}

/** Makes the part of a group version, from uncompiled schemas; the caller keeps it for as long as the group version stays as it is. */
export function buildSwaggerPart(input: GroupVersionInput, form: SwaggerForm): SwaggerPart {
  const {paths, components} = buildGroupVersionDocument(input) as {
    paths: Record<string, OpenApiNode>;
    components: {schemas: Record<string, OpenApiNode>};
  };
  const definitions = new Map<string, Buffer>();
  for (const [name, schema] of Object.entries(components.schemas)) definitions.set(name, form.definition(name, swaggerDefinition(schema)));
  return {paths: form.paths(swaggerPaths(paths) as Record<string, OpenApiNode>), definitions};
}

/**
 * Joins parts to the document. Definitions stand in it once and sorted by name. Parts with the same definition share its bytes
 * afterwards. Where two define different things under one name, that of the earlier part is taken.
 */
export function joinSwaggerParts(frame: SwaggerFrame, parts: readonly SwaggerPart[], form: SwaggerForm): Buffer {
  const all = new Map<string, Buffer>();
  for (const {definitions} of parts) {
    for (const [name, bytes] of definitions) {
      const known = all.get(name);
      if (!known) all.set(name, bytes);
      else if (known !== bytes && known.equals(bytes)) definitions.set(name, known);
    }
  }
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  return form.document(
    frame,
    parts.map(({paths}) => paths),
    sorted,
  );
}
