import {BoundedCache} from '../cache/bounded-cache.js';
import {parseMediaType} from './media-type.js';

/** One media type that a client accepts. */
export interface AcceptClause {
  /** `type/subtype`; either may be `*`. */
  readonly essence: string;
  /** Without `q`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0 (not wanted) to 1. */
  readonly quality: number;
}

const parsed = new BoundedCache(parse);

/**
 * The clauses of an `Accept` header, the most wanted first; equally wanted ones in the order in which they stand. What cannot be read
 * is left out.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  return parsed.get(header);
}

function parse(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of splitOutsideQuotes(header)) {
    const mediaType = parseMediaType(part);
    if (mediaType === undefined) continue;
    const {q, ...parameters} = Object.fromEntries(mediaType.parameters);
    clauses.push({essence: mediaType.essence, parameters: new Map(Object.entries(parameters)), quality: qualityOf(q)});
  }
  return clauses.sort((a, b) => b.quality - a.quality);
}

function qualityOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const quality = /^[0-9]*\.?[0-9]*$/.test(text) && text !== '' && text !== '.' ? Number(text) : 1;
  return Math.min(quality, 1);
}

/** Splits at commas that are not inside a quoted parameter. */
function splitOutsideQuotes(header: string): string[] {
  if (!header.includes('"')) return header.split(',');
  return header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}
