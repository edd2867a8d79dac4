import type {Toleration} from '../../../sdk/types/unchecked/core/v1.js';

/** Tolerations that differ only in their seconds. */
interface Group {
  /** Index of the last of them. */
  last: number;
  /** The maximum seconds; Infinity for no limit. */
  widest: number;
}

/** Both lists without tolerations that another one covers; of equal ones the first stays. Takes time linear in their length. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const distinct = new Map([...first, ...second].toReversed().map((toleration) => [JSON.stringify(parts(toleration)), toleration]));
  const all = [...distinct.values()].reverse();
  const groups = groupsOf(all);
  return all.filter((toleration, index) => {
    const own = groupName(toleration);
    const {last, widest} = groups.get(own)!;
    if (toleration.effect === 'NoExecute' ? widest > secondsOf(toleration) : last !== index) return false;
    return !isCovered(toleration, groups, own);
  });
}

/** Whether each toleration is covered by an allowed one. If nothing is listed, all are allowed. */
export function areAllowed(tolerations: readonly Toleration[], allowed: readonly Toleration[]): boolean {
  const groups = groupsOf(allowed);
  return allowed.length === 0 || tolerations.every((toleration) => isCovered(toleration, groups));
}

function groupsOf(all: readonly Toleration[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  all.forEach((toleration, index) => {
    const name = groupName(toleration);
    groups.set(name, {last: index, widest: Math.max(groups.get(name)?.widest ?? -Infinity, secondsOf(toleration))});
  });
  return groups;
}

/**
 * Whether everything that a toleration tolerates is also tolerated by another one: with the same key or every key, the same effect or every
 * effect, and at least as long.
 */
function isCovered(toleration: Toleration, groups: ReadonlyMap<string, Group>, except?: string): boolean {
  const [key, operator, value, effect] = parts(toleration);
  return ['', effect].some((wider) => {
    const names = [nameOf(key, 'Exists', '', wider), nameOf('', 'Exists', '', wider), nameOf(key, operator, value, wider)];
    return names.some((name) => {
      const group = name === except ? undefined : groups.get(name);
      return group !== undefined && (wider !== 'NoExecute' || group.widest >= secondsOf(toleration));
    });
  });
}

function groupName(toleration: Toleration): string {
  const [key, operator, value, effect] = parts(toleration);
  return nameOf(key, operator, value, effect);
}

function nameOf(key: string, operator: string, value: string, effect: string): string {
  return JSON.stringify([key, operator, operator === 'Exists' ? '' : value, effect]);
}

function secondsOf({tolerationSeconds}: Toleration): number {
  return tolerationSeconds ?? Infinity;
}

function parts({key, operator, value, effect, tolerationSeconds}: Toleration) {
  return [key ?? '', operator || 'Equal', value ?? '', effect ?? '', tolerationSeconds ?? null] as const;
}
