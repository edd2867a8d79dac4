import test from 'ava';
import {VariableScope} from '../../../../core/api/cel/expression-scope.js';
import type {ExpressionError, ExpressionType, JsonValue} from '../../../../sdk/index.js';

const scope = VariableScope.of(new Map([['object', undefined]]));
const object = {name: 'n', items: [{name: 'a'}, {name: 'b'}], big: 9007199254740993n, none: null};

function evaluate(text: string, type: ExpressionType = 'applyConfiguration'): unknown {
  return scope.compile(text, type).evaluate(scope.bind({object: object as JsonValue}), {left: 100_000});
}

/** Why an expression does not compile or evaluate. */
function problem(text: string, type?: ExpressionType): string {
  try {
    evaluate(text, type);
    return '';
  } catch (error) {
    return (error as ExpressionError).message;
  }
}

test('what is constructed is given as JSON', (t) => {
  t.deepEqual(
    evaluate(`Object{
      text: object.name + "!", number: 1, real: 1.5, whole: 2u, flag: true, nothing: object.none, all: object.items,
      map: {"a": 1}, list: [1, 2], big: object.big, bytes: b"abc", time: timestamp("2020-01-01T00:00:00Z"),
      ?given: optional.of("x"), ?missing: object.?wrong, inner: Object.inner{a: Object.inner.a{}}}`),
    {
      ...{text: 'n!', number: 1, real: 1.5, whole: 2, flag: true, nothing: null, all: object.items},
      ...{map: {a: 1}, list: [1, 2], big: object.big, bytes: 'YWJj', time: '2020-01-01T00:00:00Z'},
      ...{given: 'x', inner: {a: {}}},
    },
  );
  t.deepEqual(
    evaluate('object.items.map(i, JSONPatch{op: "add", path: "/" + jsonpatch.escapeKey("~" + i.name + "/"), value: i})', 'jsonPatch'),
    [
      {op: 'add', path: '/~0a~1', value: {name: 'a'}},
      {op: 'add', path: '/~0b~1', value: {name: 'b'}},
    ],
  );
  t.deepEqual(evaluate('false ? [JSONPatch{op: "remove", path: "/a"}] : []', 'jsonPatch'), []);
});

test('the names of constructed objects tell their fields', (t) => {
  const wrong = (found: string, expected: string) =>
    `type mismatch: unexpected type name "${found}", expected "${expected}", which matches field name path from root Object type`;
  t.is(problem('Object{a: Object.b{}}'), wrong('Object.b', 'Object.a'));
  t.is(problem('Object{a: [Object.a{b: Object.a{}}]}'), wrong('Object.a', 'Object.a.b'));
  t.is(problem('Object{a: {"key": Object.a.key{}}}'), wrong('Object.a.key', 'Object.a'));
  t.is(problem('[JSONPatch{op: "add", path: "/a", value: Object.a{b: Object.b{}}}]', 'jsonPatch'), wrong('Object.b', 'Object.a.b'));
  t.is(problem('[JSONPatch{op: "add", path: "/a", value: Object.a.b{}}]', 'jsonPatch'), '');
});

test('expressions of mutations evaluate to what their kind asks for', (t) => {
  t.is(problem('1'), 'must evaluate to Object but got int');
  t.regex(problem('Object.spec{}'), /^must evaluate to Object but got /);
  t.is(problem('Object{}', 'jsonPatch'), 'must evaluate to list(JSONPatch) but got Object');
  t.is(problem('[Object{}]', 'jsonPatch'), 'must evaluate to list(JSONPatch) but got list(Object)');
  t.is(problem('object.name'), 'must evaluate to Object but got dyn');
  t.is(problem('[]', 'jsonPatch'), 'must evaluate to list(JSONPatch) but got list(dyn)');
  t.is(problem('true ? Object{} : Object{a: 1}'), '');
});

test('only objects and patches can be constructed, with the fields that they have', (t) => {
  const failed = (text: string, column: number, fault: string) =>
    `compilation failed: ERROR: <input>:1:${column + 1}: ${fault}\n | ${text}\n | ${'.'.repeat(column)}^`;
  for (const [text, column, fault] of [
    ['Thing{a: 1}', 5, "undeclared reference to 'Thing' (in container '')"],
    ['[JSONPatch{op: "add", pth: "/"}]', 25, "undefined field 'pth'"],
    ['[JSONPatch{op: 1}]', 13, "expected type of field 'op' is 'string' but provided type is 'int'"],
    ['Object{?a: 1}', 11, "expected type 'optional_type(int)' but found 'int'"],
  ] as const)
    t.is(problem(text, text.startsWith('[') ? 'jsonPatch' : undefined), failed(text, column, fault));
  t.regex(problem('Object{a: nowhere}'), /^compilation failed: /);
  t.regex(problem('Object{a: }'), /^compilation failed: /);
  t.regex(problem('Object{}', 'any'), /^compilation failed: /);
});

test('what is constructed and written as JSON is charged', (t) => {
  const list = `[${Array.from({length: 60}, (_, index) => index).join()}]`;
  t.is(problem(`Object{a: ${list}.map(x, ${list}.map(y, ${list}.map(z, Object.a{b: x, c: y, d: z})))}`), 'cost limit exceeded');
  const large = {large: Array.from({length: 20_000}, (_, index) => index)};
  const fields = Array.from({length: 40}, (_, index) => `f${index}: object.large`).join();
  const expression = scope.compile(`Object{${fields}}`, 'applyConfiguration');
  t.throws(() => expression.evaluate(scope.bind({object: large}), {left: 10_000_000}), {message: 'cost limit exceeded'});
});
