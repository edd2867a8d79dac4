import {buildGroupVersionDocument} from '../group-version-document.js';
import type {GroupVersionInput, OpenApiNode} from '../openapi-input.js';
import {swaggerPaths} from './swagger-paths.js';
import {swaggerDefinition} from './swagger-schema.js';

/** How the parts of the OpenAPI v2 document are written. */
export interface SwaggerForm {
  /** Path items by path. */
  paths(paths: Readonly<Record<string, OpenApiNode>>): Buffer;
  definition(name: string, schema: OpenApiNode): Buffer;
  /**
   * The whole document.
   *
   * @param paths results of `paths`, in any number of non-empty pieces
   * @param definitions results of `definition`
   */
  document(frame: SwaggerFrame, paths: readonly Buffer[], definitions: readonly Buffer[]): Buffer;
}

/** The content of the document other than paths and definitions. */
export interface SwaggerFrame {
  readonly title: string;
  readonly serverVersion: string;
}

/** What one group version contributes to the document, in one form. */
export interface SwaggerPart {
  readonly paths: Buffer;
  /** By name. Parts share definitions: each contains those of the common metadata. */
  readonly definitions: Map<string, Buffer>;
}

/** Builds the part of a group version from uncompiled schemas; the caller keeps it as long as the group version does not change. */
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
 * Joins parts into the document. Each definition occurs once, sorted by name. Parts with the same definition share its bytes afterwards. If
 * two parts define a name differently, the earlier part wins.
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
