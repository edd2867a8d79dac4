import type {JsonValue} from '../objects/api-object.js';
import {durationProblem, parseDuration} from '../values/duration.js';

/** The structure of a configuration: members that it does not have are faults. Rules for values are checked afterwards. */
export interface ConfigurationNode {
  /** A `duration` is a text such as `1m30s`. */
  readonly type: 'string' | 'duration' | 'boolean' | 'integer' | 'array' | 'object';
  readonly properties?: Readonly<Record<string, ConfigurationNode>>;
  readonly items?: ConfigurationNode;
  /** The first release of Kubernetes that has the member, as in `1.31`. */
  readonly since?: string;
}

/** A version in which a configuration can be written. */
export interface ConfigurationVersion {
  readonly name: string;
  /** The first release of Kubernetes that has it. */
  readonly since: string;
}

/** A kind of configuration. */
export interface ConfigurationKind {
  /** As it is written: `apiserver.config.k8s.io`. */
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly ConfigurationVersion[];
  readonly root: ConfigurationNode;
}

export interface DecodedConfiguration {
  readonly version: string;
  /** Without members that are null, which count as not set. */
  readonly value: Readonly<Record<string, JsonValue>>;
}

/** What else the group has in the same versions. */
const otherKinds = new Set(['AuthenticationConfiguration', 'AuthorizationConfiguration', 'EncryptionConfiguration']);
/** Faults of the structure that are named at most. */
const mostFaults = 20;
/** Levels of nesting that are looked at; no configuration has as many. */
const deepest = 32;

/**
 * Reads a configuration strictly: kind, version, members and their types, in the words of Kubernetes where it has some. A release has the versions and members that it knows;
 * one from before the first version takes all, for there the configuration is none of Kubernetes.
 *
 * @param value parsed YAML or JSON
 * @param release of Kubernetes, as in `1.36`
 * @throws Error with all that is wrong with it
 */
export function decodeConfiguration(
  value: JsonValue,
  {group, kind, versions, root}: ConfigurationKind,
  release: string,
): DecodedConfiguration {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`it is not an object of the kind ${kind}`);
  const {apiVersion, kind: given} = value as {apiVersion?: JsonValue; kind?: JsonValue};
  if (typeof given !== 'string' || given === '') throw new Error(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new Error(`Object 'apiVersion' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
  const hasAll = versions.every(({since}) => isLater(since, release));
  const known = versions.find(({name, since}) => `${group}/${name}` === apiVersion && (hasAll || !isLater(since, release)));
  if (given !== kind && known && otherKinds.has(given)) throw new Error(`expected ${kind}, got *apiserver.${given}`);
  if (given !== kind || !known) throw new Error(`no kind ${JSON.stringify(given)} is registered for version ${JSON.stringify(apiVersion)}`);
  const check = new StructureCheck(hasAll ? undefined : release);
  const read = check.read({type: 'object', properties: {apiVersion: text, kind: text, ...root.properties}}, value, '', 0);
  if (check.unknown.length > 0) throw new Error(`strict decoding error: ${check.unknown.slice(0, mostFaults).join(', ')}`);
  if (check.faults.length > 0) throw new Error(check.faults.slice(0, mostFaults).join('; '));
  return {version: known.name, value: read as Readonly<Record<string, JsonValue>>};
}

const text: ConfigurationNode = {type: 'string'};

class StructureCheck {
  readonly unknown: string[] = [];
  readonly faults: string[] = [];
  readonly #release: string | undefined;

  constructor(release: string | undefined) {
    this.#release = release;
  }

  read(node: ConfigurationNode, value: JsonValue, place: string, depth: number): JsonValue | undefined {
    if (value === null) return undefined;
    const type = typeOf(value);
    const wanted = node.type === 'duration' ? 'string' : node.type;
    if (type !== wanted || depth > deepest) {
      this.faults.push(`${place}: Invalid value: ${JSON.stringify(type)}: must be of type ${wanted}`);
      return undefined;
    }
    if (node.type === 'duration' && parseDuration(value as string) === undefined) this.faults.push(durationProblem(value as string));
    if (Array.isArray(value)) return value.map((item, index) => this.read(node.items!, item, `${place}[${index}]`, depth + 1) ?? null);
    if (typeof value !== 'object' || !node.properties) return value;
    const members: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(value)) {
      const at = place === '' ? name : `${place}.${name}`;
      const known = this.#memberOf(node, name);
      const read = known ? this.read(known, member!, at, depth + 1) : undefined;
      if (!known) this.unknown.push(`unknown field ${JSON.stringify(at)}`);
      else if (read !== undefined) members.push([name, read]);
    }
    return Object.fromEntries(members);
  }

  #memberOf({properties}: ConfigurationNode, name: string): ConfigurationNode | undefined {
    const node = Object.hasOwn(properties!, name) ? properties![name] : undefined;
    return node?.since !== undefined && this.#release !== undefined && isLater(node.since, this.#release) ? undefined : node;
  }
}

function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

/** Whether one release comes after another. */
function isLater(one: string, other: string): boolean {
  return Number(one.split('.')[1]) > Number(other.split('.')[1]);
}
