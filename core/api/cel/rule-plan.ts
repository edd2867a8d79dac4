import type {SchemaNode} from '../schema/schema-node.js';
import type {ValidationRule} from './validation-rule.js';

/** The places of a schema that have rules or lead to some. */
export interface RulePlan {
  readonly node: SchemaNode;
  readonly rules: readonly ValidationRule[];
  readonly properties: ReadonlyMap<string, RulePlan>;
  readonly items: RulePlan | undefined;
  readonly additional: RulePlan | undefined;
}

/** Finds the rules of a self-contained schema; undefined if it has none. Targets of references have no rules. */
export function rulePlanOf(node: SchemaNode): RulePlan | undefined {
  const rules = (node.schema['x-kubernetes-validations'] as readonly ValidationRule[] | undefined) ?? [];
  const properties = new Map<string, RulePlan>();
  for (const [name, described] of node.properties) {
    const property = name === 'metadata' ? (node.metadataRules ?? described) : described;
    const plan = property.reference === undefined ? rulePlanOf(property) : undefined;
    if (plan) properties.set(name, plan);
  }
  const items = node.items && node.items.reference === undefined ? rulePlanOf(node.items) : undefined;
  const additional = node.additional && node.additional.reference === undefined ? rulePlanOf(node.additional) : undefined;
  if (rules.length === 0 && properties.size === 0 && !items && !additional) return undefined;
  return {node, rules, properties, items, additional};
}
