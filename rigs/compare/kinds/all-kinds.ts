import type {NamingProfile} from '../../../sdk/index.js';
import {Random} from '../../../test/helpers/random.js';
import type {CompareRequest, ComparedType} from '../compare-request.js';
import {makeRequests} from '../requests.js';
import {bodyRequests} from './bodies.js';
import {connectionRequests} from './connections.js';
import {deletionRequests} from './deletions.js';
import {metadataRequests} from './object-metadata.js';
import {optionRequests} from './options.js';
import {patchRequests} from './patches.js';
import {pathRequests} from './paths.js';
import {representationRequests} from './representations.js';
import {knownTypes, type MakeRequests} from './request-kind.js';
import {selectorRequests} from './selectors.js';
import {subresourceRequests} from './subresources.js';
import {updateRequests} from './updates.js';

/** How many requests of a kind are sent unless told otherwise. */
const shares: Readonly<Record<string, number>> = {
  objects: 5000,
  patches: 8000,
  updates: 4500,
  metadata: 3000,
  options: 3000,
  selectors: 1000,
  bodies: 3500,
  deletions: 800,
  subresources: 2000,
  connections: 400,
  paths: 1200,
  representations: 1000,
};

const makers: Readonly<Record<string, MakeRequests>> = {
  patches: patchRequests,
  updates: updateRequests,
  metadata: metadataRequests,
  options: optionRequests,
  selectors: selectorRequests,
  bodies: bodyRequests,
  deletions: deletionRequests,
  subresources: subresourceRequests,
  connections: connectionRequests,
  paths: pathRequests,
  representations: representationRequests,
};

export const requestKinds = Object.keys(shares);

/** The requests of a kind. The same types and seed give the same ones. None stores anything; many need the objects of `baseObject`. */
export function requestsOfKind(
  kind: string,
  types: readonly ComparedType[],
  naming: NamingProfile,
  seed: number,
  count = shares[kind]!,
): CompareRequest[] {
  const make = makers[kind];
  if (make === undefined) return makeRequests(types, naming, count, seed);
  const random = new Random(seed);
  const all = make({types: knownTypes(types, naming)});
  if (all.length <= count) return all;
  return random
    .shuffled(all.map((_one, at) => at))
    .slice(0, count)
    .toSorted((a, b) => a - b)
    .map((at) => all[at]!);
}
