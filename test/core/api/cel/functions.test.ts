import test from 'ava';
import {ExpressionError} from '../../../../sdk/index.js';
import {compileRule} from '../../../../core/api/cel/compiled-rule.js';
import {dynType} from '../../../../core/api/cel/types/cel-type.js';
import {ExpressionEnvironment} from '../../../../core/api/cel/expression-environment.js';
import {celFeaturesOf} from '../../../../core/api/cel/features.js';
import {metered} from '../../../../core/api/cel/metered.js';

const environment = new ExpressionEnvironment(celFeaturesOf('1.36', 'stored'), new Map([['self', dynType]]));

function evaluate(rule: string, self: unknown = null): unknown {
  const {result, error, exceeded} = metered(100_000, () => compileRule(environment, {rule}).holds({self}));
  if (error !== undefined) throw error;
  if (exceeded) throw new Error('limit');
  return result;
}

const truths: Readonly<Record<string, readonly string[]>> = {
  'text functions count characters': [
    '"a😀b".charAt(1) == "😀"',
    '"a😀b".indexOf("b") == 2',
    '"a😀b😀".lastIndexOf("😀") == 3',
    '"aXbX".lastIndexOf("X", 2) == 1',
    '"hello".indexOf("l", 3) == 3',
    '"hello".indexOf("z") == -1',
    '"a😀bc".substring(1, 3) == "😀b"',
    '"hello".substring(3) == "lo"',
    '"héLLO".lowerAscii() == "héllo"',
    '"hÉllo".upperAscii() == "HÉLLO"',
    '"a-b-c".replace("-", "+") == "a+b+c"',
    '"a-b-c".replace("-", "+", 1) == "a+b-c"',
    '"a-b-c".split("-") == ["a", "b", "c"]',
    '"a-b-c".split("-", 2) == ["a", "b-c"]',
    '["a", "b"].join("/") == "a/b"',
    '["a", "b"].join() == "ab"',
    '" a ".trim() == "a"',
    '"aÉİß".lowerAscii() == "aÉİß" && "aÉz".upperAscii() == "AÉZ"',
    '"a😀b".split("") == ["a", "😀", "b"] && "a😀b".split("", 2) == ["a", "😀b"]',
    '"a-b".split("-", 0) == [] && "a-b".split("-", 1) == ["a-b"] && "a-b-c".split("-", -1).size() == 3 && "".split("-") == [""]',
    '"ab".replace("", "-") == "-a-b-" && "ab".replace("", "-", 2) == "-a-b" && "aXbX".replace("X", "") == "ab"',
    '"abababababac".indexOf("ababababac") == 2 && "abababababac".contains("ababababac") && !"abababab".contains("ababababac")',
    '"abcdefghij-abcdefghij-".lastIndexOf("abcdefghij") == 11 && "abcdefghij-abcdefghij".lastIndexOf("abcdefghij", 10) == 0',
    '"abcdefghij".lastIndexOf("abcdefghijk") == -1 && "abcdefghix".lastIndexOf("bcdefghij") == -1',
    'size("a😀") == 2',
  ],
  'expressions are those of RE2': [
    '"foobar".matches("^fo+bar$")',
    'matches("foobar", "o+")',
    '"a1b22".find("[0-9]+") == "1"',
    '"ab".find("[0-9]+") == ""',
    '"a1b22".findAll("[0-9]+") == ["1", "22"]',
    '"a1b22".findAll("[0-9]+", 1) == ["1"]',
  ],
  'lists can be summed, ordered and searched': [
    '[1, 2, 3].isSorted() && !["b", "a"].isSorted() && [].isSorted()',
    '[1, 2].sum() == 3 && [0.5, 0.5].sum() == 1.0',
    '[duration("1m"), duration("1s")].sum() == duration("61s")',
    '[3, 1, 2].min() == 1 && ["b", "c"].max() == "c"',
    '[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && ["a"].indexOf("b") == -1',
  ],
  'URLs have parts': [
    'url("https://user@example.com:8080/a%20b?x=1&x=2#f").getHost() == "example.com:8080"',
    'url("https://example.com:8080/a%20b?x=1").getHostname() == "example.com"',
    'url("https://example.com:8080/a%20b?x=1").getPort() == "8080"',
    'url("https://example.com:8080/a%20b?x=1").getEscapedPath() == "/a%20b"',
    'url("https://example.com/?x=1&x=2").getQuery()["x"] == ["1", "2"]',
    'url("https://[::1]:80/").getHostname() == "::1"',
    'url("https://h/?x=1&&y&x=a%20b+c&=z#x=3").getQuery() == {"x": ["1", "a b c"], "y": [""], "": ["z"]}',
    'url("/only/path?x=1#f").getQuery() == {"x": ["1"]}',
    'url("https://h/?a=%zz&b=1;2&c=3&__proto__=4").getQuery() == url("https://h/?c=3&__proto__=4").getQuery()',
    'url("https://h").getQuery().size() == 0',
    'url("/only/path?q").getEscapedPath() == "/only/path" && url("/only/path").getScheme() == ""',
    'isURL("https://a") && isURL("/a") && !isURL("a b") && !isURL("a")',
  ],
  'addresses, quantities and times': [
    'isIP("10.0.0.1") && isIP("fe80::1") && !isIP("10.0.0") && isCIDR("10.0.0.0/8") && !isCIDR("10.0.0.0")',
    'isQuantity("1.5Gi") && !isQuantity("1.5X")',
    'quantity("1Ki") == quantity("1024") && quantity("200M").isLessThan(quantity("1G")) && quantity("1").isGreaterThan(quantity("999m"))',
    'quantity("50k").add(quantity("20k")).asInteger() == 70000 && quantity("50k").sub(20000).compareTo(quantity("30k")) == 0',
    'semver("1.10.0").isGreaterThan(semver("1.9.3")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0")) && semver("1.0.0-2").isLessThan(semver("1.0.0-a"))',
    'semver("1.2.3+x") == semver("1.2.3") && semver("v1.02", true).minor() == 2 && !isSemver("01.0.0") && !isSemver("v1.0.0") && isSemver("1", true)',
    'semver("1.2.3").major() == 1 && semver("1.2.3").patch() == 3 && semver("1.0.0-a.b").compareTo(semver("1.0.0-a")) == 1',
    'quantity("500m").asApproximateFloat() == 0.5 && !quantity("500m").isInteger() && sign(quantity("-1")) == -1',
    'string(duration("90s")) == "90s" && int(timestamp("1970-01-01T00:01:00Z")) == 60',
    'timestamp("2024-01-02T03:04:05Z").getFullYear() == 2024',
    'timestamp("2024-01-02T23:04:05.006Z").getHours("Asia/Tokyo") == 8 && timestamp("2024-01-02T23:04:05Z").getDate("Asia/Tokyo") == 3',
    'timestamp("2024-03-10T09:59:59Z").getHours("America/Los_Angeles") == 1 && timestamp("2024-03-10T10:00:00Z").getHours("America/Los_Angeles") == 3',
    'timestamp("2024-12-31T20:00:00Z").getDayOfYear() == 365 && timestamp("2024-12-31T20:00:00Z").getDayOfYear("+04:00") == 0',
    'timestamp("2024-01-07T00:30:00Z").getDayOfWeek() == 0 && timestamp("2024-01-07T00:30:00Z").getDayOfWeek("-01:00") == 6',
    'timestamp("2024-01-02T03:04:05.006Z").getMilliseconds("Asia/Tokyo") == 6 && timestamp("2024-01-02T03:04:05Z").getMinutes("Asia/Kolkata") == 34',
    'timestamp("2024-01-02T00:00:00Z").getMonth("UTC") == 0 && timestamp("2024-01-02T00:00:00Z").getDayOfMonth("") == 1',
    'duration("90m").getHours() == 1 && duration("90m").getMinutes() == 90',
  ],
  'macros and optional values': [
    '[1, 2, 3].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 1].exists_one(x, x == 1) == false',
    '[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]',
    '{"a": 1, "b": 2}.all(k, k != "c")',
    'optional.of(2).optMap(x, x * x).value() == 4',
    'optional.of(1).orValue(2) == 1 && optional.none().orValue(2) == 2',
    'has({"a": 1}.a) && !has({"a": 1}.b) && has([{"a": 1}][0].a)',
    '1 < 2 ? true : false',
  ],
};

