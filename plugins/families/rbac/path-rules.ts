/**
 * Whether one of the given nonResourceURLs covers a path. `*` at the end covers any rest, and several there are as one; elsewhere a `*`
 * is an ordinary character. Decisions about requests and about what may be granted both go by this, so that nobody grants what he lacks.
 */
export function coveringPath(urls: readonly string[] | null | undefined): (path: string) => boolean {
  const exact = new Set(urls);
  const prefixes = [...exact].filter((url) => url.endsWith('*')).map(withoutStars);
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

function withoutStars(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '*') end -= 1;
  return url.slice(0, end);
}
