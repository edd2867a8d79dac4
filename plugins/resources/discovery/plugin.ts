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
} from '../../../sdk/index.js';
import {EndpointAddressRules} from '../../families/services/own-service.js';
import {sameValue, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type {EndpointPort, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import {validateEndpointPorts, validateEndpoints} from './endpoint-faults.js';

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

  constructor(
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
  ) {
    this.#gates = gates;
    this.#addresses = new EndpointAddressRules(naming, endpoint);
    this.#serviceLabel = naming.key('orch/service-name');
  }

  prepareForCreate(object: EndpointSlice): void {
    object.metadata.generation = 1;
    dropTopology(object);
    this.#dropHints(object, undefined);
  }

  /** Changes of labels increase the generation too: they say which service the slice belongs to. So do fields that are dropped then. */
  prepareForUpdate(object: EndpointSlice, old: EndpointSlice): void {
    const {metadata: oldMetadata, ...oldContent} = old;
    const {metadata, ...content} = object;
    if (!sameValue(content, oldContent) || !sameValue(metadata.labels, oldMetadata.labels))
      metadata.generation = (oldMetadata.generation ?? 0) + 1;
    this.#dropHints(object, old);
    if (!sameValue(object.endpoints, old.endpoints)) dropTopology(object);
  }

  validateCreate(object: EndpointSlice): FieldError[] {
    const {addressType = '', endpoints, ports, metadata} = object;
    const ipFaults = this.#addresses.of(object, metadata.labels?.[this.#serviceLabel]);
    return [
      ...validateOneOf(addressType, addressTypes, addressTypePath),
      ...validateEndpoints(endpoints ?? [], addressType, ipFaults, FieldPath.of('endpoints')),
      ...validateEndpointPorts(ports ?? [], FieldPath.of('ports')),
    ];
  }

  validateUpdate(object: EndpointSlice, old: EndpointSlice): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.addressType, old.addressType, addressTypePath)];
  }

  tableCells({ports, endpoints}: EndpointSlice): Record<string, string> {
    return {
      Ports: shortList((ports ?? []).map(portText)),
      Endpoints: shortList((endpoints ?? []).flatMap(({addresses}) => addresses ?? [])),
    };
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
