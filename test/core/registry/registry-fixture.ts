import type {ExecutionContext} from 'ava';
import {orch} from '../../../core/api/naming/orch.js';
import {SchemaCatalog, readSchemaFile} from '../../../core/api/object-schema/schema-catalog.js';
import type {JsonSchema} from '../../../core/api/schema/json-schema.js';
import {ResourceCatalog} from '../../../core/api/types/resource-catalog.js';
import {ResourceType} from '../../../core/api/types/resource-type.js';
import {Registry, type RegistrySettings} from '../../../core/registry/registry.js';
import {RequestTask} from '../../../core/registry/request-task.js';
import type {BodySource, DecodedBody, WriteContext} from '../../../core/registry/request-context.js';
import type {Resource} from '../../../core/registry/resource.js';
import {AdmissionChain, type AdmissionPlugin} from '../../../core/registry/admission/admission-chain.js';
import type {
  AdmissionController,
  AdmissionOperation,
  ApiObject,
  ResourceDefinition,
  ResourceStrategy,
  Store,
  VirtualResource,
} from '../../../sdk/index.js';
import {memoryStore, startStorage, TestClock} from '../storage/support.js';
import {testTask} from '../../helpers/test-task.js';

const any: JsonSchema = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: {type: 'string', default: 'small', maxLength: 20},
        replicas: {type: 'integer'},
        parts: {type: 'array', items: any},
      },
    },
    status: any,
  },
};
const pipeSchema: JsonSchema = {
  type: 'object',
  properties: {
    path: {type: 'string'},
    loud: {type: 'boolean'},
    words: {type: 'array', items: {type: 'string'}},
    width: {type: 'integer'},
  },
};

const widgets: ResourceDefinition = {
  group: 'example.com',
  names: {plural: 'widgets', kind: 'Widget'},
  scope: 'Namespaced',
  behaviour: {generation: 'spec'},
  strategy: 'Widgets',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: schema as never,
      subresources: {
        status: {writes: ['status']},
        scale: {},
        echo: {
          verbs: ['create'],
          kind: {group: 'example.com', version: 'v1', kind: 'Echo'},
          schema: schema as never,
          handler: 'Echo',
        },
        pipe: {
          verbs: ['get'],
          kind: {group: 'example.com', version: 'v1', kind: 'PipeOptions'},
          schema: pipeSchema as never,
          handler: 'Pipe',
          connect: true,
        },
      },
    },
  ],
};

/** What a test wants to be different. */
export interface RegistryOptions {
  readonly strategy?: ResourceStrategy;
  readonly admission?: readonly (AdmissionController & {readonly operations?: readonly AdmissionOperation[]})[];
  readonly handlers?: Readonly<Record<string, VirtualResource>>;
  readonly definition?: Partial<ResourceDefinition>;
  readonly settings?: Partial<RegistrySettings>;
  /** A store of its own in memory by default. */
  readonly store?: Store;
}

/** A registry of its own: one type, on a store in memory. */
export interface TestRegistry {
  readonly registry: Registry;
  /** The widgets, or a subresource of theirs. */
  resource(subresource?: string): Resource;
  /** Makes a widget, and returns it. */
  make(name: string, more?: object): Promise<ApiObject>;
  /** A widget as it is stored now; undefined when there is none. */
  read(name: string): Promise<ApiObject | undefined>;
}

/** The namespace in which tests have their widgets. */
export const namespace = 'default';

export async function startRegistry(t: ExecutionContext, options: RegistryOptions = {}): Promise<TestRegistry> {
  const clock = new TestClock();
  const storage = await startStorage(t, options.store ?? (await memoryStore(t)), {clock: clock.now});
  const schemas = new SchemaCatalog();
  schemas.add('autoscaling/v1', () => readSchemaFile(new URL('../../../sdk/schemas/autoscaling.v1.json', import.meta.url)));
  const type = new ResourceType(
    {...widgets, ...options.definition},
    {
      naming: orch,
      plugin: 'test',
      resolveSchema: (wanted) => (typeof wanted === 'string' ? schemas.schema(wanted) : schemas.fromInline(wanted as JsonSchema)),
      markSchema: () => 1,
      strategy: () => options.strategy,
      handlerOf: (name) => options.handlers?.[name],
    },
  );
  const catalog = new ResourceCatalog();
  catalog.set(type);
  const plugins = (options.admission ?? []).map((instance, index): AdmissionPlugin => {
    const {operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']} = instance;
    return {name: `controller-${index}`, options: {operations, order: index}, instance};
  });
  const settings = {naming: orch, maximumObjectBytes: 1_500_000, clock: clock.now, ...options.settings};
  const admission = new AdmissionChain(orch);
  admission.install(plugins);
  const registry = new Registry(catalog, storage, admission, settings);
  const resource = (subresource = '') => registry.resource(type.versions[0]!, subresource)!;
  return {
    registry,
    resource,
    async make(name, more = {}) {
      const {result} = await resource().create({namespace, name: ''}, bodySource(widget(name, more)), context());
      return result.object();
    },
    async read(name) {
      return (await resource().served.storage.get(namespace, name, 'recent'))?.object();
    },
  };
}

export function widget(name: string, more: object = {}): ApiObject {
  return {apiVersion: 'example.com/v1', kind: 'Widget', metadata: {name}, ...more};
}

/** A body as a codec delivers it; each is the caller's own. */
export function body(value: unknown): DecodedBody {
  return {value: structuredClone(value), duplicates: []};
}

/** The same as a client sends it, for as many attempts as a write makes. */
export function bodySource(value: unknown): BodySource {
  // oxlint-disable-next-line require-yield -- there is nothing to read
  return function* () {
    return body(value);
  };
}

/** Circumstances of a write whose warnings and annotations end up in the given lists. */
export function context(more: Partial<WriteContext> & {warnings?: string[]; annotations?: string[]} = {}): WriteContext {
  const {warnings, annotations, ...rest} = more;
  return {
    user: {username: 'tester', groups: []},
    dryRun: false,
    fieldManager: 'tester',
    fieldValidation: 'Strict',
    given: {},
    warn: (text) => void warnings?.push(text),
    annotate: (key, value) => void annotations?.push(`${key}=${value}`),
    task: new RequestTask(testTask()),
    ...rest,
  };
}
