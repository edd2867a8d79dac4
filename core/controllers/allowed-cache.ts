import {
  pathNotFound,
  StatusError,
  type ApiObject,
  type AuthorizationAttributes,
  type CacheFollower,
  type ChangeBounds,
  type ObjectCache,
  type ObjectChanges,
  type ObjectInCache,
  type ResourceRef,
  type UserInfo,
} from '../../sdk/index.js';
import {refusal} from '../http/authorization/authorization.js';
import type {RegistryCache} from '../registry/local/registry-cache.js';
import type {ControllerAccess} from './controller-access.js';

/** The server's cache as a controller or another part of a plugin may use it: of types that its account, or for controllers the controller manager, may list and watch. */
export class AllowedCache implements ObjectCache {
  readonly #cache: RegistryCache;
  readonly #access: ControllerAccess;
  readonly #user: UserInfo;
  readonly #isEachRead: boolean;
  /** How often a type is followed now, which was allowed then. */
  readonly #following = new Map<string, number>();

  /** @param isEachRead whether reads of types that no informer follows yet are authorized too; controllers may read those anyway */
  constructor(cache: RegistryCache, access: ControllerAccess, user: UserInfo, isEachRead = false) {
    this.#isEachRead = isEachRead;
    this.#cache = cache;
    this.#access = access;
    this.#user = user;
  }

  /** Follows at once if that is allowed, otherwise as soon as it is. */
  follow(ref: ResourceRef, follower: CacheFollower, signal: AbortSignal): void {
    const question = this.#cache.attributes(ref, this.#user);
    if (!question) throw pathNotFound();
    const questions = ['list', 'watch'].map((verb) => ({...question, verb}));
    if (questions.every((each) => this.#access.allowsNow(each))) return this.#follow(question, ref, follower, signal);
    void this.#access.whenAllowed(questions, signal).then((isAllowed) => {
      if (!isAllowed) return;
      try {
        this.#follow(question, ref, follower, signal);
      } catch (error) {
        if (!StatusError.is(error) || error.code !== 404) throw error;
        follower.ended([]);
      }
    });
  }

  find(ref: ResourceRef, namespace: string, name: string): ObjectInCache | undefined {
    this.#requireReading(ref);
    return this.#cache.find(ref, namespace, name);
  }

  list(ref: ResourceRef, namespace: string): Iterable<ObjectInCache> {
    this.#requireReading(ref);
    return this.#cache.list(ref, namespace);
  }

  count(ref: ResourceRef): number | undefined {
    this.#requireReading(ref);
    return this.#cache.count(ref);
  }

  read(ref: ResourceRef, object: ObjectInCache): Readonly<ApiObject> | Promise<Readonly<ApiObject>> {
    this.#requireReading(ref);
    return this.#cache.read(ref, object);
  }

  async caughtUp(ref: ResourceRef): Promise<void> {
    this.#requireReading(ref);
    await this.#cache.caughtUp(ref);
  }

  async changes(ref: ResourceRef, namespace: string, name: string, bounds: ChangeBounds): Promise<ObjectChanges> {
    this.#requireReading(ref);
    return this.#cache.changes(ref, namespace, name, bounds);
  }

  onTypesChanged(call: () => void): () => void {
    return this.#cache.onTypesChanged(call);
  }

  #follow(question: AuthorizationAttributes, ref: ResourceRef, follower: CacheFollower, signal: AbortSignal): void {
    this.#cache.follow(ref, follower, signal);
    if (!this.#isEachRead || signal.aborted) return;
    const type = typeOf(question);
    const count = (more: number) => this.#following.set(type, (this.#following.get(type) ?? 0) + more);
    count(1);
    signal.addEventListener('abort', () => count(-1), {once: true});
  }

  /**
   * While authorizers that answer asynchronously have not decided, types that are followed may be read: the plugin has had their objects anyway.
   *
   * @throws StatusError 403
   */
  #requireReading(ref: ResourceRef): void {
    if (!this.#isEachRead) return;
    const question = this.#cache.attributes(ref, this.#user);
    if (!question) return;
    const isFollowed = (this.#following.get(typeOf(question)) ?? 0) > 0;
    if (!this.#access.allowsNow(question, isFollowed))
      throw refusal(question, 'the cache shows what may be listed, and where authorizers cannot answer at once what the plugin follows');
  }
}

function typeOf({group, resource}: AuthorizationAttributes): string {
  return `${resource}.${group}`;
}
