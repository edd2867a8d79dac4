import {invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {checkMessage, ExpressionError} from './compiled-rule.js';
import {fieldPathMembers} from './field-path.js';
import type {RulePlan} from './rule-plan.js';
import {RuleSet} from './rule-set.js';
import type {ValidationRule} from './validation-rule.js';

/** What is wrong with the rules of a schema: expressions that cannot be read or have wrong types, and rules about changes that cannot be seen. */
export function faultsOfRules(root: SchemaNode, path: FieldPath): FieldError[] {
  const rules = new RuleSet(root);
  const faults: FieldError[] = [];
  if (rules.plan) visit(rules, rules.plan, path, undefined, faults);
  return faults;
}

/** @param uncorrelated where above an item cannot be told from another */
function visit(rules: RuleSet, plan: RulePlan, path: FieldPath, uncorrelated: FieldPath | undefined, faults: FieldError[]): void {
  const {node, items, additional, properties} = plan;
  plan.rules.forEach((rule, position) => faults.push(...faultsOf(rules, node, rule, path.child('x-kubernetes-validations').index(position), uncorrelated)));
  if (items) visit(rules, items, path.child('items'), uncorrelated ?? (node.listType === 'map' ? undefined : path), faults);
  if (additional) visit(rules, additional, path.child('additionalProperties'), uncorrelated, faults);
  for (const [name, property] of properties) visit(rules, property, path.child('properties').key(name), uncorrelated, faults);
}

function faultsOf(rules: RuleSet, node: SchemaNode, source: ValidationRule, path: FieldPath, uncorrelated: FieldPath | undefined): FieldError[] {
  const faults: FieldError[] = [];
  const compiled = rules.rule(node, source);
  if (compiled instanceof ExpressionError) faults.push(invalid(path.child('rule'), source.rule, compiled.message));
  else if (compiled.isTransition && uncorrelated) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`;
    faults.push(invalid(path.child('rule'), source.rule, detail));
  } else if (source.optionalOldSelf !== undefined && !compiled.isTransition) {
    faults.push(invalid(path.child('optionalOldSelf'), source.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
  }
  if (source.messageExpression) {
    try {
      checkMessage(rules.scope(node, source.optionalOldSelf === true), source.messageExpression);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      faults.push(invalid(path.child('messageExpression'), source.messageExpression, error.message));
    }
  }
  const fault = source.fieldPath ? fieldPathFault(node, source.fieldPath) : undefined;
  if (fault) faults.push(invalid(path.child('fieldPath'), source.fieldPath, fault));
  return faults;
}

function fieldPathFault(node: SchemaNode, fieldPath: string): string | undefined {
  const members = fieldPathMembers(fieldPath);
  if (!members) return 'fieldPath must be a valid path: it has the form .member or [\'member\'], repeated';
  let place: SchemaNode | undefined = node;
  for (const member of members) {
    place = place.member(member);
    if (!place) return `fieldPath must be a valid path: does not refer to a valid field (${member})`;
  }
  return undefined;
}
