import {notAcceptable, type NamingProfile} from '../../../sdk/index.js';
import {acceptsOneOf, negotiate, type MediaOffer} from '../../api/negotiation/negotiate.js';
import {parseIncludeObject, type IncludeObject} from '../../api/table/build-table.js';
import type {ObjectSchema} from '../../api/object-schema/object-schema.js';
import {cborMediaType, cborSequence} from '../../api/negotiation/cbor-media-types.js';
import type {Exchange} from '../request/exchange.js';
import {noRepresentation} from '../response/http-errors.js';
import {wantsPretty} from '../options/pretty.js';

/** The form in which objects are returned: as they are (text or binary), as rows of a Table, or only their metadata. */
export type Form = 'json' | 'yaml' | 'protobuf' | 'cbor' | 'table' | 'metadata';

export interface FormOffer extends MediaOffer {
  readonly form: Form;
  /** Whether it is the protobuf form, of objects or of their metadata. */
  readonly isProtobuf?: boolean;
}

/** What a client wants its response to be. */
export interface Representation {
  readonly offer: FormOffer;
  readonly contentType: string;
  readonly pretty: boolean;
  readonly includeObject: IncludeObject;
  readonly naming: NamingProfile;
}

/** Streaming media types are also accepted for responses that are a single document, as in Kubernetes. */
const json: FormOffer = {form: 'json', mediaType: 'application/json', stream: true};
const yaml: FormOffer = {form: 'yaml', mediaType: 'application/yaml'};
const cbor: FormOffer = {form: 'cbor', mediaType: cborMediaType, stream: true};

interface OfferSets {
  /** For kinds that have no Table and no metadata-only form. */
  readonly bare: readonly FormOffer[];
  readonly object: readonly FormOffer[];
  readonly list: readonly FormOffer[];
  readonly watch: readonly FormOffer[];
}

const offerSets = {plain: new WeakMap<NamingProfile, OfferSets>(), cbor: new WeakMap<NamingProfile, OfferSets>()} as const;

/** The forms in which a type is offered, in order of preference. */
function offersOf(naming: NamingProfile, hasCbor: boolean): OfferSets {
  const known = hasCbor ? offerSets.cbor : offerSets.plain;
  let sets = known.get(naming);
  if (!sets) {
    const group = naming.group('meta.orch');
    const binary: FormOffer = {form: 'protobuf', mediaType: naming.protobufMediaType, stream: true, isProtobuf: true};
    const bare = hasCbor ? [json, yaml, binary, cbor] : [json, yaml, binary];
    const transformed = (form: Form, as: string, from: readonly FormOffer[]): FormOffer[] =>
      from.flatMap((offer) => ['v1', 'v1beta1'].map((version) => ({...offer, form, as, group, version})));
    // A Table is a text, as in Kubernetes.
    const tables = transformed('table', 'Table', [json, yaml]);
    const object = [...bare, ...tables, ...transformed('metadata', 'PartialObjectMetadata', bare)];
    const list = [...bare, ...tables, ...transformed('metadata', 'PartialObjectMetadataList', bare)];
    sets = {bare, object, list, watch: object.filter(({stream}) => stream)};
    known.set(naming, sets);
  }
  return sets;
}

/** Types without field numbers (custom resources, for one) have no binary form; their metadata has. @throws 406 if the client accepts none of the forms */
export function negotiateForm(exchange: Exchange, schema: ObjectSchema, naming: NamingProfile, shape: keyof OfferSets): Representation {
  const hasCbor = exchange.cbor !== undefined;
  const all = offersOf(naming, hasCbor)[shape];
  const offers = schema.node.kubernetesSemantics ? all : all.filter(({form}) => form !== 'protobuf');
  const accept = acceptOf(exchange);
  const found = negotiate(accept, offers);
  if (!found) throw refusal(accept!, naming, schema.node.kubernetesSemantics, shape, hasCbor);
  const {offer} = found;
  return {
    offer,
    contentType: offer.mediaType,
    pretty: offer.mediaType === 'application/json' && (found.pretty || wantsPretty(exchange)),
    includeObject: offer.form === 'table' ? parseIncludeObject(exchange.query.get('includeObject')) : 'Metadata',
    naming,
  };
}

/** A page cannot set the headers of a WebSocket, and asks for a form by `accept` of the query there. */
function acceptOf(exchange: Exchange): string | undefined {
  return exchange.header('accept') ?? (exchange.upgrade ? (exchange.query.get('accept') ?? undefined) : undefined);
}

/** All forms in which objects of built-in types can be sent. */
function mediaTypesOf(naming: NamingProfile, hasCbor: boolean): readonly string[] {
  const all = [json.mediaType, yaml.mediaType, naming.protobufMediaType];
  return hasCbor ? [...all, cborMediaType] : all;
}

/**
 * Kubernetes refuses in two places, each with words of its own: where nothing is accepted that a built-in type can be sent in at all, and where what is accepted asks for more (a
 * Table of another version, say).
 */
function refusal(accept: string, naming: NamingProfile, isBuiltIn: boolean, shape: keyof OfferSets, hasCbor: boolean) {
  const all = mediaTypesOf(naming, hasCbor);
  const streams = [
    ...[json.mediaType, naming.protobufMediaType].map((mediaType) => `${mediaType};stream=watch`),
    ...(hasCbor ? [cborSequence] : []),
  ];
  if (shape === 'watch' && acceptsOneOf(accept, [yaml.mediaType])) return notAcceptable(streams);
  const isMany = shape === 'list' || shape === 'watch';
  const routed = isMany && hasCbor ? [...all, cborSequence] : all;
  if (!isBuiltIn || acceptsOneOf(accept, routed)) return notAcceptable(all);
  return noRepresentation(isMany ? [...all, ...streams] : all);
}
