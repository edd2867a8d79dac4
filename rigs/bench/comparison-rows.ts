import type {RequestJob} from './work.js';

/** One row of the comparison: a kind of work under one condition. */
export interface ComparisonRow {
  readonly name: string;
  readonly work: RequestJob['work'] | 'watch';
  readonly connections: number;
  readonly set: ObjectSetName;
  /** Whether the operations are the first of a server that has just started. */
  readonly isCold?: boolean;
  /** Whether the client is a user whom RBAC allows and flow control limits, and no administrator. */
  readonly isLimited?: boolean;
  /** Operations of one turn; a quick run does a fifth. */
  readonly count: number;
  /** Whether the floor does the same; paging would not end there. */
  readonly hasFloor: boolean;
  readonly goal?: ComparisonGoal;
}

/** How many times as much processor time as the floor, or as another row of the same server, an operation may take; or how many seconds for 1,000. */
export type ComparisonGoal =
  | {readonly of: 'floor'; readonly times: number}
  | {readonly of: string; readonly times: number}
  | {readonly cpu: number};

/** Objects that rows are about. */
export interface ObjectSet extends Pick<RequestJob, 'size' | 'resource'> {
  /** Namespace of those that are there: lists and picks are of `population`, in a quick run of a fifth, but of `least`. */
  readonly kept: string;
  readonly population: number;
  readonly least: number;
  /** Namespace of those that are made and deleted. */
  readonly fresh: string;
}

export type ObjectSetName = 'small' | 'large' | 'secrets' | 'hooked';

/** ConfigMaps of 1 and of 100 KB, Secrets, which are encrypted, and ConfigMaps that a webhook is asked about. */
export const objectSets: Readonly<Record<ObjectSetName, ObjectSet>> = {
  small: {kept: 'bench', population: 5_000, least: 500, fresh: 'bench-fresh'},
  large: {kept: 'bench-large', population: 40, least: 20, fresh: 'bench-fresh-large', size: 'large'},
  secrets: {kept: 'bench-secrets', population: 500, least: 500, fresh: 'bench-fresh-secrets', resource: 'secrets'},
  hooked: {kept: 'bench-hooked', population: 0, least: 0, fresh: 'bench-fresh-hooked'},
};
/** Watches of the row of events. */
export const watchers = 200;

const ofFloor = (times: number): ComparisonGoal => ({of: 'floor', times});

const middle: readonly (readonly [work: ComparisonRow['work'], count: number, goal?: ComparisonGoal])[] = [
  ['create', 500, ofFloor(2.2)],
  ['get', 2_000, ofFloor(1.8)],
  ['list of 500', 60, ofFloor(1.5)],
  ['list of 500, gzip', 60, {of: 'list of 500', times: 1.3}],
  ['paging by 500', 6],
  ['update', 500, ofFloor(2.2)],
  ['merge patch', 500, ofFloor(2.2)],
  ['apply', 500, ofFloor(2.2)],
  ['watch', 150, {cpu: 0.01}],
  ['delete', 500],
];
/** With one connection, and with many. */
const others: readonly (readonly [work: ComparisonRow['work'], count: number])[] = [
  ['create', 400],
  ['get', 1_500],
  ['list of 500', 40],
  ['apply', 400],
];
/** As a limited user. */
const limited: readonly (readonly [work: ComparisonRow['work'], count: number])[] = [
  ['create', 500],
  ['get', 2_000],
  ['list of 500', 60],
];
const large: readonly (readonly [work: ComparisonRow['work'], count: number])[] = [
  ['create', 60],
  ['get', 200],
  ['list of 20', 30],
  ['update', 60],
  ['merge patch', 60],
  ['apply', 60],
  ['delete', 60],
];

/** All rows, in the order in which they are measured. */
export const comparisonRows: readonly ComparisonRow[] = [
  {...row('get', 500, 16, 'small'), name: 'get, first 500', isCold: true},
  ...middle.map(([work, count, goal]) => row(work, count, 16, 'small', goal)),
  ...limited.map(([work, count]) => ({...row(work, count, 16, 'small'), name: `${work}, limited user`, isLimited: true})),
  ...[1, 200].flatMap((connections) => others.map(([work, count]) => row(work, count, connections, 'small'))),
  ...large.map(([work, count]) => row(work, count, 16, 'large')),
  {...row('create', 500, 16, 'secrets'), name: 'create Secret, encrypted'},
  {...row('get', 2_000, 16, 'secrets'), name: 'get Secret, encrypted'},
  {...row('create', 300, 16, 'hooked'), name: 'create, webhook', hasFloor: false},
];

function row(work: ComparisonRow['work'], count: number, connections: number, set: ObjectSetName, goal?: ComparisonGoal): ComparisonRow {
  const condition = set === 'large' ? ', 100 KB' : connections === 16 ? '' : `, ${connections} connection${connections === 1 ? '' : 's'}`;
  const name = (work === 'watch' ? 'event to a watch' : work) + condition;
  return {name, work, connections, set, count, hasFloor: work !== 'paging by 500', ...(goal ? {goal} : {})};
}

/** Those whose names begin with one of the given ones; all where none is given. @throws Error for a beginning that no row has */
export function chosenRows(beginnings: readonly string[]): readonly ComparisonRow[] {
  const unknown = beginnings.filter((beginning) => !comparisonRows.some(({name}) => name.startsWith(beginning)));
  if (unknown.length > 0) throw new Error(`--rows does not know ${unknown.join(', ')}: ${comparisonRows.map(({name}) => name).join('; ')}`);
  return comparisonRows.filter(({name}) => beginnings.length === 0 || beginnings.some((beginning) => name.startsWith(beginning)));
}
