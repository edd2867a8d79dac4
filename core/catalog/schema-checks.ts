import {
  CooperativeScheduler,
  invalid,
  type FieldError,
  type FieldPath,
  type Interruptible,
  type JsonValue,
  type Scheduler,
  type Schemas,
  type Task,
} from '../../sdk/index.js';
import {cloneJson} from '../api/json/clone-json.js';
import {Decoder} from '../api/schema/decode-value.js';
import {hasRules} from '../api/schema/has-rules.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import {loadRuleLibraries, ruleFaults} from '../api/object-schema/lazy-rules.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import {Validator} from '../api/schema/validation/validator.js';
import {loadRegexp, patternFault} from '../api/schema/regexp.js';
import {parseJsonPath} from '../api/table/json-path.js';

function unknownFields(path: FieldPath, shown: string): FieldError {
  return {...invalid(path, '', ''), body: `Invalid value: ${shown}: must not have unknown fields`};
}

/** Judges schemas and values with the very code that serves types. */
export class SchemaChecks implements Schemas {
  #patterns: Promise<void> | undefined;
  #rules: Promise<void> | undefined;
  readonly #catalog: SchemaCatalog;
  readonly #task: Task;

  constructor(catalog: SchemaCatalog, scheduler: Scheduler = new CooperativeScheduler()) {
    this.#catalog = catalog;
    this.#task = scheduler.task('background', 'loading what checks schemas');
  }

  valueFaults(schema: JsonSchema, value: JsonValue, path: FieldPath, mayHaveUnknown = false): FieldError[] {
    const node = this.#catalog.inlineNode(schema);
    const place = path.toString();
    const unknown: string[] = [];
    const decoder = new Decoder(unknown, place);
    decoder.value(node, cloneJson(value));
    const faults = unknown.length > 0 && !mayHaveUnknown ? [unknownFields(path, node.behaviour.words.shown(value))] : [];
    if (decoder.faults.length > 0) return [...faults, ...decoder.faults];
    const validator = new Validator(place, {acceptsAnyIntOrString: true});
    validator.check(node, value);
    return [...faults, ...(validator.embedded.length > 0 ? validator.embedded : validator.faults)];
  }

  patternFault(pattern: string): string | undefined {
    return patternFault(pattern);
  }

  knowsFormat(type: string | undefined, format: string): boolean {
    return this.#catalog.inlineNode({...(type ? {type} : {}), format}).knowsFormat;
  }

  jsonPathFault(path: string): string | undefined {
    try {
      parseJsonPath(path);
      return undefined;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return error.message;
    }
  }

  prepare(withRules: boolean): Promise<void> {
    this.#patterns ??= this.#task.yield().then(loadRegexp);
    if (!withRules) return this.#patterns;
    return (this.#rules ??= this.#patterns.then(() => loadRuleLibraries(this.#task)));
  }

  *ruleFaults(schema: JsonSchema, path: FieldPath, isFaulty: (path: FieldPath) => boolean = () => false): Interruptible<FieldError[]> {
    return hasRules(schema) ? yield* ruleFaults(this.#catalog.fromInline(schema).node, path, isFaulty) : [];
  }
}
