import {createHash, randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {
  componentPrefix,
  ifFound,
  microTime,
  preconditionsOf,
  unlessOvertaken,
  type Clock,
  type ApiObject,
  type NamingProfile,
  type ReadOptions,
  type ResourceClient,
  type ResourceRef,
  type ServerEndpoint,
} from '../../../sdk/index.js';

const leases: ResourceRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};
/** Milliseconds without renewal after which a lease is removed; until then it shows that the server existed. */
const leaseSeconds = 3600;

/** A server and its advertised address. */
export interface Address {
  readonly ip: string;
  readonly port: number;
}

/**
 * Who is there: one Lease in the system namespace for each server of a store (`kube-apiserver-…`, as in Kubernetes 1.26), which it renews and
 * which names its address.
 *
 * A server is alive while its lease is renewed, measured by the local clock: the clocks of machines are not compared.
 */
export class IdentityLeases {
  readonly #namespace: string;
  readonly #name: string;
  readonly #holder: string;
  readonly #component: string;
  readonly #label: string;
  readonly #hostLabel: string;
  readonly #addressKey: string;
  readonly #apiVersion: string;
  readonly #resources: ResourceClient;
  readonly #expiryMillis: number;
  readonly #clock: Clock;
  readonly #own: Address;
  /** Of each lease its version, and since when it has it. */
  readonly #seen = new Map<string, {version: string; since: number}>();

  /** Processes of one server share its lease: one that was renewed this recently needs no more. Undefined for the only process. */
  readonly #sharedMillis: number | undefined;

  /**
   * @param renewMillis how often the lease is to be renewed
   * @param expiryMillis after what silence a server counts as gone
   */
  constructor(
    resources: ResourceClient,
    naming: NamingProfile,
    {address, port, process}: ServerEndpoint,
    {renewMillis, expiryMillis}: {readonly renewMillis: number; readonly expiryMillis: number},
    clock: Clock,
  ) {
    this.#clock = clock;
    this.#sharedMillis = process === undefined ? undefined : renewMillis / 2;
    this.#resources = resources;
    this.#expiryMillis = expiryMillis;
    this.#own = {ip: address, port};
    this.#namespace = naming.systemNamespace;
    this.#component = `${componentPrefix(naming)}-apiserver`;
    const identity = createHash('sha256').update(`${hostname()}\n${address}\n${port}`).digest('hex').slice(0, 26);
    this.#name = `${this.#component}-${identity}`;
    this.#holder = `${this.#name}_${randomUUID()}`;
    this.#label = naming.key('orch/component');
    this.#hostLabel = naming.key('orch/hostname');
    this.#addressKey = naming.key('apiserver.orch/address');
    this.#apiVersion = `${naming.group(leases.group)}/${leases.version}`;
  }

  /** Says that this server is there. @param read how recent the lease has to be on which that is based: an older one ends in a conflict */
  async renew(read: ReadOptions): Promise<void> {
    const found = await ifFound(this.#resources.get(leases, this.#namespace, this.#name, read));
    if (found && this.#isRenewed(found)) return;
    const wanted = this.#lease(found);
    if (found) await this.#resources.update(leases, this.#namespace, wanted);
    else await this.#resources.create(leases, this.#namespace, wanted);
  }

  /** Says that it is not. */
  async release(): Promise<void> {
    await ifFound(this.#resources.delete(leases, this.#namespace, this.#name));
  }

  /**
   * Addresses of the servers that are there, this one among them. Removes leases that ended long ago.
   *
   * @param now milliseconds by a clock that is never set
   * @param read how recent the leases have to be
   */
  async alive(now: number, read: ReadOptions): Promise<Address[]> {
    const labelSelector = `${this.#label}=${this.#component}`;
    const {items} = await this.#resources.list(leases, this.#namespace, {labelSelector, ...read});
    const present = new Set(items.map(({metadata}) => metadata.name!));
    for (const name of this.#seen.keys()) if (!present.has(name)) this.#seen.delete(name);
    const others: Address[] = [];
    for (const lease of items) {
      const {name = '', resourceVersion = '', annotations} = lease.metadata;
      if (name === this.#name) continue;
      const known = this.#seen.get(name);
      if (known?.version !== resourceVersion) this.#seen.set(name, {version: resourceVersion, since: now});
      const silence = known?.version === resourceVersion ? now - known.since : 0;
      const address = addressOf(annotations?.[this.#addressKey]);
      if (silence <= this.#expiryMillis && address) others.push(address);
      if (hasEnded(lease, this.#clock.now()))
        await unlessOvertaken(this.#resources.delete(leases, this.#namespace, name, preconditionsOf(lease)));
    }
    return [this.#own, ...others];
  }

  /** Whether another process of this server has done it: its clock is the same. */
  #isRenewed({spec}: ApiObject): boolean {
    if (this.#sharedMillis === undefined) return false;
    const {renewTime, holderIdentity} = (spec ?? {}) as {renewTime?: string; holderIdentity?: string};
    return holderIdentity !== this.#holder && renewTime !== undefined && this.#clock.now() - Date.parse(renewTime) < this.#sharedMillis;
  }

  #lease(found: ApiObject | undefined): ApiObject {
    const {ip, port} = this.#own;
    const host = hostname().toLowerCase().slice(0, 63);
    const isLabel = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host);
    return {
      apiVersion: this.#apiVersion,
      kind: 'Lease',
      metadata: {
        ...found?.metadata,
        name: this.#name,
        namespace: this.#namespace,
        labels: {...found?.metadata.labels, [this.#label]: this.#component, ...(isLabel ? {[this.#hostLabel]: host} : {})},
        annotations: {...found?.metadata.annotations, [this.#addressKey]: ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`},
      },
      spec: {holderIdentity: this.#holder, leaseDurationSeconds: leaseSeconds, renewTime: microTime(this.#clock.now())},
    };
  }
}

function addressOf(text: string | undefined): Address | undefined {
  const match = /^\[?([0-9a-fA-F:.]+?)\]?:(\d{1,5})$/.exec(text ?? '');
  return match ? {ip: match[1]!, port: Number(match[2])} : undefined;
}

function hasEnded(lease: ApiObject, now: number): boolean {
  const {renewTime, leaseDurationSeconds = leaseSeconds} = (lease['spec'] ?? {}) as {renewTime?: string; leaseDurationSeconds?: number};
  return renewTime !== undefined && Date.parse(renewTime) + leaseDurationSeconds * 1000 < now;
}
