import type {FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {Container, ContainerPort, EnvVar} from '../../../sdk/types/unchecked/core/v1.js';
import {byteWarnings} from '../volumes/byte-warnings.js';

interface PlacedPort {
  readonly port: ContainerPort;
  readonly at: FieldPath;
}

/** Warnings about what a container asks for, and about variables that hide others. */
export function containerWarnings({resources, env}: Container, path: FieldPath): string[] {
  const fractions = (['limits', 'requests'] as const).flatMap((kind) => byteWarnings(resources?.[kind], path.child('resources', kind)));
  return [...fractions, ...hiddenVariables(env ?? [], path.child('env'))];
}

/** A variable may be set twice to extend its value; what replaces it is lost when the list is applied. */
function hiddenVariables(env: readonly EnvVar[], path: FieldPath): string[] {
  const seen = new Set<string>();
  return env.flatMap(({name = '', value = '', valueFrom}, index) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const isExtended = !isGiven(valueFrom) && value !== reference && (value ?? '').includes(reference);
    if (isFirst || isExtended) return [];
    return [`${path.index(index).toString()}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`];
  });
}

/** Warnings about ports of a pod that are declared several times, whichever of its containers has them. */
export function portWarnings(containers: readonly {readonly container: Container; readonly at: FieldPath}[]): string[] {
  const all = containers.flatMap(({container, at}) =>
    (container.ports ?? []).map((port: ContainerPort, index): PlacedPort => ({port, at: at.child('ports').index(index)})),
  );
  const known = new Map<string, PlacedPort[]>();
  const warnings: string[] = [];
  for (const placed of all) {
    const {port, at} = placed;
    if (port.hostIP && !port.hostPort) warnings.push(`${at.toString()}: hostIP set without hostPort: ${goStruct(port)}`);
    const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
    const others = known.get(key) ?? [];
    for (const other of others) {
      const relation = relationOf(port, other.port);
      if (relation !== undefined) warnings.push(`${at.toString()}: ${relation} port definition with ${other.at.toString()}`);
    }
    known.set(key, [...others, placed]);
  }
  return [...warnings, ...repeatedNames(all)];
}

/** How two declarations of a port stand to each other; undefined if they can both be meant. */
function relationOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const [ip, otherIp] = [port.hostIP ?? '', other.hostIP ?? ''];
  const [host, otherHost] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function repeatedNames(ports: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({port: {name}, at}) => {
    if (!name) return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, at.toString());
      return [];
    }
    const used = `services and probes that select ports by name will use ${other}`;
    return [`${at.toString()}: duplicate port name ${JSON.stringify(name)} with ${other}, ${used}`];
  });
}

/** A port as Go prints one. */
function goStruct({name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = ''}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
