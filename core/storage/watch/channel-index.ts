import type {WatchChannel} from './watch-channel.js';

/** Finds the channels of an event by its key, so that many watches of single objects do not slow down the others. */
export class ChannelIndex {
  readonly #byId = new Map<string, WatchChannel>();
  readonly #everywhere = new Set<WatchChannel>();
  readonly #byNamespace = new Map<string, Set<WatchChannel>>();
  readonly #byKey = new Map<string, Set<WatchChannel>>();
  readonly #namespaced: boolean;

  constructor(namespaced: boolean) {
    this.#namespaced = namespaced;
  }

  get(id: string): WatchChannel | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<WatchChannel> {
    return this.#byId.values();
  }

  get empty(): boolean {
    return this.#byId.size === 0;
  }

  add(channel: WatchChannel): void {
    this.#byId.set(channel.id, channel);
    const {selector} = channel;
    const key = selector.key(this.#namespaced);
    if (key !== undefined) put(this.#byKey, key, channel);
    else if (selector.namespace !== undefined) put(this.#byNamespace, selector.namespace, channel);
    else this.#everywhere.add(channel);
  }

  remove(channel: WatchChannel): void {
    this.#byId.delete(channel.id);
    this.#everywhere.delete(channel);
    const {selector} = channel;
    if (selector.namespace !== undefined) take(this.#byNamespace, selector.namespace, channel);
    const key = selector.key(this.#namespaced);
    if (key !== undefined) take(this.#byKey, key, channel);
  }

  /** Calls `visit` for each channel whose range of keys holds `key`. */
  visit(key: string, visit: (channel: WatchChannel) => void): void {
    this.#everywhere.forEach(visit);
    if (this.#byNamespace.size > 0) this.#byNamespace.get(key.slice(0, Math.max(0, key.indexOf('/'))))?.forEach(visit);
    if (this.#byKey.size > 0) this.#byKey.get(key)?.forEach(visit);
  }
}

function put(map: Map<string, Set<WatchChannel>>, key: string, channel: WatchChannel): void {
  const channels = map.get(key);
  if (channels) channels.add(channel);
  else map.set(key, new Set([channel]));
}

function take(map: Map<string, Set<WatchChannel>>, key: string, channel: WatchChannel): void {
  const channels = map.get(key);
  channels?.delete(channel);
  if (channels?.size === 0) map.delete(key);
}
