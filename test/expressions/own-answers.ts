import {SchemaCatalog} from '../../core/api/object-schema/schema-catalog.js';
import {evaluateRules} from '../../core/api/cel/evaluate-rules.js';
import {RuleSet} from '../../core/api/cel/rule-set.js';
import {faultsOfRules} from '../../core/api/cel/rule-faults.js';
import type {JsonSchema} from '../../core/api/schema/json-schema.js';
import {FieldPath, type FieldError, type JsonObject} from '../../sdk/index.js';
import type {Interruptible} from '../../sdk/values/interruptible.js';
import {ruleFormFaults} from '../../plugins/resources/apiextensions/validation/schema/rule-form-faults.js';
import {schemaOf, type CaseAnswer, type CaseCause, type ExpressionCase} from './expression-case.js';

const meta = {apiVersion: 'cases.example.com/v1', kind: 'Case', metadata: {name: 'a'}};

const catalogs = new Map<string, SchemaCatalog>();

function catalogOf(release: string): SchemaCatalog {
  let catalog = catalogs.get(release);
  if (!catalog) catalogs.set(release, (catalog = new SchemaCatalog(undefined, release)));
  return catalog;
}

/** What we say of a case: of its rule, and of its values if the rule is accepted. */
export function ownAnswer(one: ExpressionCase, release: string): CaseAnswer {
  const root: JsonSchema = {type: 'object', properties: {spec: {type: 'object', properties: {p: schemaOf(one)}}}};
  const schema = catalogOf(release).fromInline(root);
  const path = FieldPath.root.child('spec', 'validation', 'openAPIV3Schema');
  const place = path.child('properties').key('spec').child('properties').key('p');
  const form = ruleFormFaults(root.properties!['spec']!.properties!['p'] as never, place, schema.node.behaviour.hasShortDetails);
  const definition = causesOf(form.length > 0 ? form : done(faultsOfRules(schema.node, path, () => false)), place.toString(), true);
  if (one.values === undefined || definition.length > 0) return {definition};
  const objectOf = (value: unknown) => ({...meta, spec: {p: value}}) as unknown as JsonObject;
  const rules = new RuleSet(schema.node);
  const answer = (value: unknown, old?: unknown) =>
    causesOf(done(evaluateRules(rules, objectOf(value), old === undefined ? undefined : objectOf(old))), 'spec.p');
  const values = one.values.map(({value, old}) => {
    const before = old === undefined ? [] : answer(old);
    // What cannot be created cannot be changed.
    return before.length > 0
      ? [{field: '', reason: 'NotStored', message: before.map(({message}) => message).join('\n')}]
      : answer(value, old);
  });
  return {definition, values};
}

function done<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function causesOf(faults: readonly FieldError[], prefix: string, isSchema = false): CaseCause[] {
  return faults.map(({field, reason, body}) => ({
    field: field.startsWith(prefix) ? field.slice(prefix.length).replace(isSchema ? /^\./ : '', '') : field,
    reason,
    message: body,
  }));
}
