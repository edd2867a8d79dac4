import {
  controller,
  every,
  ifFound,
  inject,
  Tokens,
  type ApiObject,
  type Controller,
  type FeatureGates,
  type Logger,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {IPAddress as IpAddress} from '../../../sdk/types/unchecked/networking/v1.js';
import {AddressObjects} from './address-objects.js';
import {addressClaim, claimsOf} from './claim-names.js';
import {ServiceClaims, type Claim} from './service-claims.js';
import {addressVersion} from './service-cidrs.js';
import {services} from './service.js';

/** How often claims are compared with services. */
const sweepMillis = 60_000;
/** An unused claim of this age does not belong to a pending write: requests do not take that long. */
const abandonedMillis = 180_000;

interface KnownService {
  readonly uid: string;
  readonly version: string;
  readonly claims: ReadonlySet<string>;
}

/**
 * Releases the addresses and ports that services no longer have: immediately when a service is changed or deleted, after a few minutes if
 * they were claimed for a write that failed. Several servers may do so at the same time.
 */
@controller()
export class ServiceClaimKeeper implements Controller {
  #claims!: ServiceClaims;
  #addresses: AddressObjects | undefined;
  readonly #known = new Map<string, KnownService>();
  /** Unused claims, with the version and time at which they were first seen unused. */
  readonly #unused = new Map<string, {version: string; since: number}>();
  readonly #abort = new AbortController();
  readonly #work = new Set<Promise<void>>();
  #stopSweeping: () => void = () => undefined;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#resources = resources;
    this.#logger = logger;
    this.#naming = naming;
    this.#gates = gates;
  }

  start(): Promise<void> {
    const version = addressVersion(this.#resources, this.#naming, this.#gates);
    this.#addresses = version === undefined ? undefined : new AddressObjects(this.#resources, this.#naming, version);
    this.#claims = new ServiceClaims(this.#resources, this.#naming, this.#addresses);
    const follower = {
      changed: (object: ApiObject) => this.#changed(object),
      deleted: (object: ApiObject) => this.#deleted(object),
      failed: (error: unknown) => this.#logger.warn({err: error}, 'services cannot be followed'),
    };
    this.#run(followObjects(this.#resources, services, follower, this.#abort.signal));
    if (this.#addresses) this.#followAddresses(this.#addresses);
    this.#stopSweeping = every(sweepMillis, () => this.#run(this.sweep(Date.now())));
    return Promise.resolve();
  }

  /** The object of an address that a service has is made again when somebody deletes it. */
  #followAddresses(addresses: AddressObjects): void {
    const follower = {
      changed: () => undefined,
      deleted: (object: ApiObject) => this.#run(this.#repair(addresses, object as IpAddress)),
      failed: (error: unknown) => this.#logger.warn({err: error}, 'addresses of services cannot be followed'),
    };
    this.#run(followObjects(this.#resources, addresses.ref, follower, this.#abort.signal));
  }

  async #repair(addresses: AddressObjects, {metadata, spec}: IpAddress): Promise<void> {
    const {resource, namespace = '', name = ''} = spec?.parentRef ?? {};
    const ip = metadata.name ?? '';
    if (resource !== 'services' || name === '') return;
    const service: Service | undefined = await ifFound(this.#resources.get(services, namespace, name));
    if (service && claimsOf(service.spec ?? {}).has(addressClaim(ip))) await addresses.reserve(ip, {namespace, name});
  }

  async stop(): Promise<void> {
    this.#stopSweeping();
    this.#abort.abort();
    await Promise.all(this.#work);
  }

  /** Compares all claims with all services, in both directions. @param now milliseconds since 1970 */
  async sweep(now: number): Promise<void> {
    await this.#claims.restore((await this.#resources.list(services, '')).items);
    const all = await this.#claims.all();
    for (const claim of all.values()) await this.#check(claim, now);
    for (const name of this.#unused.keys()) if (!all.has(name)) this.#unused.delete(name);
    await this.#claims.dropUnclaimed();
  }

  async #check(claim: Claim, now: number): Promise<void> {
    const service = this.#known.get(keyOf(claim)) ?? [...this.#known.values()].find(({uid}) => uid === claim.uid);
    if (service?.claims.has(claim.claim)) {
      this.#unused.delete(claim.claim);
      return;
    }
    const version = claim.lease.metadata.resourceVersion ?? '';
    const before = this.#unused.get(claim.claim);
    if (before?.version !== version) this.#unused.set(claim.claim, {version, since: now});
    else if (now - before.since >= abandonedMillis) await this.#claims.release(claim);
  }

  #changed({metadata, spec}: Service): void {
    const {uid = '', resourceVersion: version = ''} = metadata;
    const now: KnownService = {uid, version, claims: claimsOf(spec ?? {})};
    const before = this.#known.get(keyOf(metadata));
    this.#known.set(keyOf(metadata), now);
    if (before) this.#release(before, before.uid === uid ? now : undefined);
    // Its name was not known yet when it got its addresses.
    else if (metadata.generateName && this.#addresses) this.#run(this.#addresses.restore([{metadata, spec}]));
  }

  #deleted({metadata}: Service): void {
    const before = this.#known.get(keyOf(metadata));
    this.#known.delete(keyOf(metadata));
    if (before) this.#release(before, undefined);
  }

  /** Releases what a service no longer has. @param now the current state of the service; undefined if it was deleted */
  #release(before: KnownService, now: KnownService | undefined): void {
    for (const name of before.claims) if (!now?.claims.has(name)) this.#run(this.#releaseOne(name, before.uid, now?.version));
  }

  async #releaseOne(name: string, uid: string, version: string | undefined): Promise<void> {
    const claim = await this.#claims.find(name);
    // A claim based on the service's current version may belong to a pending write.
    if (claim?.uid === uid && (version === undefined || claim.version !== version)) await this.#claims.release(claim);
  }

  #run(work: Promise<void>): void {
    const job = work
      .catch((error: unknown) => {
        if (!this.#abort.signal.aborted) this.#logger.warn({err: error}, 'a claim of a service cannot be released; it is tried again');
      })
      .finally(() => this.#work.delete(job));
    this.#work.add(job);
  }
}

function keyOf({namespace = '', name = ''}: {namespace?: string; name?: string}): string {
  return `${namespace}/${name}`;
}
