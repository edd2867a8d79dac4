import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import {jsonSize} from '../json/json-size.js';
import {setMember} from '../json/set-member.js';
import type {SchemaNode} from './schema-node.js';
import {maximumDepth} from './walk-path.js';
import {isEmptyValue, writesNullWhenEmpty, zeroOf} from './zero-value.js';

/**
 * Maximum that defaults may add to one object, in characters of JSON: the size of the largest stored object. Without it, lists would
 * multiply a default, and nested defaults would double with each level.
 */
export const maximumDefaulted = 1.5 * 1024 * 1024;
/** A member counts as at least this many, because small members take memory and time too. */
const leastSize = 24;

/** How many more characters may be added. */
export interface DefaultBudget {
  left: number;
}

interface Filling {
  readonly name: string;
  readonly node: SchemaNode;
  readonly value: () => JsonValue;
  /** Characters of the member in JSON. */
  readonly size: number;
}

/** What a node does to an object: the members to fill in and those to descend into. Computed once per node. */
interface Plan {
  readonly fill: readonly Filling[];
  readonly visit: ReadonlyMap<string, SchemaNode>;
  readonly visitOthers: SchemaNode | undefined;
  /** The schema of the metadata, for an API object. */
  readonly metadata: SchemaNode | undefined;
}

const plans = new WeakMap<SchemaNode, Plan>();

/**
 * Fills in defaults in place and, in typed objects, the fields that are always written. A default applies if the member is absent, and
 * replaces a null item that may not be null; in a typed field that is always written it also applies if the field is empty. Default values
 * are walked too.
 *
 * @param budget stops the work when it is used up; `left` is negative then
 */
export function applyDefaults(node: SchemaNode, object: JsonObject, budget: DefaultBudget, depth = 0): void {
  if (depth > maximumDepth) return;
  const plan = planOf(node);
  for (const {name, node: child, value, size} of plan.fill) {
    const present = Object.hasOwn(object, name) && object[name] !== undefined;
    if (!present) {
      budget.left -= size;
      if (budget.left < 0) return;
      setMember(object, name, value());
    } else if (child.default !== undefined && child.presence === 'always' && isEmptyValue(child, object[name] as JsonValue))
      object[name] = value();
  }
  const {metadata} = object;
  if (plan.metadata && typeof metadata === 'object' && metadata !== null) fillValue(plan.metadata, metadata, budget, depth + 1);
  if (plan.visit.size === 0 && !plan.visitOthers) return;
  for (const key in object) {
    const member = object[key];
    if (typeof member !== 'object' || member === null) continue;
    const child = plan.visit.get(key) ?? (node.properties.has(key) ? undefined : plan.visitOthers);
    if (child) fillValue(child, member, budget, depth + 1);
  }
}

function fillValue(node: SchemaNode, value: JsonValue, budget: DefaultBudget, depth: number): void {
  if (typeof value !== 'object' || value === null || budget.left < 0) return;
  if (node.type === 'any') {
    const type = Array.isArray(value) ? 'array' : 'object';
    const match = node.alternatives.find((entry) => entry.type === type);
    if (match) fillValue(match, value, budget, depth);
  } else if (Array.isArray(value)) {
    const {items} = node;
    if (!items || depth > maximumDepth) return;
    const replaced = items.kubernetesSemantics || items.nullable ? undefined : (items.default as JsonValue | undefined);
    const size = replaced === undefined ? 0 : Math.max(leastSize, sizeOf(replaced));
    for (let index = 0; index < value.length; index++) {
      if (value[index] === null && replaced !== undefined) {
        budget.left -= size;
        if (budget.left < 0) return;
        value[index] = cloneJson(replaced);
      }
      fillValue(items, value[index]!, budget, depth + 1);
    }
  } else if (node.type === 'object') {
    applyDefaults(node, value, budget, depth);
  }
}

function planOf(node: SchemaNode): Plan {
  let plan = plans.get(node);
  if (!plan) plans.set(node, (plan = makePlan(node)));
  return plan;
}

function makePlan(node: SchemaNode): Plan {
  const fill: Filling[] = [];
  const add = (name: string, child: SchemaNode, value: () => JsonValue) =>
    fill.push({name, node: child, value, size: Math.max(leastSize, name.length + 4 + sizeOf(value()))});
  const visit = new Map<string, SchemaNode>();
  for (const [name, child] of node.properties) {
    if (child.default !== undefined && !isLeftOut(child)) add(name, child, () => cloneJson(child.default as JsonValue));
    else if (writesNullWhenEmpty(child)) add(name, child, () => null);
    else if (child.presence === 'always') add(name, child, () => zeroOf(child));
    if (isWalked(child)) visit.set(name, child);
  }
  const metadata = node.metadataRules;
  if (metadata?.default !== undefined) add('metadata', metadata, () => cloneJson(metadata.default as JsonValue));
  return {fill, visit, metadata, visitOthers: node.additional && isWalked(node.additional) ? node.additional : undefined};
}

/** Whether a default is an empty value that is not written: such a default says only what absence means. */
function isLeftOut(child: SchemaNode): boolean {
  const value = child.default as JsonValue;
  return child.presence === 'omit-empty' && typeof value !== 'object' && isEmptyValue(child, value);
}

function sizeOf(value: JsonValue): number {
  return jsonSize(value, Number.POSITIVE_INFINITY);
}

/** Whether anything below a node can have a default: scalars, and lists and maps of them, cannot. A map of itself is walked. */
function isWalked(node: SchemaNode, level = 0): boolean {
  if (level > 8) return true;
  switch (node.type) {
    case 'object':
      return node.additional === undefined || node.properties.size > 0 || isWalked(node.additional, level + 1);
    case 'array':
      return node.items !== undefined && (node.items.default !== undefined || isWalked(node.items, level + 1));
    case 'any':
      return node.alternatives.length > 0;
    default:
      return false;
  }
}
