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
import type {ResourceClaimTemplate} from '../../../sdk/types/unchecked/resource/v1.js';
import type {ResourceClaimTemplate as ClassicTemplate} from '../../../sdk/types/unchecked/resource/v1alpha1.js';
import {isClassic, versionOf} from './api-version.js';
import {ClassicTemplates, templateMetadataFaults} from './classic/classic-templates.js';
import {AdminAccess} from './devices/admin-access.js';
import {claimSpecToV1, convertClaimSpec} from './devices/claim-conversion.js';
import {claimSpecFaults} from './devices/claim-faults.js';
import {DeviceSelectors} from './devices/device-selectors.js';
import {defaultRequests} from './devices/request-defaults.js';

const specPath = FieldPath.of('spec');

/** ResourceClaimTemplate: a template for claims. Its `spec` is immutable; of `spec.metadata`, only labels and annotations are copied to the claims. */
@strategy()
export class ResourceClaimTemplateStrategy implements ResourceStrategy<ApiObject> {
  readonly #classic = new ClassicTemplates();
  readonly #selectors: DeviceSelectors;
  readonly #admin: AdminAccess;
  readonly #hasDistinct: boolean;

  constructor(
    @inject(DeviceSelectors) selectors: DeviceSelectors,
    @inject(AdminAccess) admin: AdminAccess,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#selectors = selectors;
    this.#admin = admin;
    this.#hasDistinct = gates.enabled('DRAConsumableCapacity');
  }

  convert(object: ApiObject, to: {readonly group: string; readonly version: string}): ApiObject {
    const from = versionOf(object);
    const {spec = {}} = object as ResourceClaimTemplate;
    const named = {...object, apiVersion: `${to.group}/${to.version}`};
    if (isClassic(from) && isClassic(to.version)) return named;
    const inner = isClassic(from) || isClassic(to.version) ? {} : convertClaimSpec(spec.spec, from, to.version);
    return {...named, spec: {...spec, spec: inner}} as ApiObject;
  }

  applyDefaults(object: ApiObject): void {
    const version = versionOf(object);
    if (!isClassic(version)) defaultRequests((object as ResourceClaimTemplate).spec?.spec, version);
  }

  async validateCreate(object: ApiObject, context: StrategyContext): Promise<FieldError[]> {
    if (isClassic(context.version)) return this.#classic.validateCreate(object as ClassicTemplate);
    const spec = claimSpecToV1((object as ResourceClaimTemplate).spec?.spec, context.version);
    return [...(await this.#admin.requestFaults(spec, context)), ...(await this.#faults(object as ResourceClaimTemplate, context))];
  }

  async validateUpdate(object: ApiObject, old: ApiObject, context: StrategyContext): Promise<FieldError[]> {
    if (isClassic(context.version)) return this.#classic.validateUpdate(object as ClassicTemplate, old as ClassicTemplate);
    const shown = ({spec = {}}: ResourceClaimTemplate) => ({...spec, spec: claimSpecToV1(spec.spec, context.version)});
    const immutable = validateImmutable(shown(object as ResourceClaimTemplate), shown(old as ResourceClaimTemplate), specPath);
    return [...(await this.#faults(object as ResourceClaimTemplate, context)), ...immutable];
  }

  #faults({spec = {}}: ResourceClaimTemplate, {version}: StrategyContext): Promise<FieldError[]> {
    const claim = claimSpecToV1(spec.spec, version);
    return this.#selectors.faultsOf([
      ...templateMetadataFaults(spec.metadata ?? {}),
      ...claimSpecFaults(claim, specPath.child('spec'), this.#hasDistinct),
    ]);
  }
}
