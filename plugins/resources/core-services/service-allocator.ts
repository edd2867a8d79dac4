import {FieldPath, internalError, invalid, type FieldError} from '../../../sdk/index.js';
import {cidrContains, formatIp, parseIp, type IpFamily} from '../../../sdk/net/index.js';
import type {Service, ServicePort, ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {AddressSource} from './address-source.js';
import {addressClaim, nodePortClaim, nodePortsOf} from './claim-names.js';
import {settleIpFamilies} from './ip-families.js';
import type {NumberRange} from './number-range.js';
import {headlessIp, needs} from './service.js';
import type {ClaimHolder, ServiceClaims} from './service-claims.js';
import type {AddressRange} from './service-settings.js';

const specPath = FieldPath.of('spec');
/** Number of random attempts before all taken numbers are listed. */
const randomTries = 8;

/** Allocates the addresses and ports of services. */
export class ServiceAllocator {
  readonly #claims: ServiceClaims;
  readonly #addresses: AddressSource;
  readonly #ports: NumberRange;

  constructor(claims: ServiceClaims, addresses: AddressSource, ports: NumberRange) {
    this.#claims = claims;
    this.#addresses = addresses;
    this.#ports = ports;
  }

  /**
   * Allocates and claims what a service needs and does not have, and claims what the client chose itself. Modifies `service`. Returns
   * errors for values that are not available. With `dryRun` nothing is claimed: another service may get the same values.
   *
   * @throws StatusError 500 if none are left
   */
  async allocate(service: Service, old: Service | undefined, dryRun: boolean): Promise<FieldError[]> {
    const {spec, metadata} = service;
    if (!spec) return [];
    const faults = settleIpFamilies(spec, old?.spec, this.#addresses.families);
    if (faults.length > 0) return faults;
    const {namespace = '', name = '', uid = ''} = metadata;
    const job: Job = {holder: {namespace, name, uid, version: old?.metadata.resourceVersion ?? ''}, dryRun};
    return [
      ...(await this.#allocateAddresses(spec, old?.spec, job)),
      ...(await this.#allocatePorts(spec, old?.spec, job)),
      ...(await this.#allocateHealthCheckPort(spec, old?.spec, job)),
    ];
  }

  async #allocateAddresses(spec: ServiceSpec, old: ServiceSpec | undefined, job: Job): Promise<FieldError[]> {
    if (!needs.clusterIp(spec) || spec.clusterIPs?.[0] === headlessIp) return [];
    const had = new Set(old && needs.clusterIp(old) ? old.clusterIPs : []);
    const ranges = await this.#addresses.ranges();
    const ips: string[] = [];
    for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
      const ofFamily = ranges.filter((candidate) => candidate.family === family);
      const wanted = spec.clusterIPs?.[index];
      if (wanted === undefined) {
        if (this.#addresses.families.includes(family as IpFamily)) ips.push(await this.#nextAddress(ofFamily, job));
        continue;
      }
      ips.push(wanted);
      if (had.has(wanted)) continue;
      const problem = await this.#addressProblem(wanted, ofFamily, job);
      if (problem) return [invalid(specPath.child('clusterIPs'), spec.clusterIPs, `failed to allocate IP ${wanted}: ${problem}`)];
    }
    if (ips.length === 0) return [];
    spec.clusterIPs = ips;
    spec.clusterIP = ips[0]!;
    return [];
  }

  async #addressProblem(ip: string, ranges: readonly AddressRange[], job: Job): Promise<string | undefined> {
    const address = parseIp(ip);
    if (!address || !ranges.some(({cidr, numbers}) => cidrContains(cidr, address) && numbers.contains(address.value)))
      return this.#addresses.outside(ip, ranges);
    return (await this.#isMine(addressClaim(ip), job)) ? undefined : 'provided IP is already allocated';
  }

  async #nextAddress(ranges: readonly AddressRange[], job: Job): Promise<string> {
    for (const {family, numbers} of ranges) {
      const value = await this.#next(numbers, job, (number) => addressClaim(formatIp({family, value: number})));
      if (value !== undefined) return formatIp({family, value});
    }
    throw internalError('failed to allocate a serviceIP: range is full');
  }

  async #allocatePorts(spec: ServiceSpec, old: ServiceSpec | undefined, job: Job): Promise<FieldError[]> {
    if (!needs.externalTrafficPolicy(spec)) return [];
    const held = new Set(old ? nodePortsOf(old) : []);
    const ports = spec.ports ?? [];
    const faults: FieldError[] = [];
    for (const [index, {nodePort = 0}] of ports.entries()) {
      if (nodePort === 0 || held.has(nodePort)) continue;
      const problem = await this.#portProblem(nodePort, job);
      if (problem) faults.push(invalid(specPath.child('ports').index(index).child('nodePort'), nodePort, problem));
      held.add(nodePort);
    }
    if (faults.length > 0 || !needs.nodePort(spec)) return faults;
    const given = new GivenNodePorts(ports);
    for (const port of ports) {
      if (port.nodePort) continue;
      port.nodePort = given.sharedBy(port) ?? (await this.#nextPort(job));
      given.add(port);
    }
    return [];
  }

  async #allocateHealthCheckPort(spec: ServiceSpec, old: ServiceSpec | undefined, job: Job): Promise<FieldError[]> {
    if (!needs.healthCheckNodePort(spec)) return [];
    const {healthCheckNodePort: wanted = 0} = spec;
    if (wanted === 0) {
      spec.healthCheckNodePort = await this.#nextPort(job);
      return [];
    }
    if (old && nodePortsOf(old).has(wanted)) return [];
    const problem = await this.#portProblem(wanted, job);
    return problem
      ? [invalid(specPath.child('healthCheckNodePort'), wanted, `failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`)]
      : [];
  }

  async #portProblem(port: number, job: Job): Promise<string | undefined> {
    const {first, size} = this.#ports;
    if (!this.#ports.contains(BigInt(port)))
      return `provided port is not in the valid range. The range of valid ports is ${first}-${first + size - 1n}`;
    return (await this.#isMine(nodePortClaim(port), job)) ? undefined : 'provided port is already allocated';
  }

  async #nextPort(job: Job): Promise<number> {
    const port = await this.#next(this.#ports, job, (value) => nodePortClaim(Number(value)));
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
    return Number(port);
  }

  #isMine(claim: string, {holder, dryRun}: Job): Promise<boolean> {
    return dryRun ? this.#claims.isFree(claim, holder) : this.#claims.take(claim, holder);
  }

  /** A free number; undefined if there is none. */
  async #next(range: NumberRange, {holder, dryRun}: Job, claimName: (value: bigint) => string): Promise<bigint | undefined> {
    for (let attempt = 0; !dryRun && attempt < randomTries; attempt += 1) {
      const value = range.random();
      if (await this.#claims.make(claimName(value), holder)) return value;
    }
    const taken = await this.#claims.all();
    for (const value of range.all()) {
      const claim = claimName(value);
      if (!taken.has(claim) && (dryRun || (await this.#claims.make(claim, holder)))) return value;
    }
    return undefined;
  }
}

interface Job {
  readonly holder: ClaimHolder;
  readonly dryRun: boolean;
}

/** Ports with the same number and different protocols share a node port. */
class GivenNodePorts {
  /** By number, the first port of each protocol that has a node port. */
  readonly #byNumber = new Map<number | undefined, Map<string | undefined, number>>();
  readonly #taken = new Set<string>();

  constructor(ports: readonly ServicePort[]) {
    for (const port of ports) this.add(port);
  }

  add({port, protocol, nodePort}: ServicePort): void {
    if (!nodePort) return;
    const protocols = this.#byNumber.get(port);
    if (!protocols) this.#byNumber.set(port, new Map([[protocol, nodePort]]));
    else if (!protocols.has(protocol)) protocols.set(protocol, nodePort);
    this.#taken.add(`${protocol} ${nodePort}`);
  }

  sharedBy({port, protocol}: ServicePort): number | undefined {
    for (const [other, nodePort] of this.#byNumber.get(port) ?? [])
      if (other !== protocol) return this.#taken.has(`${protocol} ${nodePort}`) ? undefined : nodePort;
    return undefined;
  }
}
