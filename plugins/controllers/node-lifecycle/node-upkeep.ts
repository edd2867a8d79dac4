import type {NamingProfile} from '../../../sdk/index.js';
import type {Node, Taint} from '../../../sdk/types/unchecked/core/v1.js';
import type {NodeWriter} from './node-writer.js';

/** What follows from a node alone: taints that keep pods away by its conditions, and labels by their older names. */
export class NodeUpkeep {
  readonly #writer: NodeWriter;
  /** Keys of taints by type and status of a condition. */
  readonly #byCondition: ReadonlyMap<string, string>;
  readonly #unschedulable: string;
  readonly #ownKeys: ReadonlySet<string>;
  /** Labels with the older names that follow them. */
  readonly #olderLabels: readonly (readonly [label: string, older: string])[];

  constructor(naming: NamingProfile, writer: NodeWriter) {
    this.#writer = writer;
    const taint = (word: string) => naming.key(`node.orch/${word}`);
    this.#byCondition = new Map([
      ['Ready False', taint('not-ready')],
      ['Ready Unknown', taint('unreachable')],
      ['MemoryPressure True', taint('memory-pressure')],
      ['DiskPressure True', taint('disk-pressure')],
      ['NetworkUnavailable True', taint('network-unavailable')],
      ['PIDPressure True', taint('pid-pressure')],
    ]);
    this.#unschedulable = taint('unschedulable');
    this.#ownKeys = new Set([...this.#byCondition.values(), this.#unschedulable]);
    this.#olderLabels = ['os', 'arch'].map((word) => [naming.key(`orch/${word}`), naming.key(`beta.orch/${word}`)]);
  }

  async reconcile(node: Node): Promise<void> {
    await this.#taint(node);
    await this.#label(node);
  }

  async #taint({metadata, spec, status}: Node): Promise<void> {
    const keys = new Set(
      (status?.conditions ?? []).flatMap((condition) => this.#byCondition.get(`${condition.type} ${condition.status}`) ?? []),
    );
    if (spec?.unschedulable) keys.add(this.#unschedulable);
    const present = (spec?.taints ?? []).filter(({key = '', effect}) => effect === 'NoSchedule' && this.#ownKeys.has(key));
    const add = [...keys].filter((key) => !present.some((taint) => taint.key === key)).map((key): Taint => ({key, effect: 'NoSchedule'}));
    const remove = present.filter(({key = ''}) => !keys.has(key));
    if (add.length > 0 || remove.length > 0) await this.#writer.changeTaints(metadata.name ?? '', {add, remove});
  }

  async #label({metadata}: Node): Promise<void> {
    const labels = (metadata.labels ?? {}) as Readonly<Record<string, string>>;
    const missing = this.#olderLabels.flatMap(([label, older]) =>
      labels[label] !== undefined && labels[older] !== labels[label] ? [[older, labels[label]] as const] : [],
    );
    if (missing.length > 0) await this.#writer.setLabels(metadata.name ?? '', Object.fromEntries(missing));
  }
}
