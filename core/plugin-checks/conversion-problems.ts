import {
  isJsonObject,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type JsonObject,
  type JsonValue,
  type NamingProfile,
  type ResourceStrategy,
} from '../../sdk/index.js';
import {cloneJson} from '../api/json/clone-json.js';
import {equalJson} from '../../sdk/values/equal-json.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import {convertTo} from '../api/types/convert.js';
import type {ResourceType, ResourceTypeVersion} from '../api/types/resource-type.js';
import {Bindings} from '../kernel/bindings.js';
import {importEntry} from '../kernel/loading/import-entry.js';
import {kernelContainer, PluginContainer} from '../kernel/construction/plugin-container.js';
import {errorDetail} from '../kernel/error-detail.js';
import {KernelError, type KernelProblem} from '../kernel/kernel-error.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {silentLogger} from '../logs/silent-logger.js';
import {trialCatalog} from './check-contributions.js';
import {generatedObjects} from './generated-objects.js';
import {pluginSchema} from './plugin-schema.js';

/** Any; the same for all, so that a fault can be found again. */
const seed = 20_261_122;
const longestText = 60;

export interface ConversionChecks {
  readonly naming: NamingProfile;
  readonly release: string;
  readonly featureGates: FeatureGates;
}

/**
 * What gets lost when objects are converted between the versions of a type and back, for every pair of versions, as the server converts them. Tried on objects that
 * are made from the schemas. The strategies of these types are constructed for that, and nothing is started.
 *
 * @param own the plugins to check, whose manifests are right
 * @param all every plugin that there is
 */
export async function conversionProblems(
  own: readonly LoadedPlugin[],
  all: readonly LoadedPlugin[],
  {naming, release, featureGates}: ConversionChecks,
): Promise<KernelProblem[]> {
  const problems: KernelProblem[] = [];
  const several = own.filter(({manifest}) => (manifest.contributes?.resources ?? []).some(({versions}) => versions.length > 1));
  if (several.length === 0) return problems;
  const strategies = new Map<string, ResourceStrategy>();
  for (const plugin of several) {
    try {
      for (const [name, strategy] of await strategiesOf(plugin, naming, featureGates)) strategies.set(`${plugin.name} ${name}`, strategy);
    } catch (error) {
      if (!KernelError.is(error)) throw error;
      // A constructor may need a setting that only the operator has.
      if ((plugin.manifest.config?.required ?? []).length === 0) problems.push(...error.problems);
      return problems;
    }
  }
  const {schemas, catalog} = trialCatalog(all, naming, release, (plugin, name) => strategies.get(`${plugin} ${name}`));
  for (const plugin of several) {
    for (const [index, definition] of plugin.manifest.contributes!.resources!.entries()) {
      if (definition.versions.length < 2 || definition.handler !== undefined || definition.storedAs !== undefined) continue;
      const type = [...catalog.types()].find((each) => each.plugin === plugin.name && each.kind === definition.names.kind)!;
      const whole = (version: ResourceTypeVersion) =>
        pluginSchema(version.definition.schema as string | JsonSchema, plugin.folder, schemas).whole;
      const path = `contributes.resources[${index}].${definition.strategy === undefined ? 'versions' : 'strategy'}`;
      for (const detail of await typeFaults(type, whole))
        problems.push(serverProblem('CONTRIBUTION_INVALID', {detail}, {plugin: plugin.name, file: plugin.file, path}));
    }
  }
  return problems;
}

/** The strategies of a plugin by the names of their classes. @throws KernelError */
async function strategiesOf(
  plugin: LoadedPlugin,
  naming: NamingProfile,
  featureGates: FeatureGates,
): Promise<Map<string, ResourceStrategy>> {
  const found = new Map<string, ResourceStrategy>();
  if (!(plugin.manifest.contributes?.resources ?? []).some(({strategy}) => strategy !== undefined)) return found;
  const values = new Bindings();
  const own: readonly unknown[] = [Tokens.Config, Tokens.Context, Tokens.Logger, Tokens.FeatureGates];
  for (const token of Object.values(Tokens)) if (!own.includes(token)) values.value(token as never, anything);
  values.value(Tokens.Naming, naming);
  const container = new PluginContainer(kernelContainer(), plugin, {
    logger: silentLogger,
    featureGates,
    values,
  });
  for (const delivered of await importEntry(plugin))
    if (delivered.kind === 'strategy') found.set(delivered.class, container.construct(delivered) as ResourceStrategy);
  return found;
}

