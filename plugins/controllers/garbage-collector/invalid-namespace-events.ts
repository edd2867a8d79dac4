import {EventRecorder, TokenBucket, type EventRecorderOptions} from '../../../sdk/controllers/index.js';
import type {GraphNode, OwnerLink} from './graph-node.js';

const controller = 'garbage-collector-controller';
/** Owners that may be looked up in all namespaces at once, and per second: each takes a list of the whole type. */
const burst = 100;
const perSecond = 1;

/** Creates an Event for each object that names an owner in another namespace, or a namespaced owner although it is cluster-scoped. */
export class InvalidNamespaceEvents {
  readonly #looks = new TokenBucket(perSecond, burst);
  readonly #recorder: EventRecorder;

  constructor(parts: Pick<EventRecorderOptions, 'resources' | 'logger'>) {
    this.#recorder = new EventRecorder({...parts, controller});
  }

  record({type, namespace, name, uid}: GraphNode, link: OwnerLink): void {
    if (!type) return;
    const described = `[${link.apiVersion}/${link.kind}, namespace: ${link.namespace}, name: ${link.name}, uid: ${link.owner.uid}]`;
    const own = type.group === '' ? type.version : `${type.group}/${type.version}`;
    this.#recorder.record(
      {apiVersion: own, kind: type.kind, metadata: {name, uid, ...(namespace ? {namespace} : {})}},
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        action: 'CheckOwner',
        note: `ownerRef ${described} does not exist in namespace "${link.namespace}"`,
      },
    );
  }

  /** Takes a token for looking up an owner in all namespaces, if there is one. */
  mayLook(): boolean {
    return this.#looks.take() === 0;
  }

  close(): Promise<void> {
    return this.#recorder.close();
  }
}
