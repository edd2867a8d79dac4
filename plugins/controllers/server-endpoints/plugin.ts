import {
  controller,
  every,
  ifFound,
  inject,
  StatusError,
  Tokens,
  type Clock,
  type ApiObject,
  type Controller,
  type Logger,
  type NamingProfile,
  type ReadOptions,
  type ResourceClient,
  type ResourceRef,
  type ServerEndpoint,
} from '../../../sdk/index.js';
import {formatIp, parseCidr} from '../../../sdk/net/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {IdentityLeases, type Address} from './identity-leases.js';
import {ownServiceName, ownServiceNamespace} from '../../families/services/own-service.js';
import {addressesToPublish, endpointsObject, isSoundService, serviceObject, sliceObjects} from './service-objects.js';

const services: ResourceRef = {group: '', version: 'v1', resource: 'services'};
const endpoints: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};
const slices: ResourceRef = {group: 'discovery.orch', version: 'v1', resource: 'endpointslices'};

const maximumAttempts = 20;

interface Settings {
  readonly clusterIpRanges: readonly string[];
  readonly renewMilliseconds: number;
  readonly expiryMilliseconds: number;
}

/**
 * Keeps the service by which clients inside a cluster find the API server (`orch` in `default`, or `kubernetes`), and the Endpoints and
 * EndpointSlices behind it: the addresses of all servers of the store that are there. A server that stops takes its address out; that of one that
 * crashes goes when its lease has not been renewed for a while.
 */
@controller()
export class ServerEndpoints implements Controller {
  readonly #clusterIp: string;
  #leases: IdentityLeases | undefined;
  #stopLooking: () => void = () => undefined;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;
  readonly #settings: Settings;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #endpoint: ServerEndpoint;
  readonly #clock: Clock;
  readonly #logger: Logger;