for (const [title, rules] of Object.entries(truths)) {
  test(title, (t) => {
    for (const rule of rules) t.true(evaluate(rule), rule);
  });
}

test('what cannot be evaluated fails with a reason', (t) => {
  const failures: Readonly<Record<string, RegExp>> = {
    '[1, 2].filter(x, x > 2).min() == 1': /min called on empty list/,
    '"abc".substring(2, 1) == ""': /^invalid substring range\. start: 2, end: 1$/,
    '"abc".charAt(4) == ""': /index out of range/,
    'url("no url").getHost() == ""': /URL parse error/,
    'sign(quantity("x")) == 0': /^quantities must match the regular expression /,
    'semver("1.2").major() == 1': /^No Major\.Minor\.Patch elements found$/,
    'quantity("500m").asInteger() == 0': /cannot convert value to integer/,
    'quantity("99999999999999999999").asInteger() == 0': /cannot convert value to integer/,
    'duration("soon") == duration("1s")': /invalid duration/,
    '1 / 0 == 1': /division by zero/,
    'timestamp(0).getHours("nowhere") == 0': /unknown time zone nowhere/,
    '9223372036854775807 + 1 > 0': /overflow/,
  };
  for (const [rule, reason] of Object.entries(failures)) t.throws(() => evaluate(rule), {message: reason}, rule);
});

test('expressions with faults are not compiled, and speak of functions by their names', (t) => {
  const failures: Readonly<Record<string, RegExp>> = {
    'self.a >': /^compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting /,
    '"a".matches(1)': /found no matching overload for 'matches' applied to 'string\.\(int\)'/,
    'duration(true) == duration("1s")': /found no matching overload for 'duration' applied to '\(bool\)'/,
    '"a".matches("(?=a)")': /invalid matches argument/,
    '1 + 1': /cel expression must evaluate to a bool/,
    '1 == "1"': /found no matching overload for '_==_' applied to '\(int, string\)'/,
    'unknown == 1': /undeclared reference to 'unknown' \(in container ''\)/,
    'has(self)': /invalid argument to has\(\) macro/,
  };
  for (const [rule, reason] of Object.entries(failures))
    t.throws(() => compileRule(environment, {rule}), {instanceOf: ExpressionError, message: reason}, rule);
});
