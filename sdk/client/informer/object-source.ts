import type {PageOptions, WatchOptions} from '../options.js';
import type {ListOf, ResourceEvent} from '../../objects/resource-objects.js';

/** The source of an informer's objects: a `ResourceApi`. */
export interface ObjectSource<T> {
  listAll(options: Omit<PageOptions, 'onExpired'>): Promise<ListOf<T>>;
  watch(options: WatchOptions): AsyncIterable<ResourceEvent<T>>;
}
