import {notAcceptable, pathNotFound, type JsonObject, type NamingProfile} from '../../../sdk/index.js';
import {encodePretty} from '../../api/codec/json.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import {negotiate, transformedType, type MediaOffer} from '../../api/negotiation/negotiate.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respond, respondText} from '../response/respond.js';

/** A page: once as lines for people, once as the fields of an object. */
export interface ZPage {
  readonly kind: 'Flagz' | 'Statusz';
  lines(): readonly string[];
  fields(): JsonObject;
}

/** As Kubernetes calls an API server there. */
const component = 'apiserver';
const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

const versions = ['v1beta1', 'v1alpha1'];
const outdated = 'v1alpha1';

/**
 * `/statusz` and `/flagz` (feature gates `ComponentStatusz` and `ComponentFlagz`): what runs, and by which settings. In plain text unless the client names the
 * object, as in `application/json;v=v1beta1;g=config.k8s.io;as=Statusz`.
 */
export class ZPages {
  readonly #pages: ReadonlyMap<string, ZPage>;
  readonly #naming: NamingProfile;

  constructor(pages: readonly ZPage[], naming: NamingProfile) {
    this.#pages = new Map(pages.map((page) => [page.kind.toLowerCase(), page]));
    this.#naming = naming;
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length === 1 && (segments[0] === 'statusz' || segments[0] === 'flagz');
  }

  /** @throws 404 while the feature gate is off, 406 */
  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const page = this.#pages.get(exchange.info.segments[0]!);
    if (!page) throw pathNotFound();
    const {cbor} = exchange;
    const offers = this.#offers(page.kind, cbor !== undefined);
    const found = negotiate(exchange.header('accept'), offers);
    if (!found) throw notAcceptable(mediaTypesOf(offers));
    const {offer} = found;
    if (offer.as === undefined)
      return respondText(exchange, 200, `\n${component} ${exchange.info.segments[0]!}\n${warning}\n${page.lines().join('\n')}\n`);
    if (offer.version === outdated)
      exchange.warn(`This version of the ${exchange.info.segments[0]!} endpoint is deprecated. Please use a newer version.`);
    const document = {kind: page.kind, apiVersion: `${offer.group}/${offer.version}`, metadata: {name: component}, ...page.fields()};
    if (offer.mediaType === cborMediaType) return respond(exchange, 200, transformedType(offer), cbor!.encode(document));
    const text = offer.mediaType === 'application/yaml' ? encodeYaml(document) : encodePretty(document);
    await respond(exchange, 200, transformedType(offer), Buffer.from(text));
  }

  /** Text first: it is for whoever does not say what he wants. */
  #offers(as: string, hasCbor: boolean): readonly MediaOffer[] {
    const group = this.#naming.group('config.orch');
    const objects = ['application/json', 'application/yaml', ...(hasCbor ? [cborMediaType] : [])].flatMap((mediaType) =>
      versions.map((version) => ({mediaType, as, group, version})),
    );
    return [{mediaType: 'text/plain'}, ...objects];
  }
}

/** As Kubernetes lists them: what may come with a gate is the last. */
function mediaTypesOf(offers: readonly MediaOffer[]): readonly string[] {
  const all = [...new Set(offers.map(({mediaType}) => mediaType))];
  const withoutGate = all.filter((one) => one !== cborMediaType).sort();
  return all.includes(cborMediaType) ? [...withoutGate, cborMediaType] : withoutGate;
}
