import type {Expressions, ExpressionScope, ExpressionScopeOptions} from '../../sdk/index.js';
import {loadNow} from '../../sdk/plugin/load-now.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';

const scopes = new URL('../api/cel/expression-scope.js', import.meta.url);
/** What the first scope loads: to be given to `prepareToLoad`. */
export const expressionModules: readonly URL[] = [scopes];

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
    // By `import`, validation rules could not be loaded meanwhile, which have modules in common with it.
    const {VariableScope} = loadNow(scopes) as typeof import('../api/cel/expression-scope.js');
    const {celFeaturesOf} = await import('../api/cel/features.js');
    return VariableScope.of(
      new Map(Object.entries(variables).map(([name, schema]) => [name, schema && this.#catalog.inlineNode(schema)])),
      celFeaturesOf(this.#catalog.release, 'stored').with(...libraries),
    );
  }
}
