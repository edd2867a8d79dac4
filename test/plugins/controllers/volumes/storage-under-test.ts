import type * as core from '@orch-api/orch/types/core/v1';
import type {StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';

/** Claims, volumes and classes of one test; those without a namespace have its mark. */
export class StorageUnderTest {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  name(name: string): string {
    return `${this.#context.namespace}-${name}`;
  }

  async storageClass(name: string, more: object = {}): Promise<string> {
    await this.send('post', '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: {name: this.name(name)},
      provisioner: 'simulate.orch/disk',
      ...more,
    });
    return this.name(name);
  }

  async volume(name: string, spec: object = {}, metadata: object = {}): Promise<string> {
    await this.send('post', '/api/v1/persistentvolumes', {
      metadata: {name: this.name(name), ...metadata},
      spec: {
        capacity: {storage: '1Gi'},
        accessModes: ['ReadWriteOnce'],
        storageClassName: this.#context.namespace,
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: {path: '/data'},
        ...spec,
      },
    });
    return this.name(name);
  }

  async claim(name: string, spec: object = {}, metadata: object = {}): Promise<core.PersistentVolumeClaim> {
    return this.send('post', this.#context.path('persistentvolumeclaims'), {
      metadata: {name, ...metadata},
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: this.#context.namespace,
        resources: {requests: {storage: '1Gi'}},
        ...spec,
      },
    });
  }

  async send<T>(verb: 'post' | 'patch', path: string, body: object): Promise<T> {
    const answer = await this.#context.client[verb](path, body);
    if (answer.status >= 300) throw new Error(`${verb} ${path}: ${answer.status} ${answer.body.toString()}`);
    return answer.json<T>();
  }

  change(name: string, body: object): Promise<core.PersistentVolumeClaim> {
    return this.send('patch', `${this.#context.path('persistentvolumeclaims')}/${name}`, body);
  }

  async remove(name: string): Promise<void> {
    await this.#context.client.delete(`${this.#context.path('persistentvolumeclaims')}/${name}`);
  }

  /** The claim, once it is as wanted. */
  claimUntil(name: string, isWanted: (claim: core.PersistentVolumeClaim) => boolean): Promise<core.PersistentVolumeClaim> {
    const path = `${this.#context.path('persistentvolumeclaims')}/${name}`;
    return eventually(
      async () => (await this.#context.client.get(path)).json<core.PersistentVolumeClaim>(),
      (claim) => claim.kind === 'PersistentVolumeClaim' && isWanted(claim),
    );
  }

  bound(name: string): Promise<core.PersistentVolumeClaim> {
    return this.claimUntil(name, ({status}) => status?.phase === 'Bound');
  }

  /** The volume of a full name, once it is as wanted; undefined if it is gone. */
  volumeUntil(name: string, isWanted: (volume: core.PersistentVolume | undefined) => boolean): Promise<core.PersistentVolume | undefined> {
    return eventually(async () => {
      const answer = await this.#context.client.get(`/api/v1/persistentvolumes/${name}`);
      return answer.status === 404 ? undefined : answer.json<core.PersistentVolume>();
    }, isWanted);
  }

  /** Events about objects of a name, once there is one with a reason, as `TYPE REASON MESSAGE`. */
  async events(name: string, reason: string, namespace = this.#context.namespace): Promise<string[]> {
    const found = await eventually(
      async () => (await this.#context.client.get(`/api/v1/namespaces/${namespace}/events`)).json<{items: core.Event[]}>().items,
      (events) => events.some((event) => event.reason === reason && event.involvedObject.name === name),
    );
    return found
      .filter(({involvedObject}) => involvedObject.name === name)
      .map((event) => `${event.type} ${event.reason} ${event.message}`);
  }
}
