import type {SlicedWork} from '../../../sdk/index.js';
import type {Reach} from './permission-box.js';

/** Values of one axis that exactly the same held rules have, and that need not be distinguished. */
export interface ValueClass {
  /** Positions on the axis, in ascending order. */
  readonly members: readonly number[];
  /** A bit for each held rule that has the values. */
  readonly holders: Uint32Array;
}

/** Divides the values of an axis into classes, in the order of their first members. @param reaches of the held rules on this axis */
export async function valueClasses(count: number, reaches: readonly Reach[], work: SlicedWork): Promise<ValueClass[]> {
  const classOf = await divide(count, reaches, work);
  const classes = new Map<number, {members: number[]; holders: Uint32Array}>();
  const words = wordsFor(reaches.length);
  let turn: Promise<void> | undefined;
  for (let index = 0; index < count; index += 1) {
    const known = classes.get(classOf[index]!);
    work.spend(known ? 1 : words);
    if ((turn = work.yieldIfDue())) await turn;
    if (known) known.members.push(index);
    else classes.set(classOf[index]!, {members: [index], holders: new Uint32Array(words)});
  }
  const all = [...classes.values()];
  for (const [holder, reach] of reaches.entries()) {
    const held = reach === 'all' ? all : reach.map((index) => classes.get(classOf[index]!)!);
    work.spend(held.length);
    if ((turn = work.yieldIfDue())) await turn;
    for (const {holders} of held) holders[holder >>> 5]! |= 1 << (holder & 31);
  }
  return all;
}

/** The class of each position: a reach splits every class of which it has only some values. */
async function divide(count: number, reaches: readonly Reach[], work: SlicedWork): Promise<Uint32Array> {
  const classOf = new Uint32Array(count);
  let next = 1;
  let turn: Promise<void> | undefined;
  for (const reach of reaches) {
    if (reach === 'all') continue;
    work.spend(reach.length);
    if ((turn = work.yieldIfDue())) await turn;
    const parted = new Map<number, number>();
    for (const index of reach) {
      const old = classOf[index]!;
      let part = parted.get(old);
      if (part === undefined) parted.set(old, (part = next++));
      classOf[index] = part;
    }
  }
  return classOf;
}

/** The number of 32-bit words with a bit for each of `count` items. */
export function wordsFor(count: number): number {
  return (count + 31) >>> 5;
}
