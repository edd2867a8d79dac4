import {SlicedWork, WorkExceeded, type Task} from '../../../sdk/index.js';
import {HeldRule} from './held-rule.js';
import {boxesOf, type PermissionBox, type Reach} from './permission-box.js';
import type {PolicyRule} from './policy-rule.js';
import {valueClasses, wordsFor, type ValueClass} from './value-classes.js';

/** Maximum steps of one comparison: about a second of CPU time, in slices. Roles with thousands of rules need a hundredth of that. */
const maximumSteps = 20_000_000;

/** Permissions that a user does not hold. */
export interface Lacking {
  /** The first of them, as rules of one group, resource and name (or one path) with the missing verbs. */
  readonly examples: readonly PolicyRule[];
  /** The total number of such rules; a lower bound if `complete` is false. */
  readonly count: number;
  /** False if the comparison was stopped because it took too long: more may be missing. */
  readonly complete: boolean;
}

/**
 * Compares rules by what they permit, without ever listing it. The permissions of a rule are a box of verbs, groups, resources and names. A
 * box is held if boxes of held rules cover it together. Values that no held rule distinguishes are treated as one.
 *
 * @throws WorkExceeded if there are too many rules to compare and nothing has been found missing yet
 */
export async function lackingPermissions(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
  maximumExamples: number,
  task: Task,
): Promise<Lacking> {
  const work = new SlicedWork(maximumSteps, task);
  const found = new Findings(maximumExamples);
  try {
    const holders = await heldRules(held, work);
    for (const rule of wanted) for (const box of boxesOf(rule)) await new Comparison(box, found, work).run(holders);
    return {...found, complete: true};
  } catch (error) {
    if (!(error instanceof WorkExceeded) || found.count === 0) throw error;
    return {...found, complete: false};
  }
}

async function heldRules(rules: readonly PolicyRule[], work: SlicedWork): Promise<HeldRule[]> {
  const held: HeldRule[] = [];
  let turn: Promise<void> | undefined;
  for (const rule of rules) {
    const {verbs, apiGroups, resources, resourceNames, nonResourceURLs} = rule;
    const size = [verbs, apiGroups, resources, resourceNames, nonResourceURLs].reduce((sum, list) => sum + (list?.length ?? 0), 1);
    work.spend(size);
    if ((turn = work.yieldIfDue())) await turn;
    held.push(new HeldRule(rule));
  }
  return held;
}

class Findings {
  readonly examples: PolicyRule[] = [];
  count = 0;
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** @param parts positions on every axis of the box except the last, that of verbs, of which there is at least one class */
  add(box: PermissionBox, parts: readonly (readonly number[])[], verbClasses: readonly ValueClass[]): void {
    this.count += parts.reduce((product, positions) => product * positions.length, 1);
    if (this.examples.length >= this.#maximum) return;
    const positions = verbClasses.flatMap(({members}) => members).sort((a, b) => a - b);
    const verbs = positions.map((position) => box.axes.at(-1)![position]!);
    this.#combine(box, parts, [], verbs);
  }

  #combine(box: PermissionBox, parts: readonly (readonly number[])[], values: (string | undefined)[], verbs: readonly string[]): void {
    if (values.length === parts.length) {
      this.examples.push(box.rule(values, verbs));
      return;
    }
    for (const position of parts[values.length]!) {
      if (this.examples.length >= this.#maximum) return;
      this.#combine(box, parts, [...values, box.axes[values.length]![position]], verbs);
    }
  }
}

/** Finds the part of one box that is not covered: axis by axis, class by class, with the remaining held rules. */
class Comparison {
  readonly #box: PermissionBox;
  readonly #found: Findings;
  readonly #work: SlicedWork;
  /** All positions, by axis. */
  readonly #everything: readonly (readonly number[])[];
  /** The order in which axes are visited; verbs come last, so that the missing verbs of one resource are grouped. */
  #order: number[] = [];
  #classes: ValueClass[][] = [];
  /** By position in the order: the held rules that cover all of that axis and of those after it. */
  #complete: Uint32Array[] = [];

  constructor(box: PermissionBox, found: Findings, work: SlicedWork) {
    this.#box = box;
    this.#found = found;
    this.#work = work;
    this.#everything = box.axes.map((values) => values.map((_value, position) => position));
  }

  async run(held: readonly HeldRule[]): Promise<void> {
    const {axes} = this.#box;
    const reaches: (readonly Reach[])[] = [];
    let turn: Promise<void> | undefined;
    for (const rule of held) {
      if ((turn = this.#work.yieldIfDue())) await turn;
      const found = this.#box.reaches(rule, this.#work);
      if (found?.every((reach) => reach === 'all')) return;
      if (found) reaches.push(found);
    }
    this.#classes = [];
    for (const [axis, values] of axes.entries()) {
      this.#classes.push(
        await valueClasses(
          values.length,
          reaches.map((one) => one[axis]!),
          this.#work,
        ),
      );
    }
    const others = axes.map((_values, axis) => axis).slice(0, -1);
    this.#order = [...others.sort((a, b) => this.#classes[a]!.length - this.#classes[b]!.length), axes.length - 1];
    this.#complete = this.#order.map((_axis, level) => holdersOfAll(reaches, this.#order.slice(level)));
    const everybody = new Uint32Array(wordsFor(reaches.length)).fill(0xffffffff);
    await this.#visit(0, everybody, []);
  }

  /** @param alive the held rules that have the chosen classes, one for each axis so far */
  async #visit(level: number, alive: Uint32Array, chosen: readonly ValueClass[]): Promise<void> {
    this.#work.spend(alive.length + 1);
    const turn = this.#work.yieldIfDue();
    if (turn) await turn;
    if (meet(alive, this.#complete[level]!)) return;
    const classes = this.#classes[this.#order[level]!]!;
    if (isEmpty(alive)) this.#lacks(chosen, this.#classes.at(-1)!);
    else if (level < this.#order.length - 1) {
      for (const one of classes) await this.#visit(level + 1, both(alive, one.holders), [...chosen, one]);
    } else {
      this.#work.spend(classes.length * (alive.length + 1));
      const lacking = classes.filter(({holders}) => !meet(alive, holders));
      if (lacking.length > 0) this.#lacks(chosen, lacking);
    }
  }

  /** @param chosen classes of the first axes in the order; of the others everything is missing, except for verbs */
  #lacks(chosen: readonly ValueClass[], verbs: readonly ValueClass[]): void {
    const parts = this.#everything.slice(0, -1);
    for (const [place, {members}] of chosen.entries()) parts[this.#order[place]!] = members;
    this.#found.add(this.#box, parts, verbs);
  }
}

function isEmpty(holders: Uint32Array): boolean {
  return holders.every((word) => word === 0);
}

function holdersOfAll(reaches: readonly (readonly Reach[])[], axes: readonly number[]): Uint32Array {
  const holders = new Uint32Array(wordsFor(reaches.length));
  for (const [holder, reach] of reaches.entries()) {
    if (axes.every((axis) => reach[axis] === 'all')) holders[holder >>> 5]! |= 1 << (holder & 31);
  }
  return holders;
}

function meet(left: Uint32Array, right: Uint32Array): boolean {
  for (let word = 0; word < left.length; word += 1) if ((left[word]! & right[word]!) !== 0) return true;
  return false;
}

function both(left: Uint32Array, right: Uint32Array): Uint32Array {
  const result = new Uint32Array(left.length);
  for (let word = 0; word < left.length; word += 1) result[word] = left[word]! & right[word]!;
  return result;
}
