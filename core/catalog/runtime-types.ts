import {
  groupResourceText,
  type NamingProfile,
  type ResourceDefinition,
  type ResourceStrategy,
  type ResourceTypes,
  type VirtualResource,
} from '../../sdk/index.js';
import {encodeJson} from '../api/codec/json.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import {areShownAlike} from '../api/types/are-shown-alike.js';
import {ResourceType} from '../api/types/resource-type.js';
import {schemaMark} from '../api/types/schema-mark.js';
import type {Registry} from '../registry/registry.js';

/** What a running server offers to those that add types to it. */
export interface RuntimeTypesParts {
  readonly registry: Registry;
  readonly schemas: SchemaCatalog;
  readonly naming: NamingProfile;
}

/** Types that come and go while the server runs. They are of the same class as built-in ones and go through the same code. */
export class RuntimeTypes implements ResourceTypes {
  readonly #added = new Set<string>();
  readonly #parts: RuntimeTypesParts;
  readonly #plugin: string;

  constructor(parts: RuntimeTypesParts, plugin: string) {
    this.#parts = parts;
    this.#plugin = plugin;
  }

  set(
    definition: ResourceDefinition,
    strategy?: ResourceStrategy,
    isShown = true,
    handlers: Readonly<Record<string, VirtualResource>> = {},
  ): void {
    const {registry, schemas, naming} = this.#parts;
    const asGiven: NamingProfile = {...naming, group: (group) => group, key: (key) => naming.key(key)};
    const type = new ResourceType(definition, {
      naming: asGiven,
      plugin: this.#plugin,
      origin: 'custom',
      strategy: strategy && (() => strategy),
      handlerOf: (name) => (Object.hasOwn(handlers, name) ? handlers[name] : undefined),
      markSchema: ({name, schema: given}) => schemaMark(name, typeof given === 'string' ? given : encodeJson(given)),
      resolveSchema: (schema) => (typeof schema === 'string' ? schemas.schema(schema) : schemas.fromInline(schema as JsonSchema)),
    });
    if (!this.#added.has(type.qualifiedName) && registry.catalog.type(type.qualifiedName)) {
      throw new Error(`the resource type ${type.qualifiedName} is a built-in one`);
    }
    this.#added.add(type.qualifiedName);
    const before = registry.catalog.type(type.qualifiedName);
    registry.catalog.set(type, isShown);
    if (before && !areShownAlike(before, type)) registry.storage.renew(type.storageName);
  }

  show(group: string, plural: string): void {
    const name = groupResourceText({group, resource: plural});
    if (this.#added.has(name)) this.#parts.registry.catalog.show(name);
  }

  delete(group: string, plural: string): void {
    const {registry} = this.#parts;
    const name = groupResourceText({group, resource: plural});
    if (!this.#added.delete(name)) return;
    registry.catalog.delete(name);
    registry.storage.remove(name);
  }

  isBuiltIn(group: string, plural: string): boolean {
    const name = groupResourceText({group, resource: plural});
    return !this.#added.has(name) && this.#parts.registry.catalog.type(name) !== undefined;
  }
}
