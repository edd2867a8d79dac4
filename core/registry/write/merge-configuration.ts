import {badRequest, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {memberElement, pathText} from '../../api/apply/fields/path-element.js';
import {configurationFaults} from '../../api/apply/typed/configuration-faults.js';
import {mergeObjects} from '../../api/apply/typed/merge.js';
import {MergeSchema} from '../../api/apply/typed/merge-schema.js';
import {typeFaults} from '../../api/apply/typed/type-faults.js';
import {cloneJson} from '../../api/json/clone-json.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';

/**
 * Merges what an admission policy applies into an object, as server-side apply does but without owners. Neither is modified, and the result
 * shares nothing with them.
 *
 * @throws StatusError 400 for fields that the schema does not have, values of other types than it has, and for lists and structures that can only be replaced as a whole: who
 * names some of their parts would remove the others
 */
export function mergeConfiguration(node: SchemaNode, live: JsonObject, given: JsonObject): JsonObject {
  const schema = MergeSchema.of(node);
  const {apiVersion, kind} = live;
  const config = {...given, ...(apiVersion === undefined ? {} : {apiVersion}), ...(kind === undefined ? {} : {kind})};
  const faults = [...configurationFaults(schema, config), ...typeFaults(node, config)];
  if (faults.length > 0) throw badRequest(`failed to convert patch object to typed object: ${textOf(faults)}`);
  const atomics = atomicPlaces(schema, config, '');
  if (atomics.length > 0)
    throw badRequest(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  return cloneJson(mergeObjects(schema, live, config)) as JsonObject;
}

function textOf(faults: readonly string[]): string {
  return faults.length === 1 ? faults[0]! : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}

function atomicPlaces(schema: MergeSchema, value: JsonValue | undefined, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return [
      ...(schema.lists === 'atomic' ? [path] : []),
      ...value.flatMap((item, index) => atomicPlaces(schema.items, item, `${path}[${index}]`)),
    ];
  // What maps contain is not looked at (as in Kubernetes).
  const members = Object.entries(value).filter(([name]) => schema.declares(name));
  return [
    ...(schema.objects === 'atomic' ? [path] : []),
    ...members.flatMap(([name, member]) => atomicPlaces(schema.member(name)!, member, path + pathText([memberElement(name)]))),
  ];
}
