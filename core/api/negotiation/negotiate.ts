import {parseAccept, type AcceptClause} from './accept.js';

/**
 * A form in which a response can be sent. `as`, `group` and `version` name a transformation (`Table` of `meta.orch/v1`, in the spelling of
 * the naming profile); without them, the form is the object itself.
 */
export interface MediaOffer {
  /** `type/subtype` in lower case. */
  readonly mediaType: string;
  readonly as?: string;
  readonly group?: string;
  readonly version?: string;
  /** Whether the response is a stream, so that clauses with `stream=watch` match. */
  readonly stream?: boolean;
}

export interface Negotiated<T extends MediaOffer> {
  readonly offer: T;
  /** The parameters of the clause that matched: `includeObject`, `pretty`, `charset` and any others that were sent. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether the clause requests indented output with `pretty=1`. */
  readonly pretty: boolean;
}

const noParameters: ReadonlyMap<string, string> = new Map();

/**
 * Chooses an offer by an `Accept` header: the clause with the highest quality that matches any offer decides, and the first offer that it
 * matches is taken. Without a header the first offer is taken. Undefined if nothing matches (406).
 *
 * A wildcard may replace the whole media type or the subtype (`application/*`). Kubernetes accepts the latter for custom resources only.
 */
export function negotiate<T extends MediaOffer>(header: string | undefined, offers: readonly T[]): Negotiated<T> | undefined {
  if (header === undefined || header.trim() === '') {
    return offers[0] === undefined ? undefined : {offer: offers[0], parameters: noParameters, pretty: false};
  }
  for (const clause of parseAccept(header)) {
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
  if (as === undefined) return offer.as === undefined && !parameters.has('g') && !parameters.has('v');
  return as === offer.as && parameters.get('g') === offer.group && parameters.get('v') === offer.version;
}

function fitsMediaType(range: string, mediaType: string): boolean {
  if (range === mediaType || range === '*/*') return true;
  return range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1));
}

/** Whether a clause names one of these media types, or any at all, whatever more it asks for. */
export function acceptsOneOf(header: string, mediaTypes: readonly string[]): boolean {
  return parseAccept(header).some(({essence}) => essence === '*/*' || mediaTypes.includes(essence));
}

/** The media type that a clause names or allows, whatever more it asks for. */
export function mediaTypeFor(header: string, mediaTypes: readonly string[]): string | undefined {
  for (const {essence} of parseAccept(header)) {
    const found = mediaTypes.find((mediaType) => fitsMediaType(essence, mediaType));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The `Content-Type` of documents that are no resources: Kubernetes writes the parameters in another order there. */
export function transformedType({mediaType, as, group, version}: MediaOffer): string {
  return as === undefined ? mediaType : `${mediaType};g=${group};v=${version};as=${as}`;
}

/** An offer as written in a `Content-Type` header and in the message of a 406. */
export function offerText(offer: MediaOffer): string {
  const transformation = offer.as === undefined ? '' : `;as=${offer.as};v=${offer.version ?? ''};g=${offer.group ?? ''}`;
  return offer.mediaType + transformation;
}
