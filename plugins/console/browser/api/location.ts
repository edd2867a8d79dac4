import {signal} from '@preact/signals';

/** Where the pages are below the server's root. */
const root = '/console/';

/** An address: the parts of its path below `/console/`, and its query. All that a view shows is in it, so that it can be shared. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export const place = signal<Place>(readPlace());
addEventListener('popstate', placeChanged);

/** The address is another one, without `goTo`. */
export function placeChanged(): void {
  place.value = readPlace();
}

function readPlace(): Place {
  const path = location.pathname.startsWith(root) ? location.pathname.slice(root.length) : '';
  return {
    parts: path.split('/').filter(Boolean).map(decodePart),
    query: Object.fromEntries(new URLSearchParams(location.search)),
  };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a place. Members of the query that are empty are left out. */
export function hrefOf(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `${root}${parts.map(encodeURIComponent).join('/')}${search}`;
}

export function goTo(href: string, {replace = false} = {}): void {
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(undefined, '', href);
  else history.pushState(undefined, '', href);
  place.value = readPlace();
}

/** Changes the query of the present place, without a step in the history. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const {parts, query} = place.value;
  goTo(hrefOf(parts, {...query, ...changes}), {replace: true});
}

/** Links of the console are followed without loading the page again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (!link || link.origin !== location.origin || !link.pathname.startsWith(root) || link.target !== '') return;
  event.preventDefault();
  goTo(link.pathname + link.search);
}
