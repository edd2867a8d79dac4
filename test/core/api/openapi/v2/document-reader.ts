import protobuf from 'protobufjs';
import type {OpenApiNode} from '../../../../../core/api/openapi/openapi-input.js';

/** The part of gnostic's messages that a document of ours is made of, as clients know it. */
const definition = `
syntax = "proto3";
message AdditionalPropertiesItem { oneof oneof { Schema schema = 1; bool boolean = 2; } }
message Any { string yaml = 2; }
message ApiKeySecurity { string type = 1; string name = 2; string in = 3; string description = 4; repeated NamedAny vendor_extension = 5; }
message BodyParameter { string description = 1; string name = 2; string in = 3; bool required = 4; Schema schema = 5; repeated NamedAny vendor_extension = 6; }
message Definitions { repeated NamedSchema additional_properties = 1; }
message Document {
  string swagger = 1; Info info = 2; repeated string schemes = 5; Paths paths = 8; Definitions definitions = 9;
  repeated SecurityRequirement security = 12; SecurityDefinitions security_definitions = 13; repeated NamedAny vendor_extension = 16;
}
message ExternalDocs { string description = 1; string url = 2; repeated NamedAny vendor_extension = 3; }
message Info { string title = 1; string version = 2; repeated NamedAny vendor_extension = 7; }
message ItemsItem { repeated Schema schema = 1; }
message JsonReference { string _ref = 1; }
message NamedAny { string name = 1; Any value = 2; }
message NamedPathItem { string name = 1; PathItem value = 2; }
message NamedResponseValue { string name = 1; ResponseValue value = 2; }
message NamedSchema { string name = 1; Schema value = 2; }
message NamedSecurityDefinitionsItem { string name = 1; SecurityDefinitionsItem value = 2; }
message NamedStringArray { string name = 1; StringArray value = 2; }
message NonBodyParameter { oneof oneof { QueryParameterSubSchema query_parameter_sub_schema = 3; PathParameterSubSchema path_parameter_sub_schema = 4; } }
message Operation {
  repeated string tags = 1; string summary = 2; string description = 3; string operation_id = 5; repeated string produces = 6; repeated string consumes = 7;
  repeated ParametersItem parameters = 8; Responses responses = 9; bool deprecated = 11; repeated NamedAny vendor_extension = 13;
}
message Parameter { oneof oneof { BodyParameter body_parameter = 1; NonBodyParameter non_body_parameter = 2; } }
message ParametersItem { oneof oneof { Parameter parameter = 1; JsonReference json_reference = 2; } }
message PathItem {
  string _ref = 1; Operation get = 2; Operation put = 3; Operation post = 4; Operation delete = 5; Operation options = 6; Operation head = 7; Operation patch = 8;
  repeated ParametersItem parameters = 9; repeated NamedAny vendor_extension = 10;
}
message PathParameterSubSchema {
  bool required = 1; string in = 2; string description = 3; string name = 4; string type = 5; string format = 6; bool unique_items = 19; repeated NamedAny vendor_extension = 22;
}
message Paths { repeated NamedAny vendor_extension = 1; repeated NamedPathItem path = 2; }
message Properties { repeated NamedSchema additional_properties = 1; }
message QueryParameterSubSchema {
  bool required = 1; string in = 2; string description = 3; string name = 4; bool allow_empty_value = 5; string type = 6; string format = 7;
  bool unique_items = 20; repeated NamedAny vendor_extension = 23;
}
message Response { string description = 1; SchemaItem schema = 2; repeated NamedAny vendor_extension = 5; }
message ResponseValue { oneof oneof { Response response = 1; JsonReference json_reference = 2; } }
message Responses { repeated NamedResponseValue response_code = 1; repeated NamedAny vendor_extension = 2; }
message Schema {
  string _ref = 1; string format = 2; string title = 3; string description = 4; Any default = 5; double multiple_of = 6; double maximum = 7; bool exclusive_maximum = 8;
  double minimum = 9; bool exclusive_minimum = 10; int64 max_length = 11; int64 min_length = 12; string pattern = 13; int64 max_items = 14; int64 min_items = 15;
  bool unique_items = 16; int64 max_properties = 17; int64 min_properties = 18; repeated string required = 19; repeated Any enum = 20;
  AdditionalPropertiesItem additional_properties = 21; TypeItem type = 22; ItemsItem items = 23; repeated Schema all_of = 24; Properties properties = 25;
  string discriminator = 26; bool read_only = 27; ExternalDocs external_docs = 29; Any example = 30; repeated NamedAny vendor_extension = 31;
}
message SchemaItem { oneof oneof { Schema schema = 1; } }
message SecurityDefinitions { repeated NamedSecurityDefinitionsItem additional_properties = 1; }
message SecurityDefinitionsItem { oneof oneof { ApiKeySecurity api_key_security = 2; } }
message SecurityRequirement { repeated NamedStringArray additional_properties = 1; }
message StringArray { repeated string value = 1; }
message TypeItem { repeated string value = 1; }
`;

