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
  '$schema' | 'version' | 'kernel' | 'entry' | 'contributes' | 'provides' | 'config' | 'lazy'
> {
  /** `0.0.0` by default: a plugin that belongs to a program needs none of its own. */
  readonly version?: string;
  /** Range of kernel versions the plugin works with; any by default. */
  readonly kernel?: string;
  /** JSON schema of its settings. It gives `config` its type. */
  readonly config?: S;
  /** Folder that references to schema files are relative to (`import.meta.dirname`); without it, schemas are inline. */
  readonly folder?: string;
}

/** A plugin without a manifest file. */
export interface PluginDefinition {
  readonly manifest: PluginManifest;
  /** Classes by the names that the manifest has for them, as an entry module would export them. */
  readonly classes: Readonly<Record<string, unknown>>;
  readonly folder: string | undefined;
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
 */
export function definePlugin<const S extends ConfigSchema = {readonly type: 'object'}>(
  head: PluginHead<S>,
  contributions: readonly PluginContribution<SettingsOf<NoInfer<S>>>[],
): PluginDefinition {
  const {folder, version = '0.0.0', kernel = '*', ...rest} = head;
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
  const definition: PluginDefinition = {manifest, classes, folder};
  Object.defineProperty(definition, brand, {value: true});
  return definition;
}

/** Whether a value was made by `definePlugin`, of any loaded copy of this package. */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  return typeof value === 'object' && value !== null && brand in value;
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
  const made = {
    [name]: class {
      constructor(context: PluginContext<never>) {
        return create(context);
      }
    },
  }[name]!;
  inject(Tokens.Context as never)(made, undefined, 0 as never);
  recordContribution(kind, options)(made);
  return made;
}
