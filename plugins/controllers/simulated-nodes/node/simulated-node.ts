import type {Node, Taint} from '../../../../sdk/types/unchecked/core/v1.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import {NodeLoad} from './node-load.js';
import {PodAddresses} from './node-addresses.js';
import {faultsOf, type NodeFault} from './node-form.js';

/** Images that a node remembers to have. */
const mostImages = 500;

/** A simulated node, as far as its pods are concerned. */
export class SimulatedNode {
  readonly name: string;
  readonly uid: string;
  /** Its addresses in the cluster, one of each family; empty before it has reported. */
  hostAddresses: readonly string[] = [];
  faults: ReadonlySet<NodeFault> = new Set();
  labels: Readonly<Record<string, string>> = {};
  capacity: Readonly<Record<string, string>> = {};
  taints: readonly Taint[] = [];
  /** The label that names its operating system, as the platform spells it. */
  readonly osLabel: string;
  /** Names of the volumes that are attached to it. */
  attached: ReadonlySet<string> = new Set();
  /** What its pods have taken of it. */
  readonly load = new NodeLoad();
  #addresses: PodAddresses | undefined;
  #blocks = '';
  readonly #images = new Set<string>();
  /** When the lease and the status are due again, in milliseconds since 1970. */
  renewAt = 0;
  reportAt = 0;
  /** Whether its Node says what there is to say, as long as nobody changes it. */
  isReported = false;
  hasLease = false;

  constructor(name: string, uid: string, osLabel: string) {
    this.osLabel = osLabel;
    this.name = name;
    this.uid = uid;
  }

  /** Whether its kubelet can be heard of and runs pods: it has reported, and is not down. */
  get isUp(): boolean {
    return this.#addresses !== undefined && this.hostAddresses.length > 0 && !this.faults.has('down');
  }

  /** Takes over what its Node says. Answers whether something has changed that pods see. */
  update(node: Node): boolean {
    const before = [this.isUp, this.faults, this.labels, this.capacity, this.attached] as const;
    this.faults = faultsOf(node);
    this.labels = {...node.metadata.labels};
    this.taints = node.spec?.taints ?? [];
    this.capacity = {...node.status?.allocatable} as Record<string, string>;
    this.hostAddresses = (node.status?.addresses ?? []).filter(({type}) => type === 'InternalIP').map(({address = ''}) => address);
    this.attached = new Set((node.status?.volumesAttached ?? []).map(({name = ''}) => name));
    const {podCIDR = '', podCIDRs = [podCIDR]} = node.spec ?? {};
    if (podCIDR !== '' && podCIDRs.join(',') !== this.#blocks) {
      this.#blocks = podCIDRs.join(',');
      this.#addresses = new PodAddresses(podCIDRs);
    }
    const [wasUp, faults, labels, capacity, attached] = before;
    return (
      wasUp !== this.isUp ||
      faults.size !== this.faults.size ||
      [...faults].some((fault) => !this.faults.has(fault)) ||
      [...this.attached].some((name) => !attached.has(name)) ||
      !sameValue(labels, this.labels) ||
      !sameValue(capacity, this.capacity)
    );
  }

  /** An address for a pod, which stands for those of other families; undefined if there is none left. */
  takeAddress(): string | undefined {
    return this.#addresses?.take();
  }

  /** All addresses of the pod that has this one, one of each family. */
  addressesOf(address: string): readonly string[] {
    return this.#addresses?.allOf(address) ?? [address];
  }

  noteAddress(address: string): void {
    this.#addresses?.note(address);
  }

  releaseAddress(address: string): void {
    this.#addresses?.release(address);
  }

  /** Whether an image is there already. From now on it is. */
  hadImage(image: string): boolean {
    if (this.#images.has(image)) return true;
    if (this.#images.size >= mostImages) this.#images.delete(this.#images.values().next().value!);
    this.#images.add(image);
    return false;
  }
}
