import {inject, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import type {ResourceClaimParameters} from '../../../sdk/types/unchecked/resource/v1alpha2.js';
import {AttributeSelectors} from './classic/attribute-selectors.js';
import {claimParametersFindings, originText} from './classic/parameters-rules.js';

/** ResourceClaimParameters: what a claim asks drivers for, in a form that a scheduler understands. */
@strategy()
export class ResourceClaimParametersStrategy implements ResourceStrategy<ResourceClaimParameters> {
  readonly #selectors: AttributeSelectors;

  constructor(@inject(AttributeSelectors) selectors: AttributeSelectors) {
    this.#selectors = selectors;
  }

  validateCreate(object: ResourceClaimParameters): Promise<FieldError[]> {
    return this.#selectors.faultsOf(claimParametersFindings(object));
  }

  validateUpdate(object: ResourceClaimParameters): Promise<FieldError[]> {
    return this.validateCreate(object);
  }

  tableCells({generatedFrom}: ResourceClaimParameters): Record<string, string> {
    return {GeneratedFrom: originText(generatedFrom)};
  }
}
