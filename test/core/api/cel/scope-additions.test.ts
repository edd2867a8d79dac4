import test from 'ava';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {VariableScope} from '../../../../core/api/cel/expression-scope.js';
import {ExpressionError, ExpressionPending, type ExpressionAuthorizer, type ExpressionValues} from '../../../../sdk/index.js';

const scope = VariableScope.of(
  new Map([
    ['object', undefined],
    ['place', new SchemaCatalog().inlineNode({type: 'object', properties: {name: {type: 'string'}}})],
  ]),
);
const user = {username: 'alice', groups: ['dev']};
const requestResource = {group: '', resource: 'pods', subresource: '', namespace: 'a', name: 'b'};

/** Lets `alice` get whatever is named `b`, and fails for `c`. */
function authorizer(asked: string[] = [], areChecksDear = true): ExpressionAuthorizer {
  return {
    user,
    requestResource,
    areChecksDear,
    authorize: async ({verb, name, path, isResourceRequest, user: {username}, fieldSelector}) => {
      asked.push(`${username} ${verb} ${isResourceRequest ? name : path}${fieldSelector ? ' of some' : ''}`);
      if (name === 'c') throw new Error('no answer');
      return {decision: verb === 'get' && name === 'b' ? 'allow' : 'no-opinion', reason: 'because'};
    },
    readSelectors: () => ({fieldSelector: [{key: 'metadata.name', operator: 'In', values: ['b']}], unreadable: []}),
  };
}

async function result(text: string, values: ExpressionValues): Promise<unknown> {
  const expression = scope.extend({authorizer: true}).compile(text, 'any');
  const budget = {left: 10_000_000};
  for (;;) {
    try {
      return expression.evaluate(values, budget);
    } catch (error) {
      if (!ExpressionPending.is(error)) throw error;
      expectUncharged(budget.left);
      await error.ready();
    }
  }
}

/** An evaluation that has to wait takes nothing. */
function expectUncharged(left: number): void {
  if (left !== 10_000_000) throw new Error('an evaluation that waits has been charged');
}

test('expressions ask an authorizer each question once, and go on when it has answered', async (t) => {
  const asked: string[] = [];
  const values = scope.bind({object: {}, place: null}, () => authorizer(asked));
  const pods = "authorizer.group('').resource('pods')";
  t.true(await result(`${pods}.name('b').check('get').allowed() && authorizer.requestResource.check('get').reason() == 'because'`, values));
  t.false(await result(`${pods}.name('x').check('get').allowed()`, values));
  t.false(await result(`${pods}.name('x').check('get').allowed()`, values));
  t.is(await result(`${pods}.name('c').check('get').error()`, values), 'no answer');
  t.false(await result("authorizer.path('/healthz').check('get').errored()", values));
  t.false(await result("authorizer.serviceAccount('ns', 'sa').path('/healthz').check('get').allowed()", values));
  t.false(await result(`${pods}.fieldSelector('metadata.name=b').check('list').allowed()`, values));
  t.deepEqual(asked, [
    'alice get b',
    'alice get b',
    'alice get x',
    'alice get c',
    'alice get /healthz',
    'system:serviceaccount:ns:sa get /healthz',
    'alice list  of some',
  ]);
});

test('whom expressions ask is made when one asks, once', async (t) => {
  let made = 0;
  const values = scope.bind({object: {}, place: null}, () => {
    made += 1;
    return authorizer();
  });
  t.true(await result('true', values));
  t.is(made, 0);
  const allowed = "authorizer.group('').resource('pods').name('b').check('get').allowed()";
  t.true(await result(allowed, values));
  t.true(await result(`${allowed} && authorizer.requestResource.check('get').reason() == 'because'`, values));
  t.is(made, 1);
});

