import {notAcceptable, type NamingProfile} from '../../../sdk/index.js';
import {acceptsOneOf, negotiate, type MediaOffer} from '../../api/negotiation/negotiate.js';
import {parseIncludeObject, type IncludeObject} from '../../api/table/build-table.js';
import type {ObjectSchema} from '../../api/object-schema/object-schema.js';
import type {Exchange} from '../request/exchange.js';
import {noRepresentation} from '../response/http-errors.js';
import {wantsPretty} from '../options/pretty.js';

/** The form in which objects are returned: as they are (text or binary), as rows of a Table, or only their metadata. */
export type Form = 'json' | 'yaml' | 'protobuf' | 'table' | 'metadata';

export interface FormOffer extends MediaOffer {
  readonly form: Form;
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

interface OfferSets {
  /** For kinds that have no Table and no metadata-only form. */
  readonly bare: readonly FormOffer[];
  readonly object: readonly FormOffer[];
  readonly list: readonly FormOffer[];
  readonly watch: readonly FormOffer[];
}

const offerSets = new WeakMap<NamingProfile, OfferSets>();

/** The forms in which a type is offered, in order of preference. */
function offersOf(naming: NamingProfile): OfferSets {
  let sets = offerSets.get(naming);
  if (!sets) {
    const group = naming.group('meta.orch');
    const binary: FormOffer = {form: 'protobuf', mediaType: naming.protobufMediaType, stream: true};
    const transformed = (form: Form, as: string): FormOffer[] =>
      [json, yaml].flatMap((text) => ['v1', 'v1beta1'].map((version) => ({...text, form, as, group, version})));
    const bare = [json, yaml, binary];
    const object = [...bare, ...transformed('table', 'Table'), ...transformed('metadata', 'PartialObjectMetadata')];
    const list = [...bare, ...transformed('table', 'Table'), ...transformed('metadata', 'PartialObjectMetadataList')];
    sets = {bare, object, list, watch: object.filter(({stream}) => stream)};
    offerSets.set(naming, sets);
  }
  return sets;
}

/** Types without field numbers (custom resources, for one) have no binary form. @throws 406 if the client accepts none of the forms */
export function negotiateForm(exchange: Exchange, schema: ObjectSchema, naming: NamingProfile, shape: keyof OfferSets): Representation {
  const all = offersOf(naming)[shape];
  const offers = schema.node.kubernetesSemantics ? all : all.filter(({form}) => form !== 'protobuf');
  const accept = exchange.header('accept');
  const found = negotiate(accept, offers);
  if (!found) throw refusal(accept!, naming, schema.node.kubernetesSemantics, shape);
  const {offer} = found;
  return {
    offer,
    contentType: offer.mediaType,
    pretty: offer.mediaType === 'application/json' && (found.pretty || wantsPretty(exchange)),
    includeObject: offer.form === 'table' ? parseIncludeObject(exchange.query.get('includeObject')) : 'Metadata',
    naming,
  };
}

/**
 * Kubernetes refuses in two places, each with words of its own: where nothing is accepted that a built-in type can be sent in at all, and where what is accepted asks for more (a
 * Table of another version, say).
 */
function refusal(accept: string, naming: NamingProfile, isBuiltIn: boolean, shape: keyof OfferSets) {
  const all = [json, yaml, {mediaType: naming.protobufMediaType}].map(({mediaType}) => mediaType);
  const streams = [json.mediaType, naming.protobufMediaType].map((mediaType) => `${mediaType};stream=watch`);
  if (shape === 'watch' && acceptsOneOf(accept, [yaml.mediaType])) return notAcceptable(streams);
  if (!isBuiltIn || acceptsOneOf(accept, all)) return notAcceptable(all);
  return noRepresentation(shape === 'list' || shape === 'watch' ? [...all, ...streams] : all);
}
