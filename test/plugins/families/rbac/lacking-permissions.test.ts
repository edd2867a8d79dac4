import test from 'ava';
import {lackingPermissions} from '../../../../plugins/families/rbac/lacking-permissions.js';
import type {PolicyRule} from '../../../../plugins/families/rbac/policy-rule.js';
import {ruleText} from '../../../../plugins/families/rbac/rule-text.js';
import {WorkExceeded} from '../../../../sdk/values/sliced-work.js';
import {isWithin, longestTurn} from '../../../helpers/longest-turn.js';
import {Random} from '../../../helpers/random.js';
import {testTask} from '../../../helpers/test-task.js';

const all = 1_000_000;
const texts = (letter: string, count: number) => Array.from({length: count}, (_, index) => `${letter}${index}`);

/** One permission after the other, as the rules say it in words; written apart from the code that is tested. */
function* permissions({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): Generator<Record<string, string | undefined>> {
  for (const verb of verbs ?? []) {
    for (const path of nonResourceURLs ?? []) yield {verb, path};
    for (const group of apiGroups ?? []) {
      for (const resource of resources ?? []) {
        for (const name of resourceNames?.length ? resourceNames : [undefined]) yield {verb, group, resource, name};
      }
    }
  }
}

function holds(rule: PolicyRule, {verb, path, group, resource, name}: Record<string, string | undefined>): boolean {
  const has = (values: readonly string[] | null | undefined, value: string) => values?.some((one) => one === '*' || one === value) ?? false;
  if (!has(rule.verbs, verb!)) return false;
  if (path !== undefined) {
    return rule.nonResourceURLs?.some((one) => one === path || (one.endsWith('*') && path.startsWith(one.replace(/\*+$/, '')))) ?? false;
  }
  const subresource = resource!.includes('/') ? [`*/${resource!.split('/')[1]}`] : [];
  const resourceHeld = has(rule.resources, resource!) || subresource.some((one) => rule.resources?.includes(one));
  return (
    has(rule.apiGroups, group!) &&
    resourceHeld &&
    (!rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name)))
  );
}

function lackingByBruteForce(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string[] {
  const lacking = wanted.flatMap((rule) => [...permissions(rule)]).filter((one) => !held.some((rule) => holds(rule, one)));
  return [...new Set(lacking.map((one) => JSON.stringify([one['verb'], one['path'], one['group'], one['resource'], one['name']])))].sort();
}

function randomRule(random: Random): PolicyRule {
  const some = (values: readonly string[], least = 1) => {
    const chosen = values.filter(() => random.chance(0.4));
    return chosen.length >= least ? chosen : [random.pick(values)];
  };
  const verbs = some(['get', 'list', 'watch', 'create', '*']);
  if (random.chance(0.2)) return {verbs, nonResourceURLs: some(['/a', '/a/b', '/a/*', '/a**', '*', '/*/c', '/b*'])};
  const names = random.chance(0.4) ? {resourceNames: some(['one', 'two', '', '*'])} : {};
  return {verbs, apiGroups: some(['', 'apps', '*']), resources: some(['pods', 'pods/log', 'nodes/log', '*/log', '*']), ...names};
}

test('what is lacking is what looking at every single permission finds', async (t) => {
  const seed = Number(process.env['SEED'] ?? 20_260_101);
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  let covered = 0;
  for (let round = 0; round < 5000; round += 1) {
    const rules = (most: number) => Array.from({length: random.below(most + 1)}, () => randomRule(random));
    const held = rules(6);
    // A part of the rounds asks for parts of what is held, so that enough of them are covered.
    const wanted = random.chance(0.5) ? rules(3) : rules(2).map((rule) => narrowed(random, rule, held));
    const expected = lackingByBruteForce(held, wanted);
    const found = await lackingPermissions(held, wanted, all, testTask());
    const context = JSON.stringify({round, held, wanted});
    t.deepEqual(lackingByBruteForce([], found.examples), expected, context);
    t.is(found.count, found.examples.length, context);
    t.true(found.complete);
    const few = await lackingPermissions(held, wanted, 1, testTask());
    t.is(few.count, found.count, context);
    t.deepEqual(few.examples, found.examples.slice(0, 1), context);
    if (expected.length === 0) covered += 1;
  }
  t.true(covered > 500, `${covered} covered`);
});

/** A rule that is likely to be covered by several held rules together. */
function narrowed(random: Random, rule: PolicyRule, held: readonly PolicyRule[]): PolicyRule {
  if (held.length < 2) return rule;
  const [one, other] = [random.pick(held), random.pick(held)];
  return {...one, verbs: [...new Set([...(one.verbs ?? []), ...(other.verbs ?? [])])]};
}

test('a name that is empty does not stand for all names', async (t) => {
  const held = [{verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['']}];
  const wanted = [{verbs: ['get'], apiGroups: [''], resources: ['secrets']}];
  t.is((await lackingPermissions(held, wanted, 1, testTask())).count, 1);
});

test.serial('rules that only thousands of others cover together are compared within bounds', async (t) => {
  const edge = 400;
  const wanted = [{verbs: texts('v', edge), apiGroups: texts('g', edge), resources: texts('r', edge)}];
  const stripe = (part: number) => ({...wanted[0]!, resources: wanted[0]!.resources.slice(part, part + 1)});
  const stripes = Array.from({length: edge}, (_, part) => stripe(part));
  const enough = await longestTurn(() => lackingPermissions(stripes, wanted, 20, testTask()));
  t.is(enough.result.count, 0);
  const tooFew = await longestTurn(() => lackingPermissions(stripes.slice(1), wanted, 20, testTask()));
  t.deepEqual([tooFew.result.count, tooFew.result.examples[0]!.resources, tooFew.result.examples[0]!.verbs?.length], [edge, ['r0'], edge]);
  t.true(await isWithin(Math.max(enough.longestMillis, tooFew.longestMillis), 100));
});

test.serial('a comparison that would take too long is given up, in favour of nobody', async (t) => {
  const random = new Random(7);
  const edge = 300;
  const half = (letter: string) => texts(letter, edge).filter(() => random.chance(0.5));
  const held = Array.from({length: 60}, () => ({verbs: half('v'), apiGroups: half('g'), resources: half('r')}));
  const wanted = [{verbs: texts('v', edge), apiGroups: texts('g', edge), resources: texts('r', edge)}];
  const {result, longestMillis} = await longestTurn(async () => {
    try {
      return await lackingPermissions(held, wanted, 20, testTask());
    } catch (error) {
      return error;
    }
  });
  t.true(result instanceof WorkExceeded || (result as {count: number}).count > 0);
  t.true(await isWithin(longestMillis, 100), `${longestMillis} ms`);
});

test('long parts of a rule are cut short in a message', (t) => {
  t.is(
    ruleText({verbs: texts('v', 22), apiGroups: [''], resources: ['x'.repeat(200)]}),
    `{APIGroups:[""], Resources:["${'x'.repeat(100)}…"], Verbs:[${texts('v', 20)
      .map((verb) => `"${verb}"`)
      .join(' ')} and 2 more]}`,
  );
});
