import type {OpenApiNode} from '../openapi-input.js';
import {swaggerSchema} from './swagger-schema.js';

const requestBodyName = 'body';

/** The paths of an OpenAPI v3 document in v2 form: bodies are parameters, and operations list the media types. */
export function swaggerPaths(paths: Readonly<Record<string, OpenApiNode>>): OpenApiNode {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, pathItem(item)]));
}

function pathItem(item: OpenApiNode): OpenApiNode {
  return Object.fromEntries(
    Object.entries(item).map(([member, value]) => [
      member,
      member === 'parameters' ? (value as OpenApiNode[]).map(parameter) : operation(value as OpenApiNode),
    ]),
  );
}

function operation(given: OpenApiNode): OpenApiNode {
  const {parameters, requestBody, responses, ...rest} = given;
  const body = requestBody as OpenApiNode | undefined;
  const bodyContent = contentOf(body);
  const answers = Object.entries(responses as Record<string, OpenApiNode>);
  const produces = [...new Set(answers.flatMap(([, answer]) => Object.keys(contentOf(answer))))];
  return {
    ...rest,
    ...(body ? {consumes: Object.keys(bodyContent)} : {}),
    ...(produces.length > 0 ? {produces} : {}),
    parameters: [
      ...(body ? [{name: requestBodyName, in: 'body', required: body['required'] === true, schema: schemaOf(bodyContent) ?? {}}] : []),
      ...((parameters ?? []) as OpenApiNode[]).map(parameter),
    ],
    responses: Object.fromEntries(answers.map(([code, answer]) => [code, response(answer)])),
  };
}

/** Where v3 gives a parameter a schema, v2 puts the schema's keywords next to its name. */
function parameter({schema, ...rest}: OpenApiNode): OpenApiNode {
  return {...rest, ...(schema as OpenApiNode)};
}

function response(answer: OpenApiNode): OpenApiNode {
  const schema = schemaOf(contentOf(answer));
  return {description: answer['description'], ...(schema ? {schema} : {})};
}

function contentOf(node: OpenApiNode | undefined): Record<string, OpenApiNode> {
  return (node?.['content'] ?? {}) as Record<string, OpenApiNode>;
}

/** Every media type of a body has the same schema. */
function schemaOf(content: Record<string, OpenApiNode>): OpenApiNode | undefined {
  const schema = Object.values(content)[0]?.['schema'] as OpenApiNode | undefined;
  return schema && swaggerSchema(schema);
}
