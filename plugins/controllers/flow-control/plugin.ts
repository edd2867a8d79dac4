import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type Controller,
  type FlowControl,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {followObjects, systemClock} from '../../../sdk/controllers/index.js';
import type {FlowSchema} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';
import type {PriorityLevelConfiguration} from '../../families/flow-control/flow-types.js';
import {withSharesOf, zeroSharesAnnotation} from '../../families/flow-control/shares-field.js';
import {BuiltInKeeper, type KeptType} from './built-in-keeper.js';
import {builtInFlowSchemas, builtInPriorityLevels} from './built-in-objects.js';
import {DanglingConditions} from './dangling-conditions.js';
import {flowSchemaDefinition, priorityLevelDefinition} from './definitions.js';

const group = 'flowcontrol.apiserver.orch';
/** The first that the release has, from the one that is stored in the oldest release: reading it needs no conversion. */
const versions = ['v1beta2', 'v1', 'v1beta3'];
const schemasPlural = 'flowschemas';
const levelsPlural = 'prioritylevelconfigurations';
/** Delay before the built-in objects are checked again after a failure. */
const retryMillis = 1_000;

/** The watched objects of a type. */
class Followed<T extends ApiObject> {
  readonly objects = new Map<string, T>();
  complete = false;
}

/**
 * Applies the existing flow schemas and priority levels on every server of a store, and ensures that the built-in ones exist. The server
 * receives them through the contract `FlowControl`.
 */
