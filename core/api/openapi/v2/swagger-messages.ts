import type {OpenApiNode} from '../openapi-input.js';
import {
  any,
  boolean,
  chosenBoolean,
  double,
  int64,
  members,
  message,
  named,
  only,
  repeated,
  text,
  type Content,
  type Field,
  type Members,
} from './message-shape.js';

// Messages and field numbers of `openapi.v2`, as google/gnostic defines them in openapiv2/OpenAPIv2.proto. Clients that accept
// `application/com.github.proto-openapi.spec.v2.v1.0+protobuf` receive this form.

/** A map of strings, messages or lists: a message whose field 1 contains the entries. */
const map = (field: Field): Field => message(only(1, named(field)));

const externalDocs: Field = message(members(() => ({description: [1, text], url: [2, text]}), 3));

const schemaContent: Content = members(
  () => ({
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, boolean],
    minimum: [9, double],
    exclusiveMinimum: [10, boolean],
    maxLength: [11, int64],
    minLength: [12, int64],
    pattern: [13, text],
    maxItems: [14, int64],
    minItems: [15, int64],
    uniqueItems: [16, boolean],
    maxProperties: [17, int64],
    minProperties: [18, int64],
    required: [19, repeated(text)],
    enum: [20, repeated(any)],
    additionalProperties: [21, additionalProperties],
    type: [22, message(only(1, repeated(text)))],
    items: [23, message(only(1, repeated(schema)))],
    properties: [25, map(schema)],
    externalDocs: [29, externalDocs],
    example: [30, any],
  }),
  31,
);
export const schema: Field = message(schemaContent);

const additionalProperties: Field = message((writer, value) => {
  if (typeof value === 'boolean') chosenBoolean(writer, 2, value);
  else schema(writer, 1, value);
});

const bodyParameter: Field = message(
  members(() => ({description: [1, text], name: [2, text], in: [3, text], required: [4, boolean], schema: [5, schema]}), 6),
);
/** Parameters of paths and queries: their fields have the same order. @param type the number of the field `type` */
const simpleParameter = (type: number): Field =>
  message(
    members(
      () => ({
        required: [1, boolean],
        in: [2, text],
        description: [3, text],
        name: [4, text],
        type: [type, text],
        format: [type + 1, text],
        uniqueItems: [type + 14, boolean],
      }),
      type + 17,
    ),
  );
const pathParameter = simpleParameter(5);
const queryParameter = simpleParameter(6);
const nonBodyParameter: Field = message((writer, value) => {
  if ((value as OpenApiNode)['in'] === 'path') pathParameter(writer, 4, value);
  else queryParameter(writer, 3, value);
});
const parameter: Field = message((writer, value) => {
  if ((value as OpenApiNode)['in'] === 'body') bodyParameter(writer, 1, value);
  else nonBodyParameter(writer, 2, value);
});
/** Either a parameter (1) or a reference to one (2); ours are always parameters. */
const parameterItem: Field = message(only(1, parameter));

const response: Field = message(members(() => ({description: [1, text], schema: [2, message(only(1, schema))]}), 5));
const responses: Field = message(only(1, named(message(only(1, response)))));

const operation: Field = message(
  members(
    () => ({
      tags: [1, repeated(text)],
      summary: [2, text],
      description: [3, text],
      operationId: [5, text],
      produces: [6, repeated(text)],
      consumes: [7, repeated(text)],
      parameters: [8, repeated(parameterItem)],
      responses: [9, responses],
      deprecated: [11, boolean],
    }),
    13,
  ),
);

export const pathItem: Field = message(
  members(
    () => ({
      get: [2, operation],
      put: [3, operation],
      post: [4, operation],
      delete: [5, operation],
      patch: [8, operation],
      parameters: [9, repeated(parameterItem)],
    }),
    10,
  ),
);

const info: Field = message(members(() => ({title: [1, text], version: [2, text]}), 7));
/** The only kind of credentials in our document is an API key. */
const securityDefinition: Field = message(
  only(2, message(members(() => ({type: [1, text], name: [2, text], in: [3, text], description: [4, text]}), 5))),
);
const texts: Field = message(only(1, repeated(text)));

/** The members of the document other than paths and definitions. */
export const documentHead: Members = {
  swagger: [1, text],
  info: [2, info],
  schemes: [5, repeated(text)],
  security: [12, repeated(map(texts))],
  securityDefinitions: [13, map(securityDefinition)],
};
