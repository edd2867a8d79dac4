import type {FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {Container, ContainerPort, EnvVar} from '../../../sdk/types/unchecked/core/v1.js';
import {byteWarnings} from '../volumes/byte-warnings.js';
import {PairBudget} from './pair-budget.js';

interface PlacedContainer {
  readonly container: Container;
  readonly at: FieldPath;
}

interface PlacedPort {
  readonly port: ContainerPort;
  readonly of: FieldPath;
  readonly index: number;
}

/** Warnings about what a container asks for, and about variables that hide others. */
export function* containerWarnings({resources, env}: Container, path: FieldPath): Generator<string> {
  for (const kind of ['limits', 'requests'] as const) yield* byteWarnings(resources?.[kind], path.child('resources', kind));
  yield* hiddenVariables(env ?? [], path.child('env'));
}

/** A variable may be set twice to extend its value; what replaces it is lost when the list is applied. */
function* hiddenVariables(env: readonly EnvVar[], path: FieldPath): Generator<string> {
  const seen = new Set<string>();
  for (const [index, {name = '', value, valueFrom}] of env.entries()) {
    const isFirst = !seen.has(name);
    seen.add(name);
    if (isFirst || (!isGiven(valueFrom) && extendsItself(name, value ?? ''))) continue;
    yield `${path.index(index).toString()}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
  }
}

function extendsItself(name: string, value: string): boolean {
  const reference = `$(${name})`;
  return value !== reference && value.includes(reference);
}

/** Warnings about ports of a pod that are declared several times, whichever of its containers has them. */
export function* portWarnings(containers: readonly PlacedContainer[]): Generator<string> {
  const known = new Map<string, PlacedPort[]>();
  const budget = new PairBudget();
  for (const placed of portsOf(containers)) {
    const {port} = placed;
    if (port.hostIP && !port.hostPort) yield `${placeText(placed)}: hostIP set without hostPort: ${goStruct(port)}`;
    const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
    const others = known.get(key) ?? [];
    for (const other of others) {
      if (!budget.take()) break;
      const relation = relationOf(port, other.port);
      if (relation !== undefined) yield `${placeText(placed)}: ${relation} port definition with ${placeText(other)}`;
    }
    others.push(placed);
    known.set(key, others);
  }
  yield* repeatedNames(containers);
}

function* portsOf(containers: readonly PlacedContainer[]): Generator<PlacedPort> {
  for (const {container, at} of containers) {
    const of = at.child('ports');
    for (const [index, port] of ((container.ports ?? []) as readonly ContainerPort[]).entries()) yield {port, of, index};
  }
}

function placeText({of, index}: PlacedPort): string {
  return of.index(index).toString();
}

/** How two declarations of a port stand to each other; undefined if they can both be meant. */
function relationOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const [ip, otherIp] = [port.hostIP ?? '', other.hostIP ?? ''];
  const [host, otherHost] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function* repeatedNames(containers: readonly PlacedContainer[]): Generator<string> {
  const first = new Map<string, PlacedPort>();
  for (const placed of portsOf(containers)) {
    const {name} = placed.port;
    if (!name) continue;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, placed);
      continue;
    }
    const place = placeText(other);
    const used = `services and probes that select ports by name will use ${place}`;
    yield `${placeText(placed)}: duplicate port name ${JSON.stringify(name)} with ${place}, ${used}`;
  }
}

/** A port as Go prints one. */
function goStruct({name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = ''}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
