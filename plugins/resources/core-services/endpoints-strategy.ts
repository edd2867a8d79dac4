import {
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
import type {Endpoints} from '../../../sdk/types/unchecked/core/v1.js';
import {EndpointAddressRules} from '../../families/services/own-service.js';
import {firstWarnings} from '../../families/pods/first-warnings.js';
import {endpointsFaults, endpointsWarnings} from './endpoints-rules.js';

const shownEndpoints = 3;

/** Endpoints: the addresses behind a service, as they were sent: controllers bring theirs into one form. */
@strategy()
export class EndpointsStrategy implements ResourceStrategy<Endpoints> {
  readonly #addresses: EndpointAddressRules;
  readonly #gates: FeatureGates;
  /** The label that says whose endpoints they are. */
  readonly #managedBy: string;

  constructor(
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#addresses = new EndpointAddressRules(naming, endpoint);
    this.#gates = gates;
    this.#managedBy = naming.key('endpoints.orch/managed-by');
  }

  prepareForCreate(object: Endpoints, {warn}: StrategyContext): void {
    // What the controller makes of pods' addresses is in its proper form.
    if (!this.#gates.enabled('AddressForms') || object.metadata.labels?.[this.#managedBy] === 'endpoint-controller') return;
    for (const text of firstWarnings(endpointsWarnings(object))) warn(text);
  }

  prepareForUpdate(object: Endpoints, _old: Endpoints, context: StrategyContext): void {
    this.prepareForCreate(object, context);
  }

  validateCreate(object: Endpoints): FieldError[] {
    return endpointsFaults(object, this.#gates, this.#addresses.of(object, object.metadata.name));
  }

  validateUpdate(object: Endpoints): FieldError[] {
    return this.validateCreate(object);
  }

  tableCells(object: Endpoints): Record<string, string> {
    return {Endpoints: endpointsText(object)};
  }
}

/** The first addresses with their first ports, and the number of further pairs. They are not listed, because there may be millions. */
function endpointsText({subsets = []}: Endpoints): string {
  const shown: string[] = [];
  let count = 0;
  for (const {addresses = [], ports = []} of subsets) {
    count += addresses.length * Math.max(ports.length, 1);
    for (const port of ports.length > 0 ? ports.slice(0, shownEndpoints) : [undefined]) {
      for (const {ip = ''} of addresses.slice(0, shownEndpoints)) shown.push(port ? withPort(ip, port.port ?? 0) : ip);
    }
  }
  if (count === 0) return '<none>';
  const text = shown.slice(0, shownEndpoints).join(',');
  return count > shownEndpoints ? `${text} + ${count - shownEndpoints} more...` : text;
}

function withPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
