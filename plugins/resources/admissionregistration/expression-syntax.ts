import {invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {Validation} from './admission-types.js';

const limits = {maxAstNodes: 20_000, maxDepth: 200};

/**
 * Faults of expressions that cannot be read. Whether names and types in one fit what it is about is for the policy's engine to say: it
 * knows the schemas of the resources.
 */
export async function expressionSyntaxFaults(validations: readonly Validation[], path: FieldPath): Promise<FieldError[]> {
  // Loaded when the first policy comes: most servers never see one.
  const {Environment} = await import('@marcbachmann/cel-js');
  const environment = new Environment({enableOptionalTypes: true, limits});
  return validations.flatMap(({expression = ''}, index) => {
    // A missing one is reported as such.
    if (expression.trim() === '') return [];
    try {
      environment.parse(expression);
      return [];
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      return [invalid(path.index(index).child('expression'), expression, `compilation failed: ${reason}`)];
    }
  });
}
