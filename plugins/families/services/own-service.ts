import {validateIp, isLoopback, parseIp, validateNonSpecialIp} from '../../../sdk/net/index.js';
import type {ApiObject, FieldError, FieldPath, NamingProfile, ServerEndpoint} from '../../../sdk/index.js';

/** Where the service is that leads to the servers. */
export const ownServiceNamespace = 'default';

/** The name of the service that leads to the servers: `orch`, or `kubernetes`. Serving certificates are valid for it. */
export function ownServiceName({name}: Pick<NamingProfile, 'name'>): string {
  return name;
}

/**
 * Errors in the addresses behind services: they must not mean another machine to everybody who reads them. Only a server that is itself
 * reached at a loopback address, and so by clients of its own machine alone, accepts such addresses behind the service that leads to it.
 */
export class EndpointAddressRules {
  readonly #name: string;
  readonly #isLocal: boolean;

  constructor(naming: NamingProfile, {address}: ServerEndpoint) {
    this.#name = ownServiceName(naming);
    this.#isLocal = isLoopbackText(address);
  }

  /** What checks the addresses of an object. @param service the name of the service that it belongs to */
  of({metadata}: ApiObject, service: string | undefined): (ip: string, path: FieldPath) => FieldError[] {
    if (!this.#isLocal || service !== this.#name || metadata.namespace !== ownServiceNamespace) return validateNonSpecialIp;
    return (ip, path) => (isLoopbackText(ip) ? validateIp(ip, path) : validateNonSpecialIp(ip, path));
  }
}

/** Whether a text is an address that every machine has for itself. */
export function isLoopbackText(text: string): boolean {
  const address = parseIp(text);
  return address !== undefined && isLoopback(address);
}
