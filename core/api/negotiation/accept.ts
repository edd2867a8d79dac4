import {BoundedCache} from '../cache/bounded-cache.js';
import {parseMediaType} from './media-type.js';
import {splitOutsideQuotes} from './split-outside-quotes.js';

/** A media type that a client accepts. */
export interface AcceptClause {
  /** `type/subtype`; either may be `*`. */
  readonly essence: string;
  /** Without `q`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0 (unacceptable) to 1. */
  readonly quality: number;
}

const parsed = new BoundedCache(parse);

/** The clauses of an `Accept` header by descending quality; clauses of equal quality keep their order. Malformed clauses are left out. */
export function parseAccept(header: string): readonly AcceptClause[] {
  return parsed.get(header);
}

function parse(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of splitOutsideQuotes(header, ',')) {
    const mediaType = parseMediaType(part);
    if (mediaType === undefined) continue;
    const parameters = new Map(mediaType.parameters);
    const quality = qualityOf(parameters.get('q'));
    parameters.delete('q');
    clauses.push({essence: mediaType.essence, parameters, quality});
  }
  return clauses.sort((a, b) => b.quality - a.quality);
}

function qualityOf(text: string | undefined): number {
  if (text === undefined) return 1;
  // A malformed quality counts as none.
  return /^[0-9](\.[0-9]*)?$|^\.[0-9]+$/.test(text) ? Math.min(Number(text), 1) : 1;
}
