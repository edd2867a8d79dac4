import type {ServerResponse} from 'node:http';

/** Declares that the response depends on a header of the request, in addition to those named before. */
export function addVary(response: ServerResponse, name: string): void {
  const named = String(response.getHeader('Vary') ?? '');
  if (named.split(', ').includes(name)) return;
  response.setHeader('Vary', named === '' ? name : `${named}, ${name}`);
}
