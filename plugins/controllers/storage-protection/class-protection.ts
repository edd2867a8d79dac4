import {
  controller,
  inject,
  Tokens,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {objectKey, type FollowedType} from '../../../sdk/controllers/index.js';
import {claims, ClassUsers, classesOf, isClassUsed, volumes} from './class-users.js';
import {FinalizerKeeper} from './finalizer-keeper.js';

/** Best first: the releases serve different ones. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/**
 * Classes of the attributes of volumes that are being deleted are kept as long as a claim or a volume names them. These are followed from the first class on
 * that has to wait.
 */
@controller()
export class ClassProtection extends FinalizerKeeper {
  readonly #users = new ClassUsers();
  /** Classes that are being deleted and were used when they were last looked at. */
  readonly #waiting = new Set<string>();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      naming,
      logger,
      cache,
      figures: {metrics, name: 'vacprotection'},
      ref: {
        group: 'storage.orch',
        resource: 'volumeattributesclasses',
        get version() {
          return servedVersion(resources, naming);
        },
      },
      finalizer: naming.key('orch/vac-protection'),
      isUsed: async ({metadata}) => {
        const name = metadata.name!;
        // Before it is looked, so that a user that goes meanwhile is not missed.
        this.#waiting.add(name);
        this.#followUsers();
        const isUsed = await isClassUsed(resources, name);
        if (!isUsed) this.#waiting.delete(name);
        return isUsed;
      },
    });
  }

  #followUsers(): void {
    for (const ref of [claims, volumes]) this.follow(this.#typeOf(ref));
  }

  #typeOf(ref: ResourceRef): FollowedType {
    const waiting = (names: readonly string[]) => names.filter((name) => this.#waiting.has(name));
    const keyOf = (key: string) => `${ref.resource} ${key}`;
    return {
      ref,
      changed: (object) => waiting(this.#users.changed(keyOf(objectKey(object)), classesOf(object))),
      deleted: (object) => waiting([...this.#users.changed(keyOf(objectKey(object)), new Set()), ...classesOf(object)]),
      listed: () => [...this.#waiting],
    };
  }
}

function servedVersion(resources: ResourceClient, naming: NamingProfile): string {
  const group = naming.group('storage.orch');
  const served = resources.resources().filter((type) => type.group === group && type.resource === 'volumeattributesclasses');
  return versions.find((version) => served.some((type) => type.version === version)) ?? 'v1';
}
