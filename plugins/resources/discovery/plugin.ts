import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type ServerEndpoint,
  type StrategyContext,
} from '../../../sdk/index.js';
import {EndpointAddressRules} from '../../families/services/own-service.js';
import {sameValue, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type {EndpointPort, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import {firstWarnings} from '../../families/pods/first-warnings.js';
import {endpointWarnings, validateEndpointPorts, validateEndpoints} from './endpoint-faults.js';

const addressTypePath = FieldPath.of('addressType');
const addressTypes = ['IPv4', 'IPv6', 'FQDN'];
/** Maximum number of entries in a cell. */
const shownEntries = 3;

/** EndpointSlice: some of the endpoints of a service. */
@strategy()
export class EndpointSliceStrategy implements ResourceStrategy<EndpointSlice> {
  readonly #gates: FeatureGates;
  readonly #addresses: EndpointAddressRules;
  readonly #serviceLabel: string;
  readonly #managedBy: string;
  /** Controllers that write addresses in their proper form. */
  readonly #ownControllers: ReadonlySet<string>;

  constructor(
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
  ) {
    this.#gates = gates;
    this.#addresses = new EndpointAddressRules(naming, endpoint);
    this.#serviceLabel = naming.key('orch/service-name');
    this.#managedBy = naming.key('endpointslice.orch/managed-by');
    this.#ownControllers = new Set(
      ['endpointslice-controller.orch', 'endpointslicemirroring-controller.orch'].map((name) => naming.group(name)),
    );
  }

  prepareForCreate(object: EndpointSlice, context: StrategyContext): void {
    if (object.addressType === 'FQDN' && this.#gates.enabled('FQDNEndpointsDeprecated'))
      context.warn('spec.addressType: FQDN endpoints are deprecated');
    this.#warn(object, context);
    object.metadata.generation = 1;
    dropTopology(object);
    this.#dropHints(object, undefined);
  }

  /** Changes of labels increase the generation too: they say which service the slice belongs to. So do fields that are dropped then. */
  prepareForUpdate(object: EndpointSlice, old: EndpointSlice, context: StrategyContext): void {
    this.#warn(object, context);
    const {metadata: oldMetadata, ...oldContent} = old;
    const {metadata, ...content} = object;
    if (!sameValue(content, oldContent) || !sameValue(metadata.labels, oldMetadata.labels))
      metadata.generation = (oldMetadata.generation ?? 0) + 1;
    this.#dropHints(object, old);
    if (!sameValue(object.endpoints, old.endpoints)) dropTopology(object);
  }

  validateCreate(object: EndpointSlice): FieldError[] {
    return this.#faults(object, undefined);
  }

  validateUpdate(object: EndpointSlice, old: EndpointSlice): FieldError[] {
    return [...this.#faults(object, old), ...validateImmutable(object.addressType, old.addressType, addressTypePath)];
  }

  tableCells({ports, endpoints}: EndpointSlice): Record<string, string> {
    return {
      Ports: shortList((ports ?? []).map(portText)),
      Endpoints: shortList((endpoints ?? []).flatMap(({addresses}) => addresses ?? [])),
    };
  }

  /** Endpoints that were accepted once may stay as they are. */
  #faults(object: EndpointSlice, old: EndpointSlice | undefined): FieldError[] {
    const {addressType = '', endpoints, ports, metadata} = object;
    const rules = {gates: this.#gates, ipFaults: this.#addresses.of(object, metadata.labels?.[this.#serviceLabel])};
    const faults = validateEndpoints(endpoints ?? [], addressType, rules, FieldPath.of('endpoints'));
    const isStored = faults.length > 0 && this.#gates.enabled('AddressForms') && old !== undefined && sameValue(endpoints, old.endpoints);
    return [
      ...validateOneOf(addressType, addressTypes, addressTypePath),
      ...(isStored ? [] : faults),
      ...validateEndpointPorts(ports ?? [], FieldPath.of('ports')),
    ];
  }

  #warn(object: EndpointSlice, {warn}: StrategyContext): void {
    if (!this.#gates.enabled('AddressForms') || this.#ownControllers.has(object.metadata.labels?.[this.#managedBy] ?? '')) return;
    for (const text of firstWarnings(endpointWarnings(object))) warn(text);
  }

  /** Drops fields of disabled feature gates unless the stored slice already uses them. */
  #dropHints({endpoints}: EndpointSlice, old: EndpointSlice | undefined): void {
    if (this.#gates.enabled('TopologyAwareHints') || old?.endpoints?.some(({hints}) => hints)) return;
    for (const endpoint of endpoints ?? []) delete endpoint.hints;
  }
}

function dropTopology({endpoints}: EndpointSlice): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}

function portText({port, name}: EndpointPort): string {
  if (port !== undefined && port !== null) return String(port);
  return name || '*';
}

function shortList(texts: readonly string[]): string {
  if (texts.length === 0) return '<unset>';
  const shown = texts.slice(0, shownEntries).join(',');
  return texts.length > shownEntries ? `${shown} + ${texts.length - shownEntries} more...` : shown;
}
