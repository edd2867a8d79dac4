import type {ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import {compileSelector, labelsMatch, type LabelSelector} from '../../../../sdk/labels/index.js';
import {namespaced} from '../../../../sdk/types/resource-handle.js';
import type {DefaultSpread} from '../model/default-spread.js';
import type {PodShape} from '../model/pod-shape.js';
import {remembered} from '../model/pod-terms.js';
import type {SpreadConstraint} from '../model/spread-constraints.js';

type Labels = Record<string, string>;
interface Selecting {
  readonly metadata: {name?: string; namespace?: string};
  readonly spec?: {selector?: unknown} | undefined;
}

const services = namespaced<never>('', 'v1', 'services', 'Service');
const controllers = {
  ReplicaSet: {apiVersion: 'apps/v1', type: namespaced<never>('apps', 'v1', 'replicasets', 'ReplicaSet')},
  StatefulSet: {apiVersion: 'apps/v1', type: namespaced<never>('apps', 'v1', 'statefulsets', 'StatefulSet')},
  ReplicationController: {apiVersion: 'v1', type: namespaced<never>('', 'v1', 'replicationcontrollers', 'ReplicationController')},
};

/** By what pods without constraints of their own are spread, and how far apart they may get. */
const defaults = [
  {key: 'orch/hostname', maxSkew: 3},
  {key: 'topology.orch/zone', maxSkew: 5},
];

interface Remembered {
  readonly version: number;
  readonly constraints: readonly SpreadConstraint[] | undefined;
}

/** The pods that belong together because a service or a workload selects them: they are spread over nodes and zones. */
export class DefaultConstraints implements DefaultSpread {
  readonly #services = new Map<string, Map<string, Labels>>();
  /** Counts changes after which pods may belong to something else. */
  #version = 0;
  readonly #known = new WeakMap<PodShape, Remembered>();
  readonly #informers: ReadonlyMap<string, CacheInformer<never>>;
  readonly #serviceInformer: CacheInformer<never>;
  readonly #keys: readonly {readonly key: string; readonly maxSkew: number}[];

  /** @param keyOf spells a label key as the platform does */
  constructor(cache: ObjectCache, keyOf: (neutral: string) => string, failed: (key: string, error: unknown) => void) {
    this.#keys = defaults.map(({key, maxSkew}) => ({key: keyOf(key), maxSkew}));
    this.#serviceInformer = new CacheInformer<never>(cache, services, {
      changed: (key) => this.#serviceChanged(key, failed),
      deleted: (key) => this.#setService(key, undefined),
      failed,
    });
    const isNew = () => void (this.#version += 1);
    this.#informers = new Map(
      Object.entries(controllers).map(([kind, {type}]) => {
        // Selectors of the others do not change.
        const changed = kind === 'ReplicationController' ? {changed: isNew} : {};
        return [kind, new CacheInformer<never>(cache, type, {...changed, deleted: isNew, failed})];
      }),
    );
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#serviceInformer, ...this.#informers.values()].map((each) => each.start(signal)));
  }

  constraintsFor(shape: PodShape): readonly SpreadConstraint[] | undefined {
    const known = this.#known.get(shape);
    if (known?.version === this.#version) return known.constraints;
    const selects = this.#selectorOf(shape);
    const selecting = selects && remembered({}, selects);
    const constraints =
      selecting &&
      this.#keys.map(({key, maxSkew}) => ({
        topologyKey: key,
        maxSkew,
        selects: selecting,
        countsNothing: false,
        minDomains: 1,
        honorsAffinity: true,
        honorsTaints: false,
      }));
    // A workload that has only just been made may not be seen yet.
    if (constraints || !shape.controller) this.#known.set(shape, {version: this.#version, constraints});
    return constraints;
  }

  /** What selects the pods that belong with these; undefined if nothing does. */
  #selectorOf({namespace, labels, controller}: PodShape): ((labels: Labels) => boolean) | undefined {
    const wanted: Labels = {};
    for (const selector of this.#services.get(namespace)?.values() ?? [])
      if (labelsMatch(selector, labels)) Object.assign(wanted, selector);
    const own = controller && this.#ownSelector(namespace, controller);
    if (controller?.kind === 'ReplicationController' && own) Object.assign(wanted, own);
    const workload = own && controller?.kind !== 'ReplicationController' ? (own as LabelSelector) : undefined;
    if (Object.keys(wanted).length === 0 && !workload) return undefined;
    const ofWorkload = workload ? compileSelector(workload) : () => true;
    return (others) => labelsMatch(wanted, others) && ofWorkload(others);
  }

  #ownSelector(namespace: string, {kind, apiVersion, name}: NonNullable<PodShape['controller']>): unknown {
    if (controllers[kind as keyof typeof controllers]?.apiVersion !== apiVersion) return undefined;
    return (this.#informers.get(kind)?.getNow(name, namespace) as Selecting | undefined)?.spec?.selector;
  }

  #serviceChanged(key: string, failed: (key: string, error: unknown) => void): void {
    const [namespace, name] = splitObjectKey(key);
    try {
      const found = this.#serviceInformer.getNow(name, namespace) as Selecting | undefined;
      const selector = found?.spec?.selector as Labels | undefined;
      this.#setService(key, selector && Object.keys(selector).length > 0 ? {...selector} : undefined);
    } catch (error) {
      failed(key, error);
    }
  }

  #setService(key: string, selector: Labels | undefined): void {
    const [namespace, name] = splitObjectKey(key);
    const all = this.#services.get(namespace) ?? new Map<string, Labels>();
    if (JSON.stringify(all.get(name)) === JSON.stringify(selector)) return;
    if (selector) all.set(name, selector);
    else all.delete(name);
    if (all.size > 0) this.#services.set(namespace, all);
    else this.#services.delete(namespace);
    this.#version += 1;
  }
}
