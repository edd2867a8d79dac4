import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {ResourceClaim} from '../../../sdk/types/unchecked/resource/v1.js';
import type {ResourceClaim as ClassicClaim} from '../../../sdk/types/unchecked/resource/v1alpha1.js';
import {isClassic, versionOf} from './api-version.js';
import {ClassicClaims} from './classic/classic-claims.js';
import {AdminAccess} from './devices/admin-access.js';
import {claimSpecToV1, convertClaimSpec} from './devices/claim-conversion.js';
import {claimSpecFaults} from './devices/claim-faults.js';
import {DeviceSelectors} from './devices/device-selectors.js';
import {defaultRequests} from './devices/request-defaults.js';
import {StatusAccess} from './devices/status-access.js';
import {claimStatusFaults, deviceIdOf} from './devices/status-faults.js';

const specPath = FieldPath.of('spec');

/** ResourceClaim: a request for devices, which is immutable, and those that were allocated. Until 1.30 for what one driver has. */
@strategy()
export class ResourceClaimStrategy implements ResourceStrategy<ApiObject> {
  readonly #classic = new ClassicClaims();
  readonly #selectors: DeviceSelectors;
  readonly #admin: AdminAccess;
  readonly #access: StatusAccess;
  readonly #hasDistinct: boolean;

  constructor(
    @inject(DeviceSelectors) selectors: DeviceSelectors,
    @inject(AdminAccess) admin: AdminAccess,
    @inject(StatusAccess) access: StatusAccess,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#selectors = selectors;
    this.#admin = admin;
    this.#access = access;
    this.#hasDistinct = gates.enabled('DRAConsumableCapacity');
  }

  convert(object: ApiObject, to: {readonly group: string; readonly version: string}): ApiObject {
    const from = versionOf(object);
    const {spec, status} = object as ResourceClaim;
    const named = {...object, apiVersion: `${to.group}/${to.version}`};
    if (isClassic(from) && isClassic(to.version)) return named;
    // What one driver has cannot be said in devices.
    if (isClassic(from) || isClassic(to.version)) return {...named, spec: {}, status: {}};
    return {...named, spec: convertClaimSpec(spec, from, to.version), ...(status ? {status} : {})} as ApiObject;
  }

  applyDefaults(object: ApiObject): void {
    const version = versionOf(object);
    if (!isClassic(version)) defaultRequests((object as ResourceClaim).spec, version);
  }

  prepareForUpdate(object: ApiObject, old: ApiObject, {subresource, version}: StrategyContext): void {
    if (subresource === 'status' && !isClassic(version)) dropDeallocated(object as ResourceClaim, old as ResourceClaim);
  }

  async validateCreate(object: ApiObject, context: StrategyContext): Promise<FieldError[]> {
    if (isClassic(context.version)) return this.#classic.validateCreate(object as ClassicClaim);
    const spec = claimSpecToV1((object as ResourceClaim).spec, context.version);
    const findings = claimSpecFaults(spec, specPath, this.#hasDistinct);
    return [...(await this.#admin.requestFaults(spec, context)), ...(await this.#selectors.faultsOf(findings))];
  }

  async validateUpdate(object: ApiObject, old: ApiObject, context: StrategyContext): Promise<FieldError[]> {
    if (isClassic(context.version)) return this.#classic.validateUpdate(object as ClassicClaim, old as ClassicClaim, context);
    const claim = object as ResourceClaim;
    const before = old as ResourceClaim;
    const spec = claimSpecToV1(claim.spec, context.version);
    if (context.subresource !== 'status') return validateImmutable(spec, claimSpecToV1(before.spec, context.version), specPath);
    const {status = {}} = claim;
    const results = status.allocation?.devices?.results;
    return [
      ...(await this.#admin.resultFaults(results, before.status?.allocation?.devices?.results, context)),
      ...(await this.#access.faults(status, before.status ?? {}, context)),
      ...claimStatusFaults(spec, status, before.status ?? {}, Boolean(claim.metadata.deletionTimestamp)),
    ];
  }

  tableCells(object: ApiObject): Record<string, string> {
    return isClassic(versionOf(object)) ? this.#classic.tableCells(object as ClassicClaim) : {State: stateText(object as ResourceClaim)};
  }
}

/** Drivers that know nothing of the status of devices leave it when they give them back. */
function dropDeallocated({status}: ResourceClaim, old: ResourceClaim): void {
  if (!status?.devices) return;
  const idsOf = (claim: ResourceClaim['status']) =>
    (claim?.allocation?.devices?.results ?? []).map((result) => JSON.stringify(deviceIdOf(result)));
  const kept = new Set(idsOf(status));
  const gone = new Set(idsOf(old.status).filter((id) => !kept.has(id)));
  const devices = status.devices.filter((device) => !gone.has(JSON.stringify(deviceIdOf(device))));
  if (devices.length > 0) status.devices = devices;
  else delete status.devices;
}

function stateText({metadata, status}: ResourceClaim): string {
  const isDeleted = Boolean(metadata.deletionTimestamp);
  const words = isDeleted ? ['deleted'] : [];
  if (!status?.allocation) return isDeleted ? 'deleted' : 'pending';
  words.push('allocated');
  if ((status.reservedFor ?? []).length > 0) words.push('reserved');
  return words.join(',');
}
