import type {FieldError, FieldPath, Interruptible} from '../../sdk/index.js';
import {hasRules} from '../api/schema/has-rules.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import {ruleFaults} from '../api/object-schema/lazy-rules.js';
import type {ObjectSchema} from '../api/object-schema/object-schema.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import {SchemaChecks} from '../catalog/schema-checks.js';

/** Checks of one schema of a plugin. Its rules see the schema as it is served: with the types of what it refers to. */
export class PluginSchemaChecks extends SchemaChecks {
  readonly #served: ObjectSchema;

  constructor(catalog: SchemaCatalog, served: ObjectSchema) {
    super(catalog);
    this.#served = served;
  }

  override *ruleFaults(
    schema: JsonSchema,
    path: FieldPath,
    isFaulty: (path: FieldPath) => boolean = () => false,
  ): Interruptible<FieldError[]> {
    return hasRules(schema) ? yield* ruleFaults(this.#served.node, path, isFaulty) : [];
  }
}
