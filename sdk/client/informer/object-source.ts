import type {PageOptions, WatchOptions} from '../options.js';
import type {ListOf, ResourceEvent} from '../resource-objects.js';

/** Where an informer gets its objects: a `ResourceApi`. */
export interface ObjectSource<T> {
  listAll(options: Omit<PageOptions, 'onExpired'>): Promise<ListOf<T>>;
  watch(options: WatchOptions): AsyncIterable<ResourceEvent<T>>;
}
