import {frozenCopy} from '../../sdk/objects/frozen-copy.js';
import type {AuthorizationAttributes, Authorizer} from '../../sdk/contracts/authorizer.js';
import type {ResourceRule} from '../../sdk/contracts/user-rules.js';
import {checks as t} from './checks.js';
import type {ConformanceTest} from './conformance-test.js';
import {hostileTexts} from './inputs.js';

/** What is asked for; what is left out is that of `get` on the ConfigMap `settings` in `default`. */
export type AskedAttributes = Pick<AuthorizationAttributes, 'user'> & Partial<AuthorizationAttributes>;

export interface AuthorizationCases<C = unknown> {
  /** Makes the authorizer, once a test; started if it has a `start`. It gets what the runner gives to a test. */
  readonly create: (context: C) => Authorizer | Promise<Authorizer>;
  readonly allowed: readonly AskedAttributes[];
  readonly denied?: readonly AskedAttributes[];
  /** What it leaves to others. */
  readonly undecided?: readonly AskedAttributes[];
}

/** The suite that every `Authorizer` passes. */
export function authorizerConformance<C = unknown>({
  create,
  allowed,
  denied = [],
  undecided = [],
}: AuthorizationCases<C>): ConformanceTest<C>[] {
  const test = (title: string, body: (authorizer: Authorizer) => Promise<void>): ConformanceTest<C> => ({
    title,
    alone: false,
    timeoutMillis: 30_000,
    run: async (context) => body(await create(context)),
  });
  const expected = [
    ...allowed.map((asked) => ({asked, decision: 'allow'})),
    ...denied.map((asked) => ({asked, decision: 'deny'})),
    ...undecided.map((asked) => ({asked, decision: 'no-opinion'})),
  ];
  return [
    test('what it is asked for is allowed, denied or left to others as it should be', async (authorizer) => {
      t.true(expected.length > 0, 'the suite needs something to ask for');
      for (const {asked, decision} of expected) t.is((await authorizer.authorize(attributesOf(asked))).decision, decision, shown(asked));
    }),
    test('many questions at once are not mixed up, and asking changes nothing', async (authorizer) => {
      const all = Array.from({length: 64}, (_, index) => expected[index % expected.length]!);
      const decisions = await Promise.all(all.map(async ({asked}) => authorizer.authorize(attributesOf(asked))));
      t.deepEqual(
        decisions.map(({decision}) => decision),
        all.map(({decision}) => decision),
      );
    }),
    test('whatever a client asks for is decided, in time', async (authorizer) => {
      const {user} = expected[0]!.asked;
      for (const text of hostileTexts) {
        const odd: AskedAttributes[] = [
          ...(['verb', 'group', 'version', 'resource', 'subresource', 'namespace', 'name'] as const).map((member) => ({
            user,
            [member]: text,
          })),
          {user, isResourceRequest: false, path: `/${text}`},
          {user: {username: text, groups: [text]}},
          {user: {username: 'nobody', groups: []}},
        ];
        const started = performance.now();
        for (const asked of odd) {
          const {decision} = await authorizer.authorize(attributesOf(asked));
          t.true(['allow', 'deny', 'no-opinion'].includes(decision), `${shown(asked)}: it answers ${String(decision)}`);
        }
        t.true(performance.now() - started < 2000, `deciding on ${text.slice(0, 20)}… takes too long`);
      }
    }),
    test('the rules that it tells are those that it decides by', async (authorizer) => {
      if (!authorizer.rulesFor) return;
      for (const asked of allowed.map(attributesOf).filter((each) => each.isResourceRequest)) {
        const {resourceRules, incomplete} = await authorizer.rulesFor(asked.user, asked.namespace);
        t.true(incomplete || resourceRules.some((rule) => covers(rule, asked)), `${shown(asked)}: it is allowed, and no rule says so`);
      }
      for (const asked of [...denied, ...undecided].map(attributesOf).filter((each) => each.isResourceRequest)) {
        const {resourceRules} = await authorizer.rulesFor(asked.user, asked.namespace);
        t.false(
          resourceRules.some((rule) => covers(rule, asked)),
          `${shown(asked)}: it is not allowed, and a rule says that it is`,
        );
      }
    }),
  ];
}

function attributesOf(asked: AskedAttributes): AuthorizationAttributes {
  return frozenCopy({
    verb: 'get',
    isResourceRequest: true,
    path: '',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'default',
    name: 'settings',
    ...asked,
  });
}

function covers(rule: ResourceRule, {verb, group, resource, subresource, name}: AuthorizationAttributes): boolean {
  const has = (list: readonly string[], value: string) => list.includes(value) || list.includes('*');
  const target = subresource === '' ? resource : `${resource}/${subresource}`;
  const named = !rule.resourceNames?.length || rule.resourceNames.includes(name);
  return (
    named &&
    has(rule.verbs, verb) &&
    has(rule.apiGroups, group) &&
    (has(rule.resources, target) || rule.resources.includes(`*/${subresource}`))
  );
}

function shown({user, verb = 'get', resource = 'configmaps', path}: AskedAttributes): string {
  return `${user.username.slice(0, 40)} ${verb.slice(0, 40)} ${(path || resource).slice(0, 40)}`;
}
