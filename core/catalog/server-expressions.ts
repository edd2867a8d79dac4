import type {Expressions, ExpressionScope, ExpressionScopeOptions} from '../../sdk/index.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';

/** Expressions as validation rules of definitions have them, for plugins. */
export class ServerExpressions implements Expressions {
  readonly #catalog: SchemaCatalog;

  constructor(catalog: SchemaCatalog) {
    this.#catalog = catalog;
  }

  async scope(
    variables: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>,
    {libraries = []}: ExpressionScopeOptions = {},
  ): Promise<ExpressionScope> {
    const {VariableScope} = await import('../api/cel/expression-scope.js');
    const {celFeaturesOf} = await import('../api/cel/features.js');
    return VariableScope.of(
      new Map(Object.entries(variables).map(([name, schema]) => [name, schema && this.#catalog.inlineNode(schema)])),
      celFeaturesOf(this.#catalog.release, 'stored').with(...libraries),
    );
  }
}
