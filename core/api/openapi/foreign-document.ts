import {encodeJson} from '../codec/json.js';
import {pathPrefix} from './group-version-document.js';
import type {OpenApiNode} from './openapi-input.js';
import {isNode, plainPathItem, plainSchema, type Refer} from './v2/foreign-nodes.js';
import type {ForeignDocument} from './v2/foreign-part.js';

const methods = ['get', 'put', 'post', 'delete', 'patch'];
const jsonType = 'application/json';
/** What stands in the schema of a parameter in v3, and beside its name in v2. */
const typeMembers = ['type', 'format', 'uniqueItems'];

/**
 * The OpenAPI v3 document, as JSON, of a group version whose server has only one of v2, as Kubernetes' aggregator makes it. Of that, only what all clients
 * understand is taken over.
 *
 * @param head the other members of the document
 * @returns undefined if there is nothing about the group version in it, or it cannot be read
 */
export function documentFromV2({group, version, text}: ForeignDocument, head: OpenApiNode): string | undefined {
  try {
    const document = nodeOf(JSON.parse(text));
    const prefix = `${pathPrefix({group, version})}/`;
    const given = Object.entries(nodeOf(document['paths'])).filter(([path]) => `${path}/`.startsWith(prefix));
    if (given.length === 0) return undefined;
    const definitions = nodeOf(document['definitions']);
    const needed = new Set<string>();
    const refer: Refer = (name) => {
      if (!Object.hasOwn(definitions, name)) return undefined;
      needed.add(name);
      return name;
    };
    const shared = nodeOf(document['parameters']);
    const paths = given.map(([path, item]) => [path, pathItem(plainPathItem(item, shared, refer, (schema) => schema))] as const);
    const schemas: [string, OpenApiNode][] = [];
    // A set that grows is walked to its end.
    for (const name of needed) schemas.push([name, plainSchema(definitions[name], refer)]);
    return encodeJson({...head, paths: Object.fromEntries(paths), components: {schemas: Object.fromEntries(schemas)}});
  } catch {
    // Such as one whose extensions are nested too deep to be written.
    return undefined;
  }
}

function pathItem(item: OpenApiNode): OpenApiNode {
  const {parameters, ...rest} = item;
  const converted: OpenApiNode = {...rest, ...(parameters === undefined ? {} : parametersOf(parameters, []))};
  for (const method of methods) if (isNode(item[method])) converted[method] = operation(item[method]);
  return converted;
}

function operation({consumes, produces, parameters, responses, ...rest}: OpenApiNode): OpenApiNode {
  const answers = Object.entries(nodeOf(responses)).map(([code, response]) => {
    const {schema, ...other} = nodeOf(response);
    return [code, {...other, ...(schema === undefined ? {} : {content: contentOf(produces, schema)})}] as const;
  });
  return {...rest, ...parametersOf(parameters, consumes), responses: Object.fromEntries(answers)};
}

/** In v3 the body is no parameter. */
function parametersOf(parameters: unknown, consumes: unknown): OpenApiNode {
  const all = (Array.isArray(parameters) ? (parameters as unknown[]) : []).filter(isNode);
  const body = all.find((parameter) => parameter['in'] === 'body');
  return {
    parameters: all
      .filter((parameter) => parameter['in'] !== 'body')
      .map((parameter) => {
        const members = Object.entries(parameter);
        const schema = Object.fromEntries(members.filter(([member]) => typeMembers.includes(member)));
        return {...Object.fromEntries(members.filter(([member]) => !typeMembers.includes(member))), schema};
      }),
    ...(body ? {requestBody: {...(body['required'] === true ? {required: true} : {}), content: contentOf(consumes, body['schema'])}} : {}),
  };
}

function contentOf(types: unknown, schema: unknown): OpenApiNode {
  const named = Array.isArray(types) && types.length > 0 ? (types as string[]) : [jsonType];
  return Object.fromEntries(named.map((type) => [type, {schema}]));
}

function nodeOf(value: unknown): OpenApiNode {
  return isNode(value) ? value : {};
}
