import {
  groupResourceText,
  ifFound,
  pagesOf,
  StatusError,
  type ApiObject,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';

/** What remains in a namespace after a round of deletions. */
export interface NamespaceContent {
  /** Objects by resource type: `deployments.apps`, `pods.`. */
  readonly resources: ReadonlyMap<string, number>;
  /** Objects by the finalizer that holds them. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why something could not be deleted. */
  readonly failures: readonly string[];
  /** Group versions of which it is not known what they have. */
  readonly undiscovered: readonly string[];
}

/** How content is found and deleted. */
export type ContentClient = Pick<ResourceClient, 'resources' | 'list' | 'delete' | 'deleteCollection'>;

/** How many types are processed concurrently. */
const parallelTypes = 8;
const deleteOptions = {propagationPolicy: 'Background'} as const;

export function isEmpty(content: NamespaceContent): boolean {
  return content.resources.size === 0 && content.failures.length === 0 && content.undiscovered.length === 0;
}

/** What remains here and there together. */
export function joinedContent(here: NamespaceContent, there: NamespaceContent): NamespaceContent {
  const joined = new Map(here.finalizers);
  for (const [finalizer, number] of there.finalizers) joined.set(finalizer, (joined.get(finalizer) ?? 0) + number);
  return {
    resources: new Map([...here.resources, ...there.resources]),
    finalizers: joined,
    failures: [...here.failures, ...there.failures].sort(),
    undiscovered: [...here.undiscovered, ...there.undiscovered],
  };
}

/** Whether objects of a type are pods of this server, not those that an aggregated one shows. */
export function isPods({group, resource}: ServedResource): boolean {
  return group === '' && resource === 'pods';
}

/**
 * Deletes every object of every namespaced type in a namespace, and returns what remains because of finalizers or grace periods. A failure
 * for one type does not prevent the deletion of others.
 *
 * @param which the types to look at; all when it is not given
 */
export async function emptyNamespace(
  resources: ContentClient,
  namespace: string,
  which: (type: ServedResource) => boolean = () => true,
): Promise<NamespaceContent> {
  const types = namespacedTypes(resources.resources().filter(which));
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures: string[] = [];
  const worker = async (): Promise<void> => {
    for (let type = types.pop(); type !== undefined; type = types.pop()) {
      const name = groupResourceText(type);
      try {
        if (!(await deleteObjects(resources, type, namespace))) continue;
        for await (const {metadata} of objectsOf(resources, type, namespace)) {
          // Kubernetes writes the dot in front of the empty group, too.
          count(remaining, `${type.resource}.${type.group}`);
          for (const finalizer of metadata.finalizers ?? []) count(finalizers, finalizer);
        }
      } catch (error) {
        if (!isNotServed(error)) failures.push(`${name}: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({length: parallelTypes}, worker));
  return {resources: remaining, finalizers, failures: failures.sort(), undiscovered: []};
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The type was removed after the list of types was made, so it has no objects. */
function isNotServed(error: unknown): boolean {
  return StatusError.is(error) && (error.code === 404 || error.code === 405);
}

/** One version of every type whose objects can be found and deleted; which version makes no difference. */
function namespacedTypes(served: readonly ServedResource[]): ServedResource[] {
  const types = new Map<string, ServedResource>();
  for (const type of served) {
    const deletable = type.verbs.includes('deletecollection') || type.verbs.includes('delete');
    if (!type.namespaced || type.resource.includes('/') || !type.verbs.includes('list') || !deletable) continue;
    const key = `${type.group}/${type.resource}`;
    if (!types.has(key)) types.set(key, type);
  }
  return [...types.values()];
}

/** Requests the deletion of all objects of a type. Returns whether there were any. */
async function deleteObjects(resources: ContentClient, type: ServedResource, namespace: string): Promise<boolean> {
  const first = await resources.list(type, namespace, {limit: 1});
  if (first.items.length === 0) return false;
  if (type.verbs.includes('deletecollection')) {
    await resources.deleteCollection(type, namespace, deleteOptions);
    return true;
  }
  for await (const {metadata} of objectsOf(resources, type, namespace)) {
    await ifFound(resources.delete(type, namespace, metadata.name!, deleteOptions));
  }
  return true;
}

async function* objectsOf(resources: ContentClient, type: ServedResource, namespace: string): AsyncGenerator<ApiObject> {
  for await (const {items} of pagesOf(resources, type, namespace)) yield* items;
}
