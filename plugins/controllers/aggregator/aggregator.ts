import {createHash} from 'node:crypto';
import {Backoff, isNotFound, type AggregatedVersions, type ApiObject, type Logger, type Metrics} from '../../../sdk/index.js';
import {AgentPool} from '../../../sdk/https/index.js';
import {followObjects, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import type {APIService as ApiService} from '../../../sdk/types/unchecked/apiregistration/v1.js';

import {AggregatedService} from './aggregated-service.js';
import {isAvailable, remoteServiceOf, type RemoteService} from './api-service.js';
import {AvailabilityWriter} from './availability-writer.js';
import {checkAvailability} from './availability.js';
import {ServerDocuments, roomForText} from './refresh.js';
import {RemoteServer, type RemoteParts} from './remote-server.js';

/** Maximum concurrent checks: servers that do not answer delay the others only if there are as many of them. */
const checksAtOnce = 5;
const refreshesAtOnce = 4;
/** Before a server that is not available is asked again. */
const retries = {initialMillis: 200, maximumMillis: 30_000};
/** On average between two checks of servers that are not available, however many they are: each check opens several connections. */
const paceMillis = 40;

export interface AggregatorParts extends Omit<RemoteParts, 'agents'> {
  readonly versions: AggregatedVersions;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** A server, with the APIServices that name it. */
interface Server {
  readonly remote: RemoteServer;
  readonly documents: ServerDocuments;
  readonly services: Set<AggregatedService>;
}

/** The APIServices with a service: proxies their requests, checks their availability, and keeps the discovery and OpenAPI documents of their servers. */
export class Aggregator {
  /** By the names of APIServices. */
  readonly #services = new Map<string, AggregatedService>();
  readonly #servers = new Map<string, Server>();
  readonly #retries = new Map<string, Backoff>();
  readonly #abort = new AbortController();
  readonly #agents = new AgentPool(Number.POSITIVE_INFINITY);
  readonly #checks: WorkQueue;
  readonly #refreshes: WorkQueue;
  readonly #following: Promise<unknown>;
  readonly #writer: AvailabilityWriter;
  readonly #parts: RemoteParts & AggregatorParts;

  constructor(parts: AggregatorParts) {
    this.#parts = {...parts, agents: this.#agents};
    const {logger, metrics, resources} = parts;
    this.#writer = new AvailabilityWriter(resources, metrics, logger);
    this.#checks = new WorkQueue((name) => this.#check(name), {
      clock: resources.clock,
      scheduler: resources.scheduler,
      concurrency: checksAtOnce,
      figures: {metrics, name: 'aggregator_availability'},
      onError: (name, error) =>
        this.#failed(error, () => logger.warn({apiService: name, err: error}, 'an APIService cannot be checked; retrying')),
    });
    this.#refreshes = new WorkQueue((key) => this.#refresh(key), {
      clock: resources.clock,
      scheduler: resources.scheduler,
      concurrency: refreshesAtOnce,
      figures: {metrics, name: 'aggregator_discovery'},
      onError: (key, error) =>
        this.#failed(error, () => logger.warn({server: key, err: error}, 'an aggregated API server cannot be reached; retrying')),
    });
    this.#following = Promise.all(['services', 'endpoints'].map((resource) => this.#followBackends(resource)));
  }

  /** Adds or changes an APIService with a service; without a service it is no longer proxied. */
  set(object: ApiService): void {
    const name = object.metadata.name ?? '';
    const service = remoteServiceOf(object);
    // This server must keep serving the group that decides which server serves what.
    if (!service || object.spec?.group === this.#parts.naming.group('apiregistration.orch')) return this.delete(name);
    const server = this.#serverOf(service);
    const known = this.#services.get(name);
    const wasAvailable = known !== undefined && isAvailable(known.object);
    const isSame = known !== undefined && known.remote === server.remote;
    const aggregated = known ?? new AggregatedService(object, server.remote, this.#parts.logger);
    aggregated.object = object;
    if (!isSame) {
      if (known) this.#leave(known);
      aggregated.remote = server.remote;
      server.services.add(aggregated);
      this.#services.set(name, aggregated);
      this.#retries.delete(name);
      this.#checks.add(name);
    }
    this.#publish(aggregated);
    if (!isSame || wasAvailable !== isAvailable(object)) this.#refreshes.add(keyOf(service));
  }

  delete(name: string): void {
    const known = this.#services.get(name);
    if (!known) return;
    this.#services.delete(name);
    this.#retries.delete(name);
    this.#leave(known);
    const {group, version} = known.place;
    this.#parts.versions.delete(group, version);
    this.#writer.forget(name);
  }

  /** Uses another certificate from now on; open connections stay. */
  certificateReplaced(): void {
    for (const name of this.#services.keys()) this.#checks.add(name);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all([this.#checks.close(), this.#refreshes.close(), this.#following]);
    this.#agents.close();
  }

  #serverOf(service: RemoteService): Server {
    const key = keyOf(service);
    let server = this.#servers.get(key);
    if (!server) {
      const remote = new RemoteServer(service, this.#parts);
      const {naming, logger} = this.#parts;
      this.#servers.set(key, (server = {remote, documents: new ServerDocuments(remote, naming, logger), services: new Set()}));
    }
    return server;
  }

  #leave(service: AggregatedService): void {
    const key = keyOf(service.remote.service);
    const server = this.#servers.get(key);
    server?.services.delete(service);
    if (server?.services.size === 0) this.#servers.delete(key);
  }

  #publish(service: AggregatedService): void {
    const version = service.unpublished();
    if (version) this.#parts.versions.set(version);
  }

  async #check(name: string): Promise<WorkResult> {
    const service = this.#services.get(name);
    if (!service) return {done: true};
    const {remote} = service;
    const finding = await checkAvailability(remote, service.place, this.#parts, this.#abort.signal);
    await this.#writer.write(name, remote.service, finding);
    if (finding.status === 'True') {
      this.#retries.delete(name);
      return {again: this.#parts.settings.checkMilliseconds};
    }
    let retry = this.#retries.get(name);
    if (!retry) this.#retries.set(name, (retry = new Backoff(retries)));
    const pace = this.#retries.size * paceMillis * (1 + Math.random() / 2);
    return {again: Math.max(Math.min(retry.next(), this.#parts.settings.checkMilliseconds), pace)};
  }

  async #refresh(key: string): Promise<WorkResult> {
    const server = this.#servers.get(key);
    if (!server) return {done: true};
    const services = [...server.services];
    if (!services.some(({object}) => isAvailable(object))) {
      // Checks find out when it is back, and have this done again.
      for (const service of services) {
        service.learn({...service.documents, isStale: true});
        this.#publish(service);
      }
      return {done: true};
    }
    const others = [...this.#servers.values()].filter((other) => other !== server).map(({documents}) => documents);
    await server.documents.refresh(services, this.#abort.signal, roomForText(others));
    // Some may have been removed since.
    for (const service of server.services) this.#publish(service);
    return {again: this.#parts.settings.refreshMilliseconds};
  }

  /** Checks availability when the endpoints of a service change. */
  async #followBackends(resource: string): Promise<void> {
    const {resources, logger} = this.#parts;
    const look = ({metadata}: ApiObject) => {
      for (const [name, {remote}] of this.#services) {
        if (remote.service.name === metadata.name && remote.service.namespace === metadata.namespace) this.#checks.add(name);
      }
    };
    await followObjects(
      resources,
      {group: '', version: 'v1', resource},
      {
        changed: look,
        deleted: look,
        // Without the type there are no services, which checks report.
        failed: (error) => {
          if (!isNotFound(error)) logger.warn({resource, err: error}, 'objects cannot be watched; retrying');
        },
      },
      this.#abort.signal,
    );
  }

  #failed(_error: unknown, log: () => void): void {
    if (!this.#abort.signal.aborted) log();
  }
}

/** APIServices with the same service and the same trust in it share a server. */
function keyOf({namespace, name, port, caBundle, insecure}: RemoteService): string {
  const trust = createHash('sha256').update(`${insecure} ${caBundle}`).digest('base64url').slice(0, 16);
  return `${namespace}/${name}:${port} ${trust}`;
}
