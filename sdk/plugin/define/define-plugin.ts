import {inject} from '../inject.js';
import {recordContribution} from '../decorators.js';
import type {ConfigSchema, PluginManifest} from '../manifest.js';
import type {PluginContext} from '../plugin-context.js';
import {Tokens} from '../tokens.js';
import type {ContributedMembers, ContributionSource, PluginContribution} from './plugin-contribution.js';
import type {SettingsOf} from './settings-of.js';

/** What a manifest says of a plugin as a whole; what it contributes is the second parameter of `definePlugin`. */
export interface PluginHead<S extends ConfigSchema> extends Omit<
  PluginManifest,
  '$schema' | 'name' | 'version' | 'kernel' | 'entry' | 'contributes' | 'provides' | 'config' | 'lazy'
> {
  /** That of its package by default, without the scope; a plugin that belongs to a program needs one. */
  readonly name?: string;
  /** That of its package by default; `0.0.0` if there is none. */
  readonly version?: string;
  /** Range of kernel versions the plugin works with; any by default. */
  readonly kernel?: string;
  /** JSON schema of its settings. It gives `config` its type. */
  readonly config?: S;
  /** Makes settings of `configVersion` out of those of an earlier version. */
  readonly migrateConfig?: MigrateConfig;
  /** Folder that references to schema files are relative to (`import.meta.dirname`); without it, schemas are inline. */
  readonly folder?: string;
}

/**
 * Makes settings of the present `configVersion` out of those of an earlier one, in one step from whichever it is. A module with classes exports it under the name
 * `migrateConfig`. Called by `orch plugins upgrade`, which shows what it changes and asks.
 *
 * @param settings as the configuration has them; a copy
 * @param version the `configVersion` that they were written for
 * @throws Error with what the operator has to do, where they cannot be carried over
 */
export type MigrateConfig = (
  settings: Record<string, unknown>,
  version: number,
) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;

/** The version of a plugin that says none. */
export const noVersion = '0.0.0';

/** A plugin without a manifest file. */
export interface PluginDefinition {
  /** Without a name, it has that of its package. */
  readonly manifest: Omit<PluginManifest, 'name'> & {readonly name?: string};
  /** Classes by the names that the manifest has for them, as an entry module would export them. */
  readonly classes: Readonly<Record<string, unknown>>;
  readonly folder: string | undefined;
  readonly migrateConfig?: MigrateConfig | undefined;
}

const brand = Symbol.for('orch.plugin');

/**
 * A plugin as a value: for `createServer({plugins: [plugin]})`, or as the default export of a module that `--plugin` names. It becomes a manifest and
 * classes and is checked as those from files are.
 *
 * @example
 * export default definePlugin({name: 'quiet-hours', config: {type: 'object', properties: {until: {type: 'integer', default: 7}}}}, [
 *   defineAdmission({
 *     name: 'QuietHours',
 *     operations: ['CREATE'],
 *     create: ({config}) => ({validate({resource, name}) {
 *       if (new Date().getHours() < config.until) throw forbidden({...resource, name}, 'it is night');
 *     }}),
 *   }),
 * ]);
 * @throws TypeError for a value that is not a plugin; faults of the generated manifest are reported with those of files
 */
export function definePlugin<const S extends ConfigSchema = {readonly type: 'object'}>(
  head: PluginHead<S>,
  contributions: readonly PluginContribution<SettingsOf<NoInfer<S>>>[],
): PluginDefinition {
  checkParts(head, contributions);
  const {folder, migrateConfig, version = noVersion, kernel = '*', ...rest} = head;
  const classes: Record<string, unknown> = {};
  const classFor = (source: ContributionSource): string => {
    const name = freeName(source.name, classes);
    classes[name] = classOf(name, source);
    return name;
  };
  const contributes: Record<string, unknown[]> = {};
  for (const contribution of contributions) {
    for (const [member, entries] of Object.entries(contribution.contributes(classFor) as Required<ContributedMembers>))
      (contributes[member] ??= []).push(...entries);
  }
  const {provides, ...contributed} = contributes;
  const manifest = {...rest, version, kernel, ...(provides && {provides}), contributes: contributed} as PluginManifest;
  const definition: PluginDefinition = {manifest, classes, folder, migrateConfig};
  Object.defineProperty(definition, brand, {value: true});
  return definition;
}

/** Whether a value was made by `definePlugin`, of any loaded copy of this package. */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  return typeof value === 'object' && value !== null && brand in value;
}

function checkParts(head: unknown, contributions: unknown): void {
  if (typeof head !== 'object' || head === null) throw new TypeError('definePlugin needs an object with the name of the plugin first');
  const {name} = head as {readonly name?: unknown};
  const subject = typeof name === 'string' ? `definePlugin ${name}` : 'definePlugin';
  if (!Array.isArray(contributions)) throw new TypeError(`${subject} needs a list of contributions as its second parameter`);
  const wrong = contributions.findIndex((each) => typeof (each as {contributes?: unknown} | null | undefined)?.contributes !== 'function');
  if (wrong >= 0) throw new TypeError(`${subject}: contribution ${wrong + 1} was not made by one of the define… functions`);
}

/** A name that a manifest may have for a class: that of the contribution as far as possible. */
function freeName(wanted: string, taken: Readonly<Record<string, unknown>>): string {
  const base = wanted.replaceAll(/[^\w$]+/g, '_').replace(/^(?=\d)|^$/, '_');
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}_${count}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}

/** The class that the kernel constructs: what its constructor returns takes its place. */
function classOf(name: string, {kind, options, create}: ContributionSource): object {
  const constructor = {
    [name]: class {
      constructor(context: PluginContext<never>) {
        return made(create(context));
      }
    },
  }[name]!;
  inject(Tokens.Context as never)(constructor, undefined, 0 as never);
  recordContribution(kind, options)(constructor);
  return constructor;
}

/** @throws TypeError for what cannot do the work */
function made(instance: unknown): object {
  if (instance instanceof Promise) {
    // What it rejects with is not what is wrong.
    instance.catch(() => undefined);
    throw new TypeError('create returned a promise; it must return the object itself, and what takes time belongs into start');
  }
  if (typeof instance !== 'object' || instance === null)
    throw new TypeError(`create returned ${instance === null ? 'null' : typeof instance}, not an object`);
  return instance;
}
