import {StatusError} from '../errors/status-error.js';
import type {ListOptions, PageOptions} from './options.js';
import type {ListOf} from '../objects/resource-objects.js';

/** A page of a collection. */
export interface Page<T> extends ListOf<T> {
  /** The previous pages showed a state that is no longer available: this is the first page of a newer one. */
  readonly restarted?: true;
}

type ListCall<T> = (options: ListOptions) => Promise<ListOf<T>>;

/** After this many restarts the collection is fetched in one piece: its tokens expire faster than its pages can be read. */
const restartsBeforeWhole = 3;

/** Whether an error says that a version or token is too old to continue from. */
export function isExpired(error: unknown): boolean {
  return StatusError.is(error) && error.code === 410;
}

/**
 * The pages of a collection, all of one state.
 *
 * @throws StatusError; with code 410 only without `onExpired: 'restart'`, or if a requested exact version is no longer available
 */
export async function* pagesOf<T>(list: ListCall<T>, options: PageOptions): AsyncGenerator<Page<T>, void, undefined> {
  const {onExpired = 'throw', ...first} = options;
  let start: ListOptions = first;
  let token: string | undefined;
  let restarted = false;
  for (let restarts = 0; ;) {
    let page: ListOf<T>;
    try {
      page = await list(token === undefined ? start : {...withoutVersion(start), continue: token});
    } catch (error) {
      const fresh = freshStart(start, token);
      if (!isExpired(error) || onExpired === 'throw' || !fresh) throw error;
      restarts++;
      start = restarts < restartsBeforeWhole ? fresh : withoutLimit(fresh);
      token = undefined;
      restarted = true;
      continue;
    }
    yield restarted ? {...page, restarted: true} : page;
    restarted = false;
    token = page.metadata.continue || undefined;
    if (token === undefined) return;
  }
}

/** The whole collection, fetched in pages and joined. If its state expires in between, it is read again from the start. */
export async function listAll<T>(list: ListCall<T>, options: Omit<PageOptions, 'onExpired'>): Promise<ListOf<T>> {
  let whole: ListOf<T> | undefined;
  for await (const page of pagesOf(list, {...options, onExpired: 'restart'})) {
    if (!whole || page.restarted) {
      const {restarted: _restarted, ...plain} = page;
      whole = plain;
    } else {
      for (const item of page.items) whole.items.push(item);
    }
  }
  const {continue: _continue, remainingItemCount: _remaining, ...metadata} = whole!.metadata;
  return {...whole!, metadata};
}

/** How to start over, or undefined if that cannot help: an exact version that has expired stays expired. */
function freshStart(start: ListOptions, token: string | undefined): ListOptions | undefined {
  if (start.resourceVersionMatch === 'Exact') return undefined;
  // The most recent state is not older than any version, so a first page without a version cannot be too old.
  if (token === undefined && start.resourceVersion === undefined) return undefined;
  return withoutVersion(start);
}

function withoutVersion({resourceVersion: _version, resourceVersionMatch: _match, ...rest}: ListOptions): ListOptions {
  return rest;
}

function withoutLimit({limit: _limit, ...rest}: ListOptions): ListOptions {
  return rest;
}
