import type {ApiObject} from '../../../sdk/index.js';

type Marked = Pick<ApiObject, 'metadata'>;

/** The class that is marked as the default: the newest if there are several, and of those that are as old the first by name. @param keys annotations that mark one with `true` */
export function defaultClass<T extends Marked>(classes: readonly T[], keys: readonly string[]): T | undefined {
  return classes.filter(({metadata}) => keys.some((key) => metadata.annotations?.[key] === 'true')).sort(newestFirst)[0];
}

function newestFirst(a: Marked, b: Marked): number {
  const [left, right] = [a, b].map(({metadata}) => Date.parse(metadata.creationTimestamp ?? ''));
  return right! - left! || (a.metadata.name! < b.metadata.name! ? -1 : 1);
}
