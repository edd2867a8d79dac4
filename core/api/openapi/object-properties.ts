import type {OpenApiNode} from './openapi-input.js';

/**
 * The properties of a schema, with those common to all API objects in place of its own. Clients look for the first words of their descriptions.
 *
 * @param metadata a reference to the schema of all metadata
 */
export function objectProperties(properties: unknown, metadata: OpenApiNode): OpenApiNode {
  const {apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest} = (properties ?? {}) as OpenApiNode;
  return {
    ...typeProperties(),
    metadata: {description: "Standard object's metadata: name, namespace, labels and the like.", allOf: [metadata]},
    ...rest,
  };
}

/** The members that identify the type of an object or list. */
export function typeProperties(): OpenApiNode {
  return {
    apiVersion: {description: 'APIVersion defines the group and version of the schema that this object follows.', type: 'string'},
    kind: {description: 'Kind is a string value that names the type of this object.', type: 'string'},
  };
}
