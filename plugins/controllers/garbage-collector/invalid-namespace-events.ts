import {createHash} from 'node:crypto';
import {StatusError, type Logger, type ResourceClient} from '../../../sdk/index.js';
import type {GraphNode, OwnerLink} from './graph-node.js';

const events = {group: '', version: 'v1', resource: 'events'};
const component = 'garbage-collector-controller';
/** How many events may be written at once, and how long it takes until one more may. */
const burst = 100;
const refillMillis = 1000;

/** Tells, by an Event, of each object that names an owner in another namespace, or in a namespace although it is in none. */
export class InvalidNamespaceEvents {
  #left = burst;
  #refilledAt = performance.now();
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(resources: ResourceClient, logger: Logger) {
    this.#resources = resources;
    this.#logger = logger;
  }

  tell({type, namespace, name, uid}: GraphNode, {reference, namespace: linked, owner}: OwnerLink): void {
    if (!type || !this.mayTell) return;
    this.#left -= 1;
    const {apiVersion, kind} = reference;
    const described = `[${apiVersion}/${kind}, namespace: ${linked}, name: ${reference.name}, uid: ${owner.uid}]`;
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    const own = type.group === '' ? type.version : `${type.group}/${type.version}`;
    // The same fault has the same name on every server, and after a restart.
    const fault = createHash('sha256').update(`${uid} ${owner.uid}`).digest('hex').slice(0, 16);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {name: `${name}.${fault}`, namespace: namespace || 'default'},
      involvedObject: {apiVersion: own, kind: type.kind, name, uid, ...(namespace ? {namespace} : {})},
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${described} does not exist in namespace "${linked}"`,
      type: 'Warning',
      source: {component},
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
    this.#resources.create(events, event.metadata.namespace, event).catch((error: unknown) => {
      if (!StatusError.is(error) || error.reason !== 'AlreadyExists') {
        this.#logger.debug({err: error}, 'an event could not be written');
      }
    });
  }

  /** Whether one more may be written now. */
  get mayTell(): boolean {
    const refilled = Math.floor((performance.now() - this.#refilledAt) / refillMillis);
    this.#left = Math.min(burst, this.#left + refilled);
    this.#refilledAt += refilled * refillMillis;
    return this.#left > 0;
  }
}
