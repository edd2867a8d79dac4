import type {ResourceCatalog} from '../../api/types/resource-catalog.js';

/** Definitions often come and go together, and a deleted one may be about to come back. */
const delayMillis = 5_000;

/** Calls `call` `delayMillis` after types have changed, at most once in that time. */
export function whenTypesGo(catalog: Pick<ResourceCatalog, 'onChange'>, call: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  catalog.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      call();
    }, delayMillis).unref();
  });
}
