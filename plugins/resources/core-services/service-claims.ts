import {setTimeout as delay} from 'node:timers/promises';
import {
  ifFound,
  microTime,
  preconditionsOf,
  unlessExists,
  unlessOvertaken,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {AddressObjects} from './address-objects.js';
import {addressClaim, claimedAddress, claimsOf} from './claim-names.js';
import {services} from './service.js';

const leases: ResourceRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};
/** How long to wait until the claim of a deleted service is released. */
const releaseWaitMillis = 2000;
const pauseMillis = 25;

/** A service being written, or about to be. */
export interface ClaimHolder {
  readonly namespace: string;
  /** Empty if the name has not been generated yet. */
  readonly name: string;
  readonly uid: string;
  /** The version of the service that the write changes; empty for a new one. */
  readonly version: string;
}

/** A stored claim. */
export interface Claim extends ClaimHolder {
  readonly claim: string;
  readonly lease: ApiObject;
}

/**
 * The owners of addresses and ports: one Lease in the system namespace for each, created before the service is stored. Creating an object
 * is atomic in any store, so two services never get the same value, whichever servers they are created through.
 *
 * A claim contains the service version on which its write was based. A write succeeds only while the service has that version. A claim with
 * another version that the service does not use can therefore be released; one with the current version may belong to a pending write.
 *
 * Where addresses have objects, a claimed address has one too, made after its claim and removed after it: an address whose object belongs to
 * something else cannot be claimed.
 */
export class ServiceClaims {
  readonly #namespace: string;
  readonly #label: string;
  readonly #uidKey: string;
  readonly #versionKey: string;
  readonly #apiVersion: string;
  readonly #resources: ResourceClient;
  readonly #addresses: AddressObjects | undefined;

  constructor(resources: ResourceClient, naming: NamingProfile, addresses?: AddressObjects) {
    this.#resources = resources;
    this.#addresses = addresses;
    this.#namespace = naming.systemNamespace;
    this.#apiVersion = `${naming.group(leases.group)}/${leases.version}`;
    this.#label = naming.key('service.orch/claim');
    this.#uidKey = naming.key('service.orch/uid');
    this.#versionKey = naming.key('service.orch/version');
  }