  /** @throws Error in one sentence for periods that do not fit together */
  constructor(
    @inject(Tokens.Config) settings: Settings,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.Clock) clock: Clock,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#clock = clock;
    if (settings.expiryMilliseconds <= settings.renewMilliseconds)
      throw new Error('expiryMilliseconds must be longer than renewMilliseconds: servers would count as gone between two renewals');
    this.#settings = settings;
    this.#resources = resources;
    this.#naming = naming;
    this.#endpoint = endpoint;
    this.#logger = logger;
    this.#clusterIp = firstAddress(settings.clusterIpRanges[0]!);
  }

  start(): Promise<void> {
    const {renewMilliseconds: renewMillis, expiryMilliseconds: expiryMillis} = this.#settings;
    this.#leases = new IdentityLeases(this.#resources, this.#naming, this.#endpoint, {renewMillis, expiryMillis}, this.#clock);
    const look = () => {
      this.#working = this.#working.then(() => this.#look());
    };
    look();
    this.#stopLooking = every(this.#settings.renewMilliseconds, look);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopLooking();
    this.#stopped = true;
    await this.#working;
    if (!this.#leases || this.#endpoint.remains) return;
    try {
      await this.#leases.release();
      await withoutConflict(async () => {
        const [, ...others] = await this.#leases!.alive(performance.now(), mostRecent);
        await this.#publish(others, mostRecent);
      });
    } catch (error) {
      this.#logger.warn({err: error}, 'the address of this server could not be taken out of the endpoints; it goes when its lease expires');
    }
  }

  async #look(): Promise<void> {
    if (this.#stopped) return;
    try {
      await withoutConflict((read) => this.#leases!.renew(read));
      await withoutConflict(async (read) => {
        const alive = await this.#leases!.alive(performance.now(), read);
        await this.#publish(alive, read);
        await this.#keepService(alive, read);
      });
    } catch (error) {
      this.#logger.warn({err: error}, 'the service of the API servers is not as it should be; it is tried again');
    }
  }

  async #keepService(alive: readonly Address[], read: ReadOptions): Promise<void> {
    const found = await this.#find(services, ownServiceName(this.#naming), read);
    const wanted = serviceObject(this.#naming, this.#clusterIp, this.#endpoint.port);
    if (!found) await this.#resources.create(services, ownServiceNamespace, wanted);
    else if (!isSoundService(found, alive)) {
      const {ports} = wanted['spec'] as {ports: object[]};
      await this.#resources.update(services, ownServiceNamespace, {...found, spec: {...(found['spec'] as object), ports}} as ApiObject);
    }
  }

  /** Writes what differs. */
  async #publish(alive: readonly Address[], read: ReadOptions): Promise<void> {
    const addresses = addressesToPublish(alive);
    const wanted = sliceObjects(this.#naming, addresses);
    const label = this.#naming.key('orch/service-name');
    const labelSelector = `${label}=${ownServiceName(this.#naming)}`;
    const {items} = await this.#resources.list(slices, ownServiceNamespace, {labelSelector, ...read});
    await Promise.all([
      this.#put(endpoints, endpointsObject(this.#naming, addresses), await this.#find(endpoints, ownServiceName(this.#naming), read)),
      ...wanted.map((slice) =>
        this.#putSlice(
          slice,
          items.find(({metadata}) => metadata.name === slice.metadata.name),
        ),
      ),
      ...items
        .filter(({metadata}) => !wanted.some((slice) => slice.metadata.name === metadata.name))
        .map(({metadata}) => this.#delete(slices, metadata.name!)),
    ]);
  }

  /** The type of a slice's addresses cannot change. */
  async #putSlice(wanted: ApiObject, found: ApiObject | undefined): Promise<void> {
    const fits = !found || found['addressType'] === wanted['addressType'];
    if (!fits) await this.#delete(slices, wanted.metadata.name!);
    await this.#put(slices, wanted, fits ? found : undefined);
  }

  async #put(ref: ResourceRef, wanted: ApiObject, found: ApiObject | undefined): Promise<void> {
    if (!found) {
      await this.#resources.create(ref, ownServiceNamespace, wanted);
      return;
    }
    const {metadata, apiVersion: _apiVersion, kind: _kind, ...content} = wanted;
    const labels = {...found.metadata.labels, ...metadata.labels};
    if (sameValue(found.metadata.labels, labels) && isPublished(found, content)) return;
    const {subsets: _subsets, ...rest} = found;
    await this.#resources.update(ref, ownServiceNamespace, {...rest, ...content, metadata: {...found.metadata, labels}} as ApiObject);
  }

  async #delete(ref: ResourceRef, name: string): Promise<void> {
    await ifFound(this.#resources.delete(ref, ownServiceNamespace, name));
  }

  #find(ref: ResourceRef, name: string, read: ReadOptions): Promise<ApiObject | undefined> {
    return ifFound(this.#resources.get(ref, ownServiceNamespace, name, read));
  }
}

const mostRecent: ReadOptions = {};
const cached: ReadOptions = {resourceVersion: '0'};

/**
 * Servers write the same objects at the same time: who comes second looks again. At first only into the cache, since mostly there is nothing to write, and asking a Redis for the most
 * recent state several times in ten seconds would be much of what an idle server does.
 */
async function withoutConflict(work: (read: ReadOptions) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt === 1 ? cached : mostRecent);
    } catch (error) {
      if (!StatusError.is(error) || error.code !== 409 || attempt === maximumAttempts) throw error;
    }
  }
}

/** Whether an object has this content. Endpoints are stored in another order than they are written in. */
function isPublished(found: ApiObject, content: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(content).every(([member, value]) =>
    member === 'subsets' ? sameValue(pairsOf(found[member]), pairsOf(value)) : sameValue(found[member], value),
  );
}

function pairsOf(subsets: unknown): string[] {
  const list = (subsets ?? []) as {addresses?: {ip: string}[]; ports?: {port: number; name?: string}[]}[];
  const pairs = list.flatMap(({addresses = [], ports = []}) =>
    addresses.flatMap(({ip}) => ports.map(({name, port}) => `${name} ${port} ${ip}`)),
  );
  return pairs.toSorted();
}

/** The first address of a block that services get. */
function firstAddress(block: string): string {
  const cidr = parseCidr(block);
  if (!cidr) throw new Error(`--service-cluster-ip-range: ${JSON.stringify(block)} is no block of addresses`);
  return formatIp({family: cidr.family, value: cidr.base + 1n});
}
