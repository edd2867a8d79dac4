import type {ServerResponse} from 'node:http';

/** Says that the answer depends on a header of the request, besides those that were named before. */
export function addVary(response: ServerResponse, name: string): void {
  const named = String(response.getHeader('Vary') ?? '');
  if (named.split(', ').includes(name)) return;
  response.setHeader('Vary', named === '' ? name : `${named}, ${name}`);
}
