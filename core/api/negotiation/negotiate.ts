import {parseAccept, type AcceptClause} from './accept.js';

/**
 * A form in which a response can be given. `as`, `group` and `version` tell a transformation (`Table` of `meta.orch/v1`, in the spelling of the
 * naming profile); a form without them is the object as it is.
 */
export interface MediaOffer {
  /** `type/subtype` in lower case. */
  readonly mediaType: string;
  readonly as?: string;
  readonly group?: string;
  readonly version?: string;
  /** Whether the response is a stream, so that clauses with `stream=watch` fit. */
  readonly stream?: boolean;
}

export interface Negotiated<T extends MediaOffer> {
  readonly offer: T;
  /** The parameters of the clause that decided: `includeObject`, `pretty`, `charset` and whatever else was sent. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether the clause asks for an indented form with `pretty=1`. */
  readonly pretty: boolean;
}

const noParameters: ReadonlyMap<string, string> = new Map();

/**
 * Chooses among offers by an `Accept` header: the most wanted clause that fits any offer decides, and of the offers
 * that fit it the first. Without a header the first offer is taken. Undefined when nothing fits (406).
 *
 * A wildcard may stand for the whole media type or for the subtype (`application/*`). Kubernetes takes the latter for custom resources only.
 */
export function negotiate<T extends MediaOffer>(header: string | undefined, offers: readonly T[]): Negotiated<T> | undefined {
  if (header === undefined || header.trim() === '') {
    return offers[0] === undefined ? undefined : {offer: offers[0], parameters: noParameters, pretty: false};
  }
  for (const clause of parseAccept(header)) {
    if (clause.quality === 0) break;
    const offer = offers.find((candidate) => fits(clause, candidate));
    if (offer !== undefined) return {offer, parameters: clause.parameters, pretty: clause.parameters.get('pretty') === '1'};
  }
  return undefined;
}

function fits(clause: AcceptClause, offer: MediaOffer): boolean {
  if (!fitsMediaType(clause.essence, offer.mediaType)) return false;
  const {parameters} = clause;
  if (parameters.size === 0) return offer.as === undefined;
  const stream = parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || offer.stream !== true)) return false;
  const as = parameters.get('as');
  if (as === undefined) return offer.as === undefined;
  return as === offer.as && parameters.get('g') === offer.group && parameters.get('v') === offer.version;
}

function fitsMediaType(range: string, mediaType: string): boolean {
  if (range === mediaType || range === '*/*') return true;
  return range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1));
}

/** How an offer is written in a `Content-Type` header and in the message of a 406. */
export function offerText(offer: MediaOffer): string {
  const transformation = offer.as === undefined ? '' : `;as=${offer.as};v=${offer.version ?? ''};g=${offer.group ?? ''}`;
  return offer.mediaType + transformation;
}
