import {
  inject,
  notFound,
  strategy,
  Tokens,
  virtualResource,
  type ApiObject,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {ComponentStatus} from '../../../sdk/types/unchecked/core/v1.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};
const storeName = 'store';

/** ComponentStatus: the health of the server's dependencies. The only one is its store; other programs report their own health. */
@virtualResource()
export class ComponentStatuses implements VirtualResource {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async get({name}: VirtualRequest): Promise<ApiObject> {
    if (name !== storeName) throw notFound({group: '', resource: 'componentstatuses', name});
    return this.#storeStatus();
  }

  async list(): Promise<ApiObject[]> {
    return [await this.#storeStatus()];
  }

  async #storeStatus(): Promise<ComponentStatus> {
    const object = {apiVersion: 'v1', kind: 'ComponentStatus', metadata: {name: storeName}};
    try {
      // A read of the most recent state must ask the store.
      await this.#resources.list(namespaces, '', {limit: 1});
      return {...object, conditions: [{type: 'Healthy', status: 'True', message: 'ok'}]};
    } catch (error) {
      return {...object, conditions: [{type: 'Healthy', status: 'False', error: error instanceof Error ? error.message : String(error)}]};
    }
  }
}

/** Cells of the Table of component statuses. */
@strategy()
export class ComponentStatusStrategy implements ResourceStrategy<ComponentStatus> {
  tableCells({conditions}: ComponentStatus): Record<string, string> {
    const health = conditions?.find(({type}) => type === 'Healthy');
    return {
      Status: health ? (health.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown',
      Message: health?.message ?? '',
      Error: health?.error ?? '',
    };
  }
}
