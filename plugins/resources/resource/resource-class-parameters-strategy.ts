import {inject, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import type {ResourceClassParameters} from '../../../sdk/types/unchecked/resource/v1alpha2.js';
import {AttributeSelectors} from './classic/attribute-selectors.js';
import {classParametersFindings, originText} from './classic/parameters-rules.js';

/** ResourceClassParameters: which resources of drivers claims of a class may have, in a form that a scheduler understands. */
@strategy()
export class ResourceClassParametersStrategy implements ResourceStrategy<ResourceClassParameters> {
  readonly #selectors: AttributeSelectors;

  constructor(@inject(AttributeSelectors) selectors: AttributeSelectors) {
    this.#selectors = selectors;
  }

  validateCreate(object: ResourceClassParameters): Promise<FieldError[]> {
    return this.#selectors.faultsOf(classParametersFindings(object));
  }

  validateUpdate(object: ResourceClassParameters): Promise<FieldError[]> {
    return this.validateCreate(object);
  }

  tableCells({generatedFrom}: ResourceClassParameters): Record<string, string> {
    return {GeneratedFrom: originText(generatedFrom)};
  }
}
