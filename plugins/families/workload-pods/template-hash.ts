import {hashText} from './hash-text.js';

/**
 * The hash of a pod template that goes into names and labels, as in Kubernetes 32 bits in letters and digits that form no words. Its value is another: Kubernetes hashes what its
 * structures look like in memory, which changes from one release to the next.
 *
 * @param collisions how often a name with the hash was taken already
 */
export function templateHash(template: object, collisions?: number): string {
  return hashText(template, collisions === undefined ? '' : String(collisions));
}
