import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {copyMembers} from '../../json/copy-members.js';
import {setMember} from '../../json/set-member.js';
import {itemElement} from './list-elements.js';
import type {MergeSchema} from './merge-schema.js';

/**
 * Merges an applied configuration into an object. Nothing is removed. If both have a leaf, the configuration's wins. Merged lists keep the
 * order of the live list unless the configuration orders the items differently. The result shares parts with both.
 */
export function mergeObjects(schema: MergeSchema, live: JsonObject, config: JsonObject): JsonObject {
  const result = copyMembers(live);
  for (const name in config) {
    const value = config[name];
    if (value === undefined) continue;
    const old = Object.hasOwn(live, name) ? live[name] : undefined;
    const member = schema.member(name);
    setMember(result, name, old === undefined || !member ? value : merge(member, old, value));
  }
  return result;
}

function merge(schema: MergeSchema, live: JsonValue, config: JsonValue): JsonValue {
  if (live === null) return config;
  const shape = schema.shape(config);
  if (config === null) return schema.shape(live) === 'leaf' || isEmptyValue(live) ? null : live;
  if (shape === 'leaf' || schema.shape(live) !== shape) return config;
  return shape === 'list'
    ? mergeLists(schema, live as JsonValue[], config as JsonValue[])
    : mergeObjects(schema, live as JsonObject, config as JsonObject);
}

function isEmptyValue(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0);
}

/**
 * Items that are in only one list keep their position relative to the shared ones; shared items are in the order of the configuration. An
 * item that occurs twice in the live list is replaced by that of the configuration.
 */
function mergeLists(schema: MergeSchema, live: readonly JsonValue[], config: readonly JsonValue[]): JsonValue[] {
  const liveElements = live.map((item) => itemElement(schema, item));
  const configElements = config.map((item) => itemElement(schema, item));
  const inConfig = new Set(configElements);
  const liveItems = new Map<string, JsonValue | undefined>();
  for (const [index, element] of liveElements.entries()) liveItems.set(element, liveItems.has(element) ? undefined : live[index]!);
  const shared = configElements.filter((element) => liveItems.has(element));
  const result: JsonValue[] = [];
  const merged = new Set<string>();
  let next = 0;
  const take = (index: number) => {
    const element = configElements[index]!;
    const old = liveItems.get(element);
    const wanted = config[index]!;
    merged.add(element);
    if (shared[next] === element) next += 1;
    result.push(old === undefined ? wanted : merge(schema.items, old, wanted));
  };
  for (let l = 0, c = 0; l < live.length || c < config.length;) {
    const element = liveElements[l];
    if (l < live.length && c < config.length) {
      if (element === configElements[c]) {
        take(c);
        l += 1;
        c += 1;
        continue;
      }
      if (inConfig.has(element!) && shared[next] !== undefined && shared[next] !== element) {
        l += 1;
        continue;
      }
    }
    if (l < live.length) {
      if (!inConfig.has(element!)) {
        result.push(live[l]!);
        l += 1;
        continue;
      }
      if (merged.has(element!)) l += 1;
    }
    if (c < config.length) {
      take(c);
      c += 1;
    }
  }
  return result;
}