/** Stands for what constructors get and only keep: it can be called, and whatever is asked of it is the same again. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, key) => (key === 'then' || typeof key === 'symbol' ? undefined : anything),
  apply: () => anything,
});

/** One sentence for each pair of versions between which something is lost. */
async function typeFaults(type: ResourceType, whole: (version: ResourceTypeVersion) => JsonSchema): Promise<string[]> {
  const faults: string[] = [];
  for (const from of type.versions) {
    const objects = generatedObjects(from, whole(from), seed);
    for (const to of type.versions.filter((version) => version !== from)) {
      const fault = await pairFault(objects, from, to);
      if (fault !== undefined) faults.push(`a ${type.kind} ${fault} (generated with the seed ${seed})`);
    }
  }
  return faults;
}

async function pairFault(objects: readonly ApiObject[], from: ResourceTypeVersion, to: ResourceTypeVersion): Promise<string | undefined> {
  for (const object of objects) {
    let back: ApiObject;
    try {
      back = await roundTrip(object, from, to);
    } catch (error) {
      return `of ${from.name} cannot be converted to ${to.name} and back: ${errorDetail(error)}`;
    }
    const loss = firstLoss(object as unknown as JsonValue, back as unknown as JsonValue, '');
    if (loss)
      return `of ${from.name} that is converted to ${to.name} and back loses ${loss.path}: ${shown(loss.before)} becomes ${shown(loss.after)}`;
    const gain = firstGain(object as unknown as JsonValue, back as unknown as JsonValue, '');
    if (gain) return `of ${from.name} that is converted to ${to.name} and back gains ${gain.path}: ${shown(gain.after)}`;
  }
  return undefined;
}

async function roundTrip(object: ApiObject, from: ResourceTypeVersion, to: ResourceTypeVersion): Promise<ApiObject> {
  const there = cloneJson(await convertTo(cloneJson(object), to));
  to.schema.fillDefaults(there as unknown as JsonObject);
  const back = cloneJson(await convertTo(there, from));
  from.schema.decode(back as unknown as JsonObject, {unknown: []});
  from.schema.fillDefaults(back as unknown as JsonObject);
  return back;
}

interface Loss {
  readonly path: string;
  readonly before: JsonValue;
  readonly after: JsonValue | undefined;
}

/** The first value that is not there afterwards, or is another one. What has come besides is no loss. */
function firstLoss(before: JsonValue, after: JsonValue | undefined, path: string): Loss | undefined {
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const [name, value] of Object.entries(before)) {
      const loss = firstLoss(value as JsonValue, after[name], path === '' ? name : `${path}.${name}`);
      if (loss) return loss;
    }
    return undefined;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of before.entries()) {
      const loss = firstLoss(value, after[index], `${path}[${index}]`);
      if (loss) return loss;
    }
    return undefined;
  }
  return after !== undefined && equalJson(before, after) ? undefined : {path, before, after};
}

/** The first value that was not there before, unless it is empty: that is the same as nothing. Labels and annotations may come. */
function firstGain(before: JsonValue | undefined, after: JsonValue, path: string): Omit<Loss, 'before'> | undefined {
  if (path === 'metadata') return undefined;
  if (before === undefined) return isEmpty(after) ? undefined : {path, after};
  const inner: [string, JsonValue | undefined, JsonValue][] =
    isJsonObject(before) && isJsonObject(after)
      ? Object.entries(after).map(([name, value]) => [path === '' ? name : `${path}.${name}`, before[name], value as JsonValue])
      : Array.isArray(before) && Array.isArray(after)
        ? after.map((value, index) => [`${path}[${index}]`, before[index], value])
        : [];
  for (const [at, was, is] of inner) {
    const gain = firstGain(was, is, at);
    if (gain) return gain;
  }
  return undefined;
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isJsonObject(value) && Object.values(value).every((each) => isEmpty(each as JsonValue));
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
