import type {FieldError, FieldPath, JsonObject, Task} from '../../../sdk/index.js';
import {loadNow} from '../../../sdk/plugin/load-now.js';
import type {Interruptible} from '../../../sdk/values/interruptible.js';
import type {Ratchet} from '../cel/evaluate-rules.js';
import type {SchemaNode} from '../schema/schema-node.js';

const declarations = new URL('../cel/libraries/declarations.js', import.meta.url);
const ruleSet = new URL('../cel/rule-set.js', import.meta.url);
const evaluation = new URL('../cel/evaluate-rules.js', import.meta.url);
const faults = new URL('../cel/rule-faults.js', import.meta.url);

/** What the functions here load when they are first called: to be given to `prepareToLoad`. */
export const ruleModules: readonly URL[] = [declarations, ruleSet, evaluation, faults];

/**
 * Loads what the functions here need, module by module, so that other work gets its turn in between. On first use everything would be
 * loaded at once. Not by `import`: what is being imported cannot be loaded by another use meanwhile, and one import follows another in the same turn.
 */
export async function loadRuleLibraries(task: Task): Promise<void> {
  for (const place of ruleModules) {
    await task.yield();
    loadNow(place);
  }
}

/** Evaluates the rules of a schema against an object and, on updates, the old object. */
export type RuleCheck = (object: JsonObject, old: JsonObject | undefined, ratchet: Ratchet | undefined) => Interruptible<FieldError[]>;

/** Prepares the validation rules of a schema. Expressions need a library, which is loaded when the first schema with rules is used. */
export function loadRules(root: SchemaNode): RuleCheck {
  const {RuleSet} = loadNow(ruleSet) as typeof import('../cel/rule-set.js');
  const {evaluateRules} = loadNow(evaluation) as typeof import('../cel/evaluate-rules.js');
  const rules = new RuleSet(root);
  return (object, old, ratchet) => evaluateRules(rules, object, old, ratchet);
}

/**
 * The errors of a schema's rules.
 *
 * @param path of the schema
 * @param isFaulty whether a place has errors of another kind, at or below it
 */
export function ruleFaults(root: SchemaNode, path: FieldPath, isFaulty: (path: FieldPath) => boolean): Interruptible<FieldError[]> {
  const {faultsOfRules} = loadNow(faults) as typeof import('../cel/rule-faults.js');
  return faultsOfRules(root, path, isFaulty);
}
