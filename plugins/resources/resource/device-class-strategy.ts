import {
  FieldPath,
  inject,
  invalid,
  strategy,
  Tokens,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {isGiven, sameValue} from '../../../sdk/validation/index.js';
import type {DeviceClass} from '../../../sdk/types/unchecked/resource/v1.js';
import {isExtendedResource} from '../../families/pods/resource-names.js';
import {validateConfiguration, validateSelectors} from './devices/claim-faults.js';
import {DeviceSelectors} from './devices/device-selectors.js';
import {validateList} from './devices/findings.js';

const specPath = FieldPath.of('spec');
const maximumConfigurations = 32;

/** DeviceClass: which devices claims may ask for by a name, and how drivers set them up. */
@strategy()
export class DeviceClassStrategy implements ResourceStrategy<DeviceClass> {
  readonly #selectors: DeviceSelectors;
  readonly #naming: NamingProfile;

  constructor(@inject(DeviceSelectors) selectors: DeviceSelectors, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#selectors = selectors;
    this.#naming = naming;
  }

  validateCreate(object: DeviceClass): Promise<FieldError[]> {
    return this.#faults(object, undefined);
  }

  validateUpdate(object: DeviceClass, old: DeviceClass): Promise<FieldError[]> {
    return this.#faults(object, old);
  }

  #faults({spec = {}}: DeviceClass, old: DeviceClass | undefined): Promise<FieldError[]> {
    const {extendedResourceName, config} = spec;
    const isStored = old !== undefined && sameValue(config, old.spec?.config);
    return this.#selectors.faultsOf([
      ...validateSelectors(spec.selectors, specPath.child('selectors')),
      ...validateList(config, maximumConfigurations, specPath.child('config'), (entry, path) =>
        validateConfiguration(entry, path, isStored),
      ),
      ...(isGiven(extendedResourceName) && !isExtendedResource(extendedResourceName, this.#naming)
        ? [invalid(specPath.child('extendedResourceName'), extendedResourceName, 'must be a valid extended resource name')]
        : []),
    ]);
  }
}
