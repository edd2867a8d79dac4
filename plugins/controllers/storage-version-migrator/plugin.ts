import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type Clock,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import {MigrationRunner} from './migration-runner.js';
import {MigrationSteps} from './migration-steps.js';
import {migrationRef, typeKey, type Migration} from './migration.js';

const typePrefix = 'type:';
const migrationPrefix = 'migration:';

/**
 * Has the objects of a type written again for each StorageVersionMigration, so that all are stored as they would be now: in the storage version, by the schema
 * and with the key of today. One that was interrupted goes on after a restart: what was written since it began is left alone.
 */
@controller()
export class StorageVersionMigrator extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #clock: Clock;
  /** Migrations of a type run one after the other, and definitions learn of them. */
  readonly #inTurn: boolean;
  #steps: MigrationSteps | undefined;
  #runner: MigrationRunner | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: 5,
      figures: {metrics, name: 'storage-version-migrator-controller'},
      types: [],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#naming = naming;
    this.#clock = clock;
    this.#inTurn = gates.enabled('MigrationsInTurn');
  }

  override async start(signal: AbortSignal): Promise<void> {
    await super.start(signal);
    const ref = migrationRef(this.#resources, this.#naming);
    if (!ref) return;
    const parts = {resources: this.#resources, ref, clock: this.#clock, signal};
    this.#steps = new MigrationSteps({...parts, waitsForTurn: this.#inTurn});
    if (this.#inTurn) this.#runner = new MigrationRunner(parts);
    const typeOf = (object: ApiObject) => (this.#inTurn ? [`${typePrefix}${typeKey(object as Migration)}`] : []);
    this.follow({
      ref,
      startFromCache: true,
      changed: (object) => [...typeOf(object), `${migrationPrefix}${object.metadata.name}`],
      deleted: typeOf,
    });
  }

  #reconcile(key: string): Promise<WorkResult> {
    if (key.startsWith(typePrefix)) return this.#runner!.reconcile(key.slice(typePrefix.length));
    return this.#steps!.reconcile(key.slice(migrationPrefix.length));
  }
}
