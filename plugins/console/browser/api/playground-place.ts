import {hrefOf, place} from './location.js';
import {groupOfPart, groupPart} from './places.js';
import {trialKinds, type TrialKind} from './trials.js';
import type {ResourceType} from './types.js';

/** Characters of a text that go into the address. */
const longestText = 3000;

/** What the playground shows, as far as its address says it. */
export interface PlaygroundPlace {
  readonly group: string;
  readonly resource: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** Empty if no object was chosen. */
  readonly name: string;
  readonly kind: TrialKind;
  readonly text: string | undefined;
  /** A policy of the server whose expressions are tried. */
  readonly policy: string;
}

export function playgroundPlace(): PlaygroundPlace {
  const {parts, query} = place.value;
  const [, group = '', resource = '', namespace = '', name = ''] = parts;
  return {
    group: groupOfPart(group),
    resource,
    namespace: namespace === '-' ? '' : namespace,
    name,
    kind: trialKinds.find((kind) => kind === query['kind']) ?? 'expression',
    text: query['text'],
    policy: query['policy'] ?? '',
  };
}

/** The playground with an object. */
export function playgroundHref(
  {group, resource}: Pick<ResourceType, 'group' | 'resource'>,
  {namespace = '', name}: {readonly namespace?: string; readonly name: string},
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return hrefOf(['playground', groupPart(group), resource, namespace || '-', name], query);
}

/** A text as the address has it: one that is too long for that is left out. */
export function addressText(text: string): string {
  return text.length <= longestText ? text : '';
}
