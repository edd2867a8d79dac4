import type {ListOptions, ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import type {ApiList} from './api-object.js';

const pageSize = 500;

/**
 * The objects of a type, page by page. All pages are of one moment.
 *
 * @param namespace empty: all
 * @param options of the first page: which objects, how recent, how many in a page
 * @throws StatusError 404 if the type is not served, 410 if the pages were not read fast enough
 */
export async function* pagesOf(
  resources: Pick<ResourceClient, 'list'>,
  ref: ResourceRef,
  namespace: string,
  options: ListOptions = {},
): AsyncGenerator<ApiList> {
  const {resourceVersion: _version, ...same} = {limit: pageSize, ...options};
  for (let page = await resources.list(ref, namespace, {limit: pageSize, ...options}); ;) {
    yield page;
    const token = page.metadata.continue;
    if (!token) return;
    page = await resources.list(ref, namespace, {...same, continue: token});
  }
}
