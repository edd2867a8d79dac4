import {
  ifFound,
  isNotFound,
  preconditionsOf,
  unlessExists,
  unlessOvertaken,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {formatIp, ipFamily, parseIp} from '../../../sdk/net/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {IPAddress as IpAddress} from '../../../sdk/types/unchecked/networking/v1.js';
import {addressesOf} from './claim-names.js';

/** The service that an address belongs to. */
export interface AddressParent {
  readonly namespace: string;
  /** Empty if the name has not been generated yet. */
  readonly name: string;
}

/**
 * The IPAddress objects of services' addresses: they show whose an address is, and whoever makes one for something else keeps services from it.
 * Which of two services gets an address is decided by claims, so those that the server made itself follow the claims.
 */
export class AddressObjects {
  readonly #resources: ResourceClient;
  /** The type of the objects, in the version that is served. */
  readonly ref: ResourceRef;
  readonly #familyLabel: string;
  readonly #managedByLabel: string;
  readonly #allocator: string;

  /** @param version of IPAddress that is served */
  constructor(resources: ResourceClient, naming: NamingProfile, version: string) {
    this.#resources = resources;
    this.ref = {group: 'networking.orch', version, resource: 'ipaddresses'};
    this.#familyLabel = naming.key('ipaddress.orch/ip-family');
    this.#managedByLabel = naming.key('ipaddress.orch/managed-by');
    this.#allocator = naming.group('ipallocator.orch');
  }

  /** Makes the object of an address that the service has claimed. False if the address belongs to something that is no service. */
  async reserve(ip: string, parent: AddressParent): Promise<boolean> {
    if (parent.name === '') return this.isFree(ip);
    const wanted = this.#objectOf(ip, parent);
    for (;;) {
      if (await unlessExists(this.#resources.create(this.ref, '', wanted))) return true;
      const found = await this.#find(wanted.metadata.name!);
      if (!found) continue;
      const {namespace, name, resource} = found.spec?.parentRef ?? {};
      if (resource === 'services' && namespace === parent.namespace && name === parent.name) return true;
      if (!this.#isOwn(found)) return false;
      // Left behind by a service that has lost its claim.
      await this.#remove(found);
    }
  }

  /** Whether no other object than one of the server's own has the address. */
  async isFree(ip: string): Promise<boolean> {
    const found = await this.#find(canonical(ip));
    return !found || this.#isOwn(found);
  }

  /** The server's own object of an address, to be removed once its claim is. */
  async own(ip: string): Promise<IpAddress | undefined> {
    const found = await this.#find(canonical(ip));
    return found && this.#isOwn(found) ? found : undefined;
  }

  /** All of the server's own objects. */
  async all(): Promise<IpAddress[]> {
    const labelSelector = `${this.#managedByLabel}=${this.#allocator}`;
    return (await this.#resources.list(this.ref, '', {labelSelector})).items;
  }

  /** Removes an object, if it is still the one that was read. */
  async remove(object: IpAddress): Promise<void> {
    await this.#remove(object);
  }

  /** Makes what is missing of services' objects. */
  async restore(services: Iterable<Service>): Promise<void> {
    const present = new Set((await this.#resources.list(this.ref, '')).items.map(({metadata}) => metadata.name));
    for (const {metadata, spec} of services) {
      const {namespace = '', name = ''} = metadata;
      for (const ip of addressesOf(spec ?? {})) if (!present.has(canonical(ip))) await this.reserve(ip, {namespace, name});
    }
  }

  #find(name: string): Promise<IpAddress | undefined> {
    return ifFound(this.#resources.get(this.ref, '', name));
  }

  async #remove(object: ApiObject): Promise<void> {
    try {
      await unlessOvertaken(this.#resources.delete(this.ref, '', object.metadata.name!, preconditionsOf(object)));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #isOwn({metadata}: IpAddress): boolean {
    return metadata.labels?.[this.#managedByLabel] === this.#allocator;
  }

  #objectOf(ip: string, {namespace, name}: AddressParent): ApiObject {
    const labels = {[this.#familyLabel]: ipFamily(ip)!, [this.#managedByLabel]: this.#allocator};
    return {metadata: {name: canonical(ip), labels}, spec: {parentRef: {group: '', resource: 'services', namespace, name}}} as ApiObject;
  }
}

function canonical(ip: string): string {
  return formatIp(parseIp(ip)!);
}