type Message = Readonly<Record<string, unknown>>;
interface Named {
  readonly name: string;
  readonly value: Message;
}

/**
 * Reads an OpenAPI v2 document in the binary form into the members that its JSON form has. What the binary form does not
 * tell from nothing (false, zero, empty texts and lists) is missing.
 *
 * @throws Error for bytes that are no such document, fields that it does not know included
 */
export function readDocument(bytes: Buffer, proto = definition): OpenApiNode {
  const type = protobuf.parse(proto, {keepCase: true}).root.lookupType('Document');
  const message = type.decode(bytes);
  // Fields of other numbers are dropped by reading, so that writing again shows them.
  const again = type.encode(message).finish();
  if (again.length !== bytes.length) throw new Error(`${bytes.length - again.length} bytes of the document are in unknown fields`);
  const {
    swagger,
    info,
    schemes,
    paths,
    definitions,
    security,
    security_definitions: securityDefinitions,
  } = type.toObject(message, {longs: Number}) as Message;
  return {
    swagger,
    info,
    schemes,
    securityDefinitions: namedMembers(securityDefinitions, 'additional_properties', (item) => only(item)),
    security: (security as Message[]).map((item) => namedMembers(item, 'additional_properties', ({value}) => value ?? [])),
    paths: namedMembers(paths, 'path', (item) =>
      mapMembers(item, (name, value) => (name === 'parameters' ? parameters(value) : operation(value as Message))),
    ),
    definitions: namedMembers(definitions, 'additional_properties', schema),
  };
}

function operation(given: Message): OpenApiNode {
  return mapMembers(given, (name, value) => {
    if (name === 'parameters') return parameters(value);
    if (name === 'responses')
      return namedMembers(value, 'response_code', (item) =>
        mapMembers(only(item), (own, entry) => (own === 'schema' ? schema(only(entry as Message)) : entry)),
      );
    return value;
  });
}

function parameters(items: unknown): OpenApiNode[] {
  return (items as Message[]).map((item) => {
    const parameter = only(item);
    if (Object.hasOwn(parameter, 'body_parameter'))
      return mapMembers(only(parameter), (name, value) => (name === 'schema' ? schema(value as Message) : value));
    return mapMembers(only(only(parameter)), (_name, value) => value);
  });
}

function schema(given: Message): OpenApiNode {
  return mapMembers(given, (name, value) => {
    const item = value as Message;
    switch (name) {
      case 'type':
        return only(item as Message)[0];
      case 'items':
        return schema((item['schema'] as Message[])[0]!);
      case 'properties':
        return namedMembers(item, 'additional_properties', schema);
      case 'additionalProperties':
        return Object.hasOwn(item, 'boolean') ? item['boolean'] : schema(item['schema'] as Message);
      case 'enum':
        return (value as Message[]).map(any);
      case 'example':
        return any(item);
      default:
        return value;
    }
  });
}

const any = ({yaml}: Message): unknown => JSON.parse(yaml as string);

/** The single member of a message, whatever its name. */
function only(message: Message): Message {
  const values = Object.values(message);
  if (values.length !== 1) throw new Error(`one of several alternatives was expected: ${Object.keys(message).join(', ')}`);
  return values[0] as Message;
}

function namedMembers(message: unknown, field: string, map: (value: Message) => unknown): OpenApiNode {
  return Object.fromEntries((((message as Message)[field] ?? []) as Named[]).map(({name, value}) => [name, map(value)]));
}

/** Members under their names in JSON, extensions among them. */
function mapMembers(message: Message, map: (name: string, value: unknown) => unknown): OpenApiNode {
  const members: OpenApiNode = {};
  for (const [field, value] of Object.entries(message)) {
    if (field === 'vendor_extension') {
      Object.assign(members, Object.fromEntries((value as Named[]).map((extension) => [extension.name, any(extension.value)])));
      continue;
    }
    const name = field === '_ref' ? '$ref' : field.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    members[name] = map(name, value);
  }
  return members;
}

/** A document without what the binary form does not tell from nothing; values of extensions and examples are kept as they are. */
export function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      name === 'additionalProperties' ||
      !(member === false || member === 0 || member === '' || (Array.isArray(member) && member.length === 0)),
  );
  return Object.fromEntries(
    kept.map(([name, member]) => [name, name.startsWith('x-') || name === 'enum' || name === 'example' ? member : withoutZeros(member)]),
  );
}
