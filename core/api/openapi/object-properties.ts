import type {OpenApiNode} from './openapi-input.js';

/** The properties of a schema, with those common to all API objects in place of its own. */
export function objectProperties(properties: unknown, metadata: OpenApiNode): OpenApiNode {
  const {apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest} = (properties ?? {}) as OpenApiNode;
  return {...typeProperties(), metadata, ...rest};
}

/** The members that identify the type of an object or list. */
export function typeProperties(): OpenApiNode {
  return {
    apiVersion: {description: 'Group and version of the schema that this object follows.', type: 'string'},
    kind: {description: 'Name of the type of this object.', type: 'string'},
  };
}
