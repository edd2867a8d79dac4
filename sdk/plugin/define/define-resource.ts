import type {ResourceDefinition, ResourceVersionDefinition, SubresourceDefinition} from '../../contracts/resource-definition.js';
import type {ResourceStrategy} from '../../contracts/strategy.js';
import type {VirtualResource} from '../../contracts/virtual-resource.js';
import {anything, checkOptions, method, needed, text, type OptionRules} from '../option-rules.js';
import type {PluginContext} from '../plugin-context.js';
import type {ContributionSource, Create, PluginContribution} from './plugin-contribution.js';

/** A resource type as in a manifest, with functions in place of the names of classes. */
export interface DefinedResource<C, R, H> extends Omit<ResourceDefinition, 'strategy' | 'handler' | 'versions'> {
  readonly versions: readonly DefinedVersion<C>[];
  /** What a schema cannot express. Its methods may name the type of the objects: `prepareForCreate(room: Room)`. */
  readonly strategy?: Create<C, R, ResourceStrategy>;
  /** Serves a type without stored objects. */
  readonly handler?: Create<C, H, VirtualResource>;
}

/** A version of a type as in a manifest. */
export interface DefinedVersion<C> extends Omit<ResourceVersionDefinition, 'subresources'> {
  readonly subresources?: Readonly<Record<string, DefinedSubresource<C>>>;
}

/** A subresource as in a manifest, with a function in place of the name of a class. */
export interface DefinedSubresource<C> extends Omit<SubresourceDefinition, 'handler'> {
  /** Performs the operation. */
  readonly handler?: (context: PluginContext<C>) => VirtualResource;
}

/**
 * A resource type.
 *
 * @throws TypeError for unknown members, and if no function is found; other faults are reported with those of manifests
 */
export function defineResource<C, R extends ResourceStrategy, H extends VirtualResource>(
  resource: DefinedResource<C, R, H>,
): PluginContribution<C> {
  checkResource(resource);
  const {strategy, handler, versions, ...type} = resource;
  const {kind} = type.names;
  return {
    contributes: (classFor) => {
      const strategyClass = (create: unknown) =>
        classFor({kind: 'strategy', name: `${kind}Strategy`, options: {}, create: create as Source});
      const handlerClass = (name: string, create: unknown) =>
        classFor({kind: 'virtualResource', name: `${kind}${name}`, options: {}, create: create as Source});
      const subresource = (name: string, {handler: own, ...rest}: DefinedSubresource<C>): SubresourceDefinition =>
        own ? {...rest, handler: handlerClass(`${name[0]?.toUpperCase()}${name.slice(1)}`, own)} : rest;
      const definition: ResourceDefinition = {
        ...type,
        ...(strategy && {strategy: strategyClass(strategy)}),
        ...(handler && {handler: handlerClass('Handler', handler)}),
        versions: versions.map(({subresources, ...version}) => ({
          ...version,
          ...(subresources && {
            subresources: Object.fromEntries(Object.entries(subresources).map(([name, each]) => [name, subresource(name, each)])),
          }),
        })),
      };
      return {resources: [definition]};
    },
  };
}

const resourceRules = {
  group: needed((value) => (typeof value === 'string' ? undefined : 'must be a text')),
  names: needed((value) => (typeof (value as {kind?: unknown} | null)?.kind === 'string' ? undefined : 'must have a kind')),
  scope: needed(text),
  versions: needed((value) =>
    Array.isArray(value) && value.length > 0 && value.every((version) => typeof version === 'object' && version !== null)
      ? undefined
      : 'must be a list of versions that is not empty',
  ),
  strategy: method,
  handler: method,
  behaviour: anything,
  verbs: anything,
  storedAs: anything,
  groupPriority: anything,
} satisfies OptionRules<keyof ResourceDefinition>;

function checkResource(resource: Pick<DefinedResource<never, never, never>, 'names' | 'versions'>): void {
  const kind: unknown = (resource as Partial<typeof resource> | undefined)?.names?.kind;
  const subject = typeof kind === 'string' ? `defineResource ${kind}` : 'defineResource';
  checkOptions(subject, resource, resourceRules);
  for (const {name: version, subresources} of resource.versions)
    for (const [name, subresource] of Object.entries(subresources ?? {})) {
      const {handler} = (subresource ?? {}) as {readonly handler?: unknown};
      const fault = handler === undefined ? undefined : method(handler);
      if (fault !== undefined) throw new TypeError(`${subject}: handler of ${version}/${name} ${fault}`);
    }
}

type Source = ContributionSource['create'];