test('an expression can make two checks, and no operator hides that it has to wait', async (t) => {
  const values = scope.bind({object: {}, place: null}, () => authorizer());
  const check = (verb: string) => `authorizer.path('/x').check('${verb}').allowed()`;
  t.false(await result(`${check('a')} || ${check('b')}`, values));
  t.true(await result(`true || ${check('a')}`, values));
  await t.throwsAsync(result(`${check('a')} || ${check('b')} || ${check('c')}`, values), {message: 'cost limit exceeded'});
});

test('an expression can make a hundred checks where they are cheap', async (t) => {
  const values = scope.bind({object: {}, place: null}, () => authorizer([], false));
  const checks = (count: number) =>
    `${JSON.stringify(Array.from({length: count}, (_, at) => at))}.all(i, !authorizer.path('/' + string(i)).check('get').allowed())`;
  t.true(await result(checks(90), values));
  await t.throwsAsync(result(checks(110), values), {message: 'cost limit exceeded'});
});

test('results are typed, read when an expression comes to them, and may fail on their own', (t) => {
  const extended = scope.extend({results: {variables: {size: 'int', names: 'list(string)', other: 'object1'}}});
  let reads = 0n;
  const values = scope.bind({object: {}, place: null}).withResults('variables', {
    size: () => (reads += 1n),
    names: () => ['a'],
    other: () => {
      throw new Error('it is not there');
    },
  });
  const evaluate = (text: string) => extended.compile(text, 'any').evaluate(values, {left: 1_000_000});
  t.is(evaluate("'a' in variables.names || variables.size > 0"), true);
  t.is(reads, 0n);
  t.is(evaluate('variables.size + 1'), 2n);
  t.is(evaluate('variables.other == 1 || true'), true);
  t.throws(() => evaluate('variables.other == 1'), {message: 'it is not there'});
  for (const wrong of ["variables.size == 'x'", 'variables.nothing == 1', 'variables.names == 1'])
    t.throws(() => extended.compile(wrong, ['bool']), {instanceOf: ExpressionError}, wrong);
});

test('an evaluation within another has a count of its own, and what waits within it ends both', (t) => {
  const inner = scope.compile('[1, 2, 3].all(i, i > 0)', ['bool']);
  const extended = scope.extend({results: {variables: {inner: 'bool', later: 'bool'}}});
  const budget = {left: 1_000_000};
  const pending = new ExpressionPending(() => Promise.resolve());
  const base = scope.bind({object: {}, place: null});
  const values = base.withResults('variables', {
    inner: () => inner.evaluate(base, budget),
    later: () => {
      throw pending;
    },
  });
  t.true(extended.compile('variables.inner && variables.inner', ['bool']).evaluate(values, budget));
  const spent = 1_000_000 - budget.left;
  t.true(spent > 0 && spent < 1_000, `${spent}`);
  t.is(
    t.throws(() => extended.compile('variables.later || true', ['bool']).evaluate(values, budget)),
    pending,
  );
  t.is(1_000_000 - budget.left, spent);
});

test('only a type that is known beforehand is exactly the one that is asked for', (t) => {
  t.is(scope.compile('object.x == 1', ['bool']).resultType, 'bool');
  t.is(scope.compile("has(object.x) ? 'a' : 'b'", ['string', 'null']).resultType, 'string');
  t.throws(() => scope.compile('object.x', ['bool']), {message: 'must evaluate to bool but got dyn'});
  t.throws(() => scope.compile('[1]', ['string', 'null']), {message: 'must evaluate to one of [string null_type] but got list(int)'});
});

test('a variable that is an object can be null, and has no members then', (t) => {
  const evaluate = (text: string, place: {name: string} | null) =>
    scope.compile(text, 'any').evaluate(scope.bind({object: {}, place}), {left: 1_000_000});
  t.true(evaluate('place == null', null));
  t.false(evaluate('place == null', {name: 'a'}));
  t.false(evaluate('has(place.name)', null));
  t.throws(() => evaluate('place.name', null), {message: /no such key: name/});
});
