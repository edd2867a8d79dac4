import type {Task} from '../../../../sdk/index.js';
import type {OpenApiNode} from '../openapi-input.js';
import {isNode, plainDefinition, plainPathItem, type Refer} from './foreign-nodes.js';
import type {SwaggerForm, SwaggerPart} from './swagger-part.js';

/** A document of OpenAPI v2 that another server has made, and the group version that is published from it. */
export interface ForeignDocument {
  readonly group: string;
  readonly version: string;
  /** JSON. */
  readonly text: string;
}

/** A definition, and the definitions that it refers to. */
interface Definition {
  readonly bytes: Buffer;
  readonly references: ReadonlySet<string>;
}

/**
 * The parts of other servers' documents behind those of this server. What they say reaches clients only in shapes that all of them
 * understand. A document that cannot be read adds nothing. A definition that differs from one of the same name before it gets another name.
 */
export async function withForeignParts(
  own: readonly SwaggerPart[],
  documents: readonly ForeignDocument[],
  form: SwaggerForm,
  task: Pick<Task, 'yield'>,
): Promise<SwaggerPart[]> {
  const parts = [...own];
  if (documents.length === 0) return parts;
  const taken = new Map(own.flatMap(({definitions}) => [...definitions]));
  for (const document of documents) {
    // They may be large.
    await task.yield();
    const part = partOrNothing(document, taken, form);
    if (!part) continue;
    parts.push(part);
    for (const [name, bytes] of part.definitions) taken.set(name, bytes);
  }
  return parts;
}

/** Nothing that others write, such as extensions nested too deep to be written, may cost clients the whole document. */
function partOrNothing(...given: Parameters<typeof foreignPart>): SwaggerPart | undefined {
  try {
    return foreignPart(...given);
  } catch {
    return undefined;
  }
}

function foreignPart(given: ForeignDocument, taken: ReadonlyMap<string, Buffer>, form: SwaggerForm): SwaggerPart | undefined {
  const document = nodeOf(JSON.parse(given.text));
  const prefix = `/apis/${given.group}/${given.version}/`;
  const paths = Object.entries(nodeOf(document['paths'])).filter(([path]) => `${path}/`.startsWith(prefix));
  if (paths.length === 0) return undefined;
  const parameters = nodeOf(document['parameters']);
  const items = (refer: Refer) => Object.fromEntries(paths.map(([path, item]) => [path, plainPathItem(item, parameters, refer)]));
  const schemas = nodeOf(document['definitions']);
  const definitions = reachable(schemas, (refer) => void items(refer), form);
  const names = newNames(definitions, taken);
  const refer: Refer = (name) => (definitions.has(name) ? (names.get(name) ?? name) : undefined);
  const written = [...definitions].map(([name, {bytes}]): [string, Buffer] => {
    const published = names.get(name) ?? name;
    return [published, names.size === 0 ? bytes : form.definition(published, plainDefinition(schemas[name], refer))];
  });
  return {paths: form.paths(items(refer)), definitions: new Map(written)};
}

/** The definitions that are needed, with their references under their own names. */
function reachable(schemas: OpenApiNode, begin: (refer: Refer) => void, form: SwaggerForm): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const pending = new Set<string>();
  const collect = (names: Set<string>): Refer => {
    return (name) => {
      if (!Object.hasOwn(schemas, name)) return undefined;
      names.add(name);
      return name;
    };
  };
  begin(collect(pending));
  // A set that grows is walked to its end.
  for (const name of pending) {
    const references = new Set<string>();
    const bytes = form.definition(name, plainDefinition(schemas[name], collect(references)));
    found.set(name, {bytes, references});
    for (const reference of references) pending.add(reference);
  }
  return found;
}

/** New names for definitions that differ from others of their name, and for those that refer to them and would differ then. */
function newNames(definitions: ReadonlyMap<string, Definition>, taken: ReadonlyMap<string, Buffer>): Map<string, string> {
  const names = new Map<string, string>();
  const rename = (name: string) => {
    for (let number = 2; ; number += 1) {
      const candidate = `${name}_v${number}`;
      if (!taken.has(candidate) && !definitions.has(candidate)) return void names.set(name, candidate);
    }
  };
  for (const [name, {bytes}] of definitions) if (taken.get(name)?.equals(bytes) === false) rename(name);
  for (let known = 0; known < names.size;) {
    known = names.size;
    for (const [name, {references}] of definitions) {
      if (!names.has(name) && taken.has(name) && [...references].some((reference) => names.has(reference))) rename(name);
    }
  }
  return names;
}

function nodeOf(value: unknown): OpenApiNode {
  return isNode(value) ? value : {};
}
