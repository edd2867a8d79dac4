import type {JsonValue} from '../objects/api-object.js';

/** The value without one of its members, for each member at any depth; at most 200. */
export function withoutOneMember<T extends object>(value: T): T[] {
  const paths: string[][] = [];
  const collect = (at: unknown, path: string[]): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [name, member] of Object.entries(at)) {
      paths.push([...path, name]);
      collect(member as JsonValue, [...path, name]);
    }
  };
  collect(value, []);
  return paths.slice(0, 200).map((path) => without(value, path));
}

function without<T extends object>(value: T, path: readonly string[]): T {
  const copy = structuredClone(value);
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = path.at(-1)!;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}