  /** Creates a claim that nobody has. False if somebody has it, even the holder itself. */
  async make(claim: string, holder: ClaimHolder): Promise<boolean> {
    return (await this.#create(claim, holder)) && (await this.#reserve(claim, holder));
  }

  async #create(claim: string, holder: ClaimHolder): Promise<boolean> {
    return (await unlessExists(this.#resources.create(leases, this.#namespace, this.#leaseOf(claim, holder)))) !== undefined;
  }

  /** Makes the object of a claimed address; where there is another, the claim is given up. */
  async #reserve(claim: string, holder: ClaimHolder): Promise<boolean> {
    const ip = this.#addresses && claimedAddress(claim);
    if (ip === undefined || (await this.#addresses!.reserve(ip, holder))) return true;
    const current = await this.find(claim);
    if (current) await this.release(current);
    return false;
  }

  /** Takes a given claim: a free one, the holder's own, or one that its service does not use. False if it belongs to another service. */
  async take(claim: string, holder: ClaimHolder): Promise<boolean> {
    const deadline = Date.now() + releaseWaitMillis;
    while (!(await this.#create(claim, holder))) {
      const current = await this.find(claim);
      if (!current) continue;
      const owner = isSameHolder(current, holder) ? 'self' : await this.#ownerState(current);
      if (owner === 'uses-it' || (owner === 'gone' && Date.now() > deadline)) return false;
      // A deleted service's claim is about to be released. It is not known here whether the service was deleted or is just being
      // created.
      if (owner === 'gone') await delay(pauseMillis);
      else if (await this.#rewrite(current, holder)) break;
    }
    return this.#reserve(claim, holder);
  }

  /** Whether a claim is available to a holder, without taking it. */
  async isFree(claim: string, holder: ClaimHolder): Promise<boolean> {
    const ip = this.#addresses && claimedAddress(claim);
    if (ip !== undefined && !(await this.#addresses!.isFree(ip))) return false;
    const current = await this.find(claim);
    return !current || isSameHolder(current, holder) || (await this.#ownerState(current)) !== 'uses-it';
  }

  async find(claim: string): Promise<Claim | undefined> {
    const lease = await ifFound(this.#resources.get(leases, this.#namespace, claim));
    return lease && this.#read(lease);
  }

  /** All claims by name. */
  async all(): Promise<Map<string, Claim>> {
    const {items} = await this.#resources.list(leases, this.#namespace, {labelSelector: this.#label});
    return new Map(items.map((lease) => [lease.metadata.name ?? '', this.#read(lease)]));
  }

  /** Creates missing claims of services, for example after a restore. */
  async restore(objects: readonly Service[]): Promise<void> {
    const present = await this.all();
    for (const {metadata, spec} of objects) {
      const {namespace = '', name = '', uid = ''} = metadata;
      // No pending write of the service uses these claims, so their version is one that the service cannot have.
      for (const claim of claimsOf(spec ?? {})) if (!present.has(claim)) await this.#create(claim, {namespace, name, uid, version: ''});
    }
    await this.#addresses?.restore(objects);
  }

  /** Removes the objects of addresses that nobody has claimed. */
  async dropUnclaimed(): Promise<void> {
    const objects = (await this.#addresses?.all()) ?? [];
    // Read after the objects: claims are made before them.
    const claims = objects.length > 0 ? await this.all() : new Map<string, Claim>();
    for (const object of objects) if (!claims.has(addressClaim(object.metadata.name!))) await this.#addresses!.remove(object);
  }

  /** Releases a claim if it has not changed since it was read. */
  async release({claim, lease}: Claim): Promise<void> {
    const ip = this.#addresses && claimedAddress(claim);
    const object = ip === undefined ? undefined : await this.#addresses!.own(ip);
    const deleted = this.#resources.delete(leases, this.#namespace, claim, preconditionsOf(lease)).then(() => true);
    if ((await unlessOvertaken(deleted)) && object) await this.#addresses!.remove(object);
  }

  async #ownerState({claim, namespace, name, uid, version}: Claim): Promise<'uses-it' | 'unused' | 'gone'> {
    const service: Service | undefined = name === '' ? undefined : await ifFound(this.#resources.get(services, namespace, name));
    if (!service || service.metadata.uid !== uid) return service && claimsOf(service.spec ?? {}).has(claim) ? 'uses-it' : 'gone';
    if (claimsOf(service.spec ?? {}).has(claim) || service.metadata.resourceVersion === version) return 'uses-it';
    return 'unused';
  }

  /** Written even if holder and version stay the same: a server about to release the claim must see that it is in use again. */
  async #rewrite({claim, lease}: Claim, holder: ClaimHolder): Promise<boolean> {
    const wanted = this.#leaseOf(claim, holder);
    const changed = {...wanted, metadata: {...wanted.metadata, ...preconditionsOf(lease)}};
    return (await unlessOvertaken(this.#resources.update(leases, this.#namespace, changed))) !== undefined;
  }

  #leaseOf(claim: string, {namespace, name, uid, version}: ClaimHolder): ApiObject {
    return {
      apiVersion: this.#apiVersion,
      kind: 'Lease',
      metadata: {
        name: claim,
        namespace: this.#namespace,
        labels: {[this.#label]: 'true'},
        annotations: {[this.#uidKey]: uid, [this.#versionKey]: version},
      },
      spec: {holderIdentity: `${namespace}/${name}`, renewTime: microTime()},
    };
  }

  #read(lease: ApiObject): Claim {
    const {holderIdentity = ''} = (lease['spec'] ?? {}) as {holderIdentity?: string};
    const [namespace = '', name = ''] = holderIdentity.split('/');
    const {annotations = {}} = lease.metadata;
    return {
      claim: lease.metadata.name ?? '',
      lease,
      namespace,
      name,
      uid: annotations[this.#uidKey] ?? '',
      version: annotations[this.#versionKey] ?? '',
    };
  }
}

/** There is only one service of a name, so the next attempt can use a claim left by an earlier one. */
function isSameHolder(claim: Claim, {namespace, name, uid}: ClaimHolder): boolean {
  return claim.uid === uid || (name !== '' && claim.namespace === namespace && claim.name === name);
}
