import {StatusError, type ApiObject, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';

/** Objects of a page. */
const pageSize = 500;

/**
 * All objects of a type, page by page. Once the first page is too old to go on from, the rest is as it is by then: what has changed since may come twice or not at
 * all, and has been written by that.
 */
export async function* everyObject(resources: Pick<ResourceClient, 'list'>, ref: ResourceRef): AsyncGenerator<ApiObject> {
  let next: string | undefined;
  do {
    const page = await resources
      .list(ref, '', {limit: pageSize, ...(next === undefined ? {} : {continue: next})})
      .catch((error: unknown) => {
        const later = next === undefined ? undefined : laterToken(error);
        if (later === undefined) throw error;
        return resources.list(ref, '', {limit: pageSize, continue: later});
      });
    yield* page.items;
    next = page.metadata.continue;
  } while (next);
}

/** What a list that is too old to go on names in place of its token. */
function laterToken(error: unknown): string | undefined {
  if (!StatusError.is(error) || error.code !== 410) return undefined;
  return (error.toStatus().metadata as {readonly continue?: string} | undefined)?.continue;
}
