import type {ApiObject, Logger, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer} from '../../../../sdk/controllers/index.js';
import {namespaced} from '../../../../sdk/types/resource-handle.js';
import type {ConfigMap, Container, Pod, Secret} from '../../../../sdk/types/unchecked/core/v1.js';
import {mountedVolumes} from './mounted-volumes.js';
import {environmentFault, hasSources, missingPullSecrets, volumeFault, type FindSource, type SourceKind} from './source-faults.js';
import {WaitingPods} from './waiting-pods.js';

const configMapType = namespaced<ConfigMap & ApiObject>('', 'v1', 'configmaps', 'ConfigMap');
const secretType = namespaced<Secret & ApiObject>('', 'v1', 'secrets', 'Secret');

/** A volume that cannot be mounted. */
export interface MountFault {
  readonly volume: string;
  /** In the kubelet's words. */
  readonly text: string;
}

/** What one look at a pod finds of the ConfigMaps and Secrets that it refers to. */
export interface SourcesOfPod {
  /** Volumes that cannot be made. */
  readonly mounts: readonly MountFault[];
  /** Secrets for pulling images that are not there: the images may be pulled without. */
  readonly pullSecrets: readonly string[];
  /** Why a container cannot be created; undefined if it can. */
  environment(container: Container): string | undefined;
}

const nothing: SourcesOfPod = {mounts: [], pullSecrets: [], environment: () => undefined};

/** The ConfigMaps and Secrets of pods. They are followed from the first pod on that refers to any. */
export class PodSources {
  readonly #followed: Readonly<Record<SourceKind, CacheInformer<ApiObject & ConfigMap> | CacheInformer<ApiObject & Secret>>>;
  readonly #published: string;
  readonly #waiting = new WaitingPods();
  #signal: AbortSignal | undefined;
  #known: Promise<void> | undefined;
  #isKnown = false;

  /**
   * @param published the ConfigMap with the server's CA: it is in every namespace of a cluster, so that nobody misses it, nor looks for it
   * @param changed called with the key of a pod that may lack nothing any more
   */
  constructor(cache: ObjectCache, published: string, changed: (key: string) => void, logger: Logger) {
    this.#published = published;
    const options = (kind: SourceKind) => ({
      changed: (key: string) => {
        for (const pod of this.#waiting.of(`${kind} ${key}`)) changed(pod);
      },
      failed: (key: string, err: unknown) => logger.warn({key, err}, 'what a pod refers to cannot be read'),
    });
    this.#followed = {
      configmap: new CacheInformer(cache, configMapType, options('configmap')),
      secret: new CacheInformer(cache, secretType, options('secret')),
    };
  }

  /** Nothing is followed after the signal. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
  }

  /** Resolves when what a pod refers to is known; undefined if it is, or if it refers to nothing. */
  known({spec = {}}: Pod): Promise<unknown> | undefined {
    const signal = this.#signal;
    if (this.#isKnown || !signal || !hasSources(spec, this.#published)) return undefined;
    this.#known ??= Promise.all(Object.values(this.#followed).map((informer) => informer.start(signal))).then(() => {
      this.#isKnown = true;
    });
    return this.#known;
  }

  /**
   * What is missing for a pod, which is looked at again when that may have changed. Not before it is known.
   *
   * @param hasBegun whether its volumes have been there
   */
  of(key: string, {metadata, spec = {}}: Pod, hasBegun: boolean): SourcesOfPod {
    this.#waiting.set(key, []);
    if (!hasSources(spec, this.#published)) return nothing;
    const {namespace = ''} = metadata;
    const asked = new Set<string>();
    const find: FindSource = (kind, name) => {
      if (kind === 'configmap' && name === this.#published) return 'published';
      asked.add(`${kind} ${namespace}/${name}`);
      return this.#followed[kind].getNow(name, namespace);
    };
    const mounts = (hasBegun ? [] : mountedVolumes(spec)).flatMap((volume) => {
      const {name = ''} = volume;
      const fault = volumeFault(volume, find);
      return fault === undefined ? [] : [{volume: name, text: `MountVolume.SetUp failed for volume "${name}" : ${fault}`}];
    });
    if (mounts.length > 0) this.#waiting.set(key, [...asked]);
    return {
      mounts,
      // Nothing waits for them.
      pullSecrets: missingPullSecrets(spec, (kind, name) => this.#followed[kind].getNow(name, namespace)),
      environment: (container) => {
        const fault = environmentFault(container, namespace, find);
        if (fault !== undefined) this.#waiting.set(key, [...asked]);
        return fault;
      },
    };
  }

  /** A pod waits no more, or is gone. */
  forget(key: string): void {
    this.#waiting.set(key, []);
  }
}