@controller()
export class FlowControlController implements Controller {
  readonly #abort = new AbortController();
  readonly #schemas = new Followed<FlowSchema>();
  readonly #levels = new Followed<PriorityLevelConfiguration>();
  #running: Promise<unknown> = Promise.resolve();
  /** Maintains the built-in objects; set once that is possible. */
  #keep: () => Promise<void> = () => Promise.resolve();
  #keeping: Promise<void> | undefined;
  #callOffKeeping: () => void = () => undefined;
  /** Whether changes are about to be applied, and which objects are in effect. */
  #due = false;
  #inEffect = '';
  #settling: Promise<void> = Promise.resolve();
  readonly #resources: ResourceClient;
  readonly #flowControl: FlowControl;
  readonly #naming: NamingProfile;
  readonly #logger: Logger;
  readonly #config: Readonly<Record<string, unknown>>;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.FlowControl) flowControl: FlowControl,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#flowControl = flowControl;
    this.#naming = naming;
    this.#logger = logger;
    this.#config = config;
  }

  start(_signal: AbortSignal): Promise<void> {
    const version = this.#servedVersion();
    if (version === undefined) {
      this.#logger.info(
        {group: this.#naming.group(group)},
        'flow schemas and priority levels are not served: only the mandatory ones apply',
      );
      return Promise.resolve();
    }
    const ref = (resource: string): ResourceRef => ({group, version, resource});
    const dangling = new DanglingConditions(this.#resources, ref(schemasPlural), this.#logger);
    const settle = () => this.#settleSoon(dangling);
    this.#running = Promise.all([
      this.#follow(ref(schemasPlural), this.#schemas, settle, (name) => dangling.forget(name)),
      this.#follow(ref(levelsPlural), this.#levels, settle),
    ]);
    this.#keep = () => this.#keepBuiltIn(new BuiltInKeeper(this.#resources, this.#naming, version, this.#logger), ref);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#callOffKeeping();
    await this.#running;
    await this.#settling;
    await this.#keeping;
  }

  #servedVersion(): string | undefined {
    const name = this.#naming.group(group);
    const served = this.#resources.resources().filter((type) => type.group === name);
    return versions.find((version) =>
      [schemasPlural, levelsPlural].every((plural) => served.some((type) => type.version === version && type.resource === plural)),
    );
  }

  #follow<T extends ApiObject>(ref: ResourceRef, followed: Followed<T>, settle: () => void, gone?: (name: string) => void): Promise<void> {
    const {objects} = followed;
    return followObjects(
      this.#resources,
      ref,
      {
        listed: () => {
          followed.complete = true;
          settle();
        },
        changed: (object) => {
          objects.set(object.metadata.name!, object as T);
          settle();
        },
        deleted: ({metadata}) => {
          objects.delete(metadata.name!);
          gone?.(metadata.name!);
          settle();
        },
        failed: (error) => this.#logger.warn({err: error, resource: ref.resource}, 'flow control objects cannot be watched; retrying'),
      },
      this.#abort.signal,
    );
  }

  /** Changes that arrive together are applied together. */
  #settleSoon(dangling: DanglingConditions): void {
    if (this.#due || !this.#schemas.complete || !this.#levels.complete) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      if (this.#abort.signal.aborted) return;
      this.#putIntoEffect();
      this.#settling = this.#settling.then(() => this.#settleConditions(dangling));
      this.#keeping ??= this.#keep();
    });
  }

  /** Changes of metadata or status only are ignored. */
  #putIntoEffect(): void {
    const schemas = [...this.#schemas.objects.values()];
    const levels = [...this.#levels.objects.values()];
    const objects = [...schemas, ...levels].map(({metadata}) => `${metadata.name} ${metadata.uid} ${metadata.generation}`).join('\n');
    if (objects === this.#inEffect) return;
    this.#inEffect = objects;
    this.#flowControl.configure({
      flowSchemas: schemas.map(flowSchemaDefinition),
      priorityLevels: levels.map(priorityLevelDefinition),
    });
  }

  async #settleConditions(dangling: DanglingConditions): Promise<void> {
    if (!this.#flowControl.enabled) return;
    for (const schema of [...this.#schemas.objects.values()]) {
      if (this.#abort.signal.aborted) return;
      await dangling.settle(schema, this.#levels.objects.has(schema.spec?.priorityLevelConfiguration?.name ?? ''));
    }
  }

  async #keepBuiltIn(keeper: BuiltInKeeper, ref: (resource: string) => ResourceRef): Promise<void> {
    let pause = this.#config['keepMilliseconds'] as number;
    try {
      await keeper.ensure(levelsType(ref(levelsPlural), this.#levels.objects, this.#naming));
      await keeper.ensure(schemasType(ref(schemasPlural), this.#schemas.objects, this.#naming));
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      pause = Math.min(pause, retryMillis);
      this.#logger.warn({err: error}, 'built-in flow schemas and priority levels cannot be maintained; retrying');
    }
    if (this.#abort.signal.aborted) return;
    this.#callOffKeeping = (this.#resources.clock ?? systemClock).after(pause, () => {
      this.#keeping = this.#keep();
    });
  }
}

function levelsType(
  ref: ResourceRef,
  objects: ReadonlyMap<string, PriorityLevelConfiguration>,
  naming: NamingProfile,
): KeptType<PriorityLevelConfiguration> {
  return {
    ref,
    kind: 'PriorityLevelConfiguration',
    objects,
    builtIn: builtInPriorityLevels,
    convert: (object) => ({
      ...(withSharesOf(
        withoutNewer(object, ref.version),
        {group: '', version: ref.version},
        zeroSharesAnnotation(naming),
      ) as PriorityLevelConfiguration),
      apiVersion: object.apiVersion!,
    }),
    // What an exempt level reserves is left to operators.
    meaning: (object) => ({...priorityLevelDefinition(object), exempt: undefined}),
  };
}

/** The older versions are written by releases too that do not have the member `exempt`. */
function withoutNewer(object: PriorityLevelConfiguration, version: string): PriorityLevelConfiguration {
  if (version === 'v1' || !object.spec?.exempt) return object;
  const {exempt: _exempt, ...spec} = object.spec;
  return {...object, spec};
}

function schemasType(ref: ResourceRef, objects: ReadonlyMap<string, FlowSchema>, naming: NamingProfile): KeptType<FlowSchema> {
  return {
    ref,
    kind: 'FlowSchema',
    objects,
    builtIn: builtInFlowSchemas(naming),
    convert: (object) => object,
    meaning: flowSchemaDefinition,
  };
}
