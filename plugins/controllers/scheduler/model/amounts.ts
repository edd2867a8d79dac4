import {quantityAmount} from '../../../../sdk/index.js';

/** What a pod asks for, or a node has to give. Others than these three are rare, and kept by name. */
export interface Amounts {
  /** In thousandths of a processor. */
  readonly cpu: number;
  /** In bytes. */
  readonly memory: number;
  /** Of the node's own disk, in bytes. */
  readonly storage: number;
  /** Huge pages and extended resources, in units. */
  readonly others: ReadonlyMap<string, number>;
}

const noOthers: ReadonlyMap<string, number> = new Map();

const nanoPerMilli = 1_000_000n;
const nanoPerUnit = 1_000_000_000n;

/** Amounts of a resource list; fractions are rounded up, as Kubernetes reads them. */
export function amountsOf(list: Readonly<Record<string, string | undefined>>): Amounts {
  let others: Map<string, number> | undefined;
  let cpu = 0;
  let memory = 0;
  let storage = 0;
  for (const [name, text] of Object.entries(list)) {
    if (name === 'cpu') cpu = roundedUp(text, nanoPerMilli);
    else if (name === 'memory') memory = roundedUp(text, nanoPerUnit);
    else if (name === 'ephemeral-storage') storage = roundedUp(text, nanoPerUnit);
    else if (name !== 'pods') (others ??= new Map()).set(name, roundedUp(text, nanoPerUnit));
  }
  return {cpu, memory, storage, others: others ?? noOthers};
}

/** The amount in whole parts of a unit, rounded up. */
export function roundedUp(text: string | undefined, part: bigint): number {
  const amount = quantityAmount(text);
  return Number((amount + part - 1n) / part);
}

/** Whole units of a quantity, rounded up. */
export function unitsOf(text: string | undefined): number {
  return roundedUp(text, nanoPerUnit);
}

/** Sums that change: what the pods of a node ask for together. */
export class AmountSums {
  cpu = 0;
  memory = 0;
  storage = 0;
  readonly others = new Map<string, number>();

  /** @param sign -1 takes away */
  add({cpu, memory, storage, others}: Amounts, sign: 1 | -1 = 1): void {
    this.cpu += sign * cpu;
    this.memory += sign * memory;
    this.storage += sign * storage;
    for (const [name, amount] of others) {
      const sum = (this.others.get(name) ?? 0) + sign * amount;
      if (sum === 0) this.others.delete(name);
      else this.others.set(name, sum);
    }
  }

  copy(): AmountSums {
    const copy = new AmountSums();
    copy.cpu = this.cpu;
    copy.memory = this.memory;
    copy.storage = this.storage;
    for (const [name, amount] of this.others) copy.others.set(name, amount);
    return copy;
  }
}
