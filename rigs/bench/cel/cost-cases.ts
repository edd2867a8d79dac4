/** Values by the name of the variable that expressions find them in. */
export interface Values {
  /** Texts of `size` characters. */
  readonly text: string;
  readonly other: string;
  /** Lists of `size` items. */
  readonly texts: readonly string[];
  readonly ints: readonly bigint[];
  readonly any: unknown;
}

export interface CostCase {
  readonly expression: string;
  /** Instead of plain ones. */
  readonly values?: (size: number) => Partial<Values>;
}

const filled = (part: string) => (size: number) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
const ascii = filled('abcdefgh');
const mixed = filled('aAaAéA');
const astral = filled('a😀b');

const numbers = (size: number) => Array.from({length: size}, (_, index) => BigInt(index));

/** Each is made when it is first read. */
export function plainValues(size: number): Values {
  const made: Partial<Record<keyof Values, unknown>> = {};
  return {
    other: 'xy',
    get text() {
      return (made.text ??= ascii(size)) as string;
    },
    get texts() {
      return (made.texts ??= Array.from({length: size}, (_, index) => `item-${index}`)) as string[];
    },
    get ints() {
      return (made.ints ??= numbers(size)) as bigint[];
    },
    get any() {
      return (made.any ??= numbers(size));
    },
  };
}

const cases: CostCase[] = [];
/** Expressions about texts of one kind. */
function onTexts(text: (size: number) => string, expressions: readonly string[], more: (size: number) => Partial<Values> = () => ({})) {
  for (const expression of expressions) cases.push({expression, values: (size) => ({text: text(size), ...more(size)})});
}
const plain = (...expressions: string[]) => cases.push(...expressions.map((expression) => ({expression})));

// Operators, macros and accesses.
plain('1 + 2 * 3 - 4 / 2 % 2 == 5', '-1 < 2 && !(2 <= 1) || 3 > 4 || 4 >= 5', '1.5 + 2.5 * 2.0 == 6.5', 'true ? 1 == 1 : 2 == 2');
plain(
  'uint(1) + uint(2) * uint(3) - uint(4) / uint(2) % uint(2) == uint(5)',
  'dyn(1) + dyn(2) == dyn(3)',
  'dyn(1) < dyn(2)',
  'type(text) == string',
);
plain(
  'text == text + ""',
  'text + "a" <= text + "b"',
  'text == other',
  'text + other != text',
  'text < other',
  '[text] == [other]',
  '{"a": text} == {"a": other}',
  'b"ab" + b"cd" == b"abcd"',
);
plain(
  'ints == ints',
  'any == any',
  'texts == texts + []',
  '(ints + ints).size() > 0',
  '1 in ints',
  '-1 in ints',
  'text in texts',
  '"a" in {"a": 1}',
  'any in [any]',
);
plain(
  'ints[0] >= 0',
  'any[0] >= 0',
  '{"a": {"b": 1}}.a.b == 1',
  'has({"a": 1}.a)',
  '{"a": 1}[?"b"].orValue(2) == 2',
  'optional.of(1).or(optional.none()).hasValue()',
);
plain(
  'optional.of(text).value() == text',
  'optional.of(text).optMap(x, x + x).value().size() > 0',
  '[1, 2, 3, 4] == [4, 3, 2, 1]',
  '{"a": 1, "b": 2, "c": 3}.size() == 3',
);
plain(
  'ints.all(x, x >= 0)',
  'ints.exists(x, x < 0)',
  'ints.exists_one(x, x == 1)',
  'ints.filter(x, x > 1).size() >= 0',
  'ints.map(x, x + 1).size() >= 0',
  'ints.map(x, x > 1, x).size() >= 0',
);
plain(
  'any.all(x, x >= 0)',
  'any.map(x, [x]).size() >= 0',
  'texts.all(x, x != text)',
  'ints.all(x, x / 0 > 1 || true)',
  'any.all(x, x.a == 1 || true)',
  'texts.all(x, bool(x) || true)',
);
plain(
  'any.map(x, {"a": x}).all(y, y.a >= 0)',
  'texts.map(x, x + text).size() >= 0',
  'ints.all(x, ints.exists(y, y < 0) || true)',
  'ints.all(x, any.all(y, y.a == x || true) || true) || true',
);

// Texts, as they are mostly and as they are worst.
const all = [
  'text.size() >= 0',
  'text.lowerAscii() != other',
  'text.upperAscii() != other',
  'text.trim() != other',
  'strings.quote(text) != other',
];
const cuts = [
  'text.charAt(text.size() / 2) != other',
  'text.substring(text.size() / 2) != other',
  'text.substring(1, text.size() / 2) != other',
];
const searches = [
  'text.contains(other)',
  'text.indexOf(other) < 0',
  'text.lastIndexOf(other) < 0',
  'text.indexOf(other, 1) < 0',
  'text.lastIndexOf(other, text.size() - 1) < 0',
];
const parts = [
  'text.split("").size() > 0',
  'text.split("a").size() > 0',
  'text.split("a", 3).size() > 0',
  'text.replace("a", "xyz").size() > 0',
  'text.replace("", "-").size() > 0',
];
for (const text of [ascii, mixed, astral]) onTexts(text, [...all, ...cuts, ...searches, ...parts]);
onTexts(filled(' '), ['text.trim() == ""']);
onTexts((size) => `${' '.repeat(size)}a`, ['text.trim() == "a"']);
const hard = (size: number) => ({other: `${'a'.repeat(Math.min(size / 2, 5_000))}b${'a'.repeat(Math.min(size / 2, 5_000))}`});
onTexts(filled('a'), searches, hard);
onTexts(filled('a'), searches, (size) => ({other: `${'a'.repeat(Math.min(size / 2, 5_000))}b`}));
onTexts(filled('a'), searches, (size) => ({other: `b${'a'.repeat(Math.min(size / 2, 5_000))}`}));
onTexts(filled('a'), searches, () => ({other: 'aaaaab'}));
onTexts(filled('😀'), searches, () => ({other: '😀😀😀b'}));
onTexts(ascii, [
  'text.startsWith(text + "a")',
  'text.endsWith(text)',
  'text.matches("^[a-z]+$")',
  'text.matches("(a|b|c)*x")',
  'text.matches("[ab]*a[ab]{30}[cd]")',
  'matches(text, "x$")',
]);
onTexts(ascii, [
  'text.find("x+") == ""',
  'text.findAll("a").size() > 0',
  'text.findAll("[a-h]").size() > 0',
  'text.findAll("[a-z]{2}", 2).size() > 0',
  'text.findAll("").size() > 0',
]);
onTexts(filled('x'), ['text.find("[^a]*") != ""', 'text.find("(x|y)*") != ""', 'text.find("x$") != ""']);
onTexts(filled('é'), [
  'text.matches("^é+$")',
  'text.findAll("é").size() > 0',
  'bytes(text).size() > 0',
  'text.size() > 0',
  'isURL("https://h/" + text)',
]);
plain('texts.join() != text', 'texts.join(",") != text', 'texts.join(text) != other', 'texts.map(x, "a").join(text).size() > 0');

// Conversions.
onTexts(ascii, ['bytes(text).size() >= 0', 'string(bytes(text)) == text', 'string(text) == text', '"%s".format([text]) != other']);
onTexts(ascii, [
  'bool(text) || true',
  'double(text) > 1.0 || true',
  'int(text) > 1 || true',
  'uint(text) > uint(1) || true',
  'timestamp(text) == timestamp(0) || true',
  'duration(text) == duration("1s") || true',
]);
onTexts(filled('1'), [
  'double(text) > 1.0',
  'int(text) > 1 || true',
  'sign(quantity(text)) == 1 || true',
  'isSemver(text)',
  'isSemver(text, true)',
  'semver(text).major() == 1 || true',
  'isQuantity(text)',
  'isIP(text)',
  'isCIDR(text)',
  'duration(text + "s") == duration("1s") || true',
]);
onTexts(filled('1.'), ['isIP(text)', 'isCIDR(text + "/8")']);
onTexts(filled('1:'), ['isIP(text)', 'isCIDR(text + "/8")']);
plain(
  'string(1) == "1" && string(1.5) == "1.5" && string(true) == "true"',
  'string(uint(1)) == "1"',
  'int("12") == 12 && int(1.5) == 1',
  'double(1) == 1.0 && double("1.5") == 1.5',
  'bool("true") && bool(true)',
  'dyn(text) == text',
);
plain(
  'string(duration("1h2m")) == "1h2m0s"',
  'string(timestamp(0)) != ""',
  'int(timestamp(0)) == 0',
  'timestamp("2026-11-23T01:02:03Z") > timestamp(0)',
  'timestamp(0) + duration("1s") > timestamp(0)',
  'timestamp(1) - timestamp(0) == duration("1s")',
);
plain(
  'duration("1h") + duration("1m") > duration("1s")',
  'duration("1h").getHours() + duration("1h").getMinutes() + duration("1h").getSeconds() + duration("1h").getMilliseconds() > 0',
);
for (const part of ['FullYear', 'Month', 'Date', 'DayOfMonth', 'DayOfWeek', 'DayOfYear', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])
  plain(`timestamp(0).get${part}() >= 0`, `timestamp(0).get${part}("Asia/Tokyo") >= 0`, `timestamp(0).get${part}("+02:00") >= 0`);
plain(
  'timestamp(0).getHours("nowhere/" + text) >= 0 || true',
  'ints.all(x, timestamp(x).getHours("Asia/Tokyo") >= 0)',
  'ints.all(x, timestamp(0).getHours("nowhere" + string(x)) >= 0 || true)',
);

// Lists, URLs, quantities.
plain(
  'ints.isSorted()',
  'ints.sum() >= 0',
  'ints.min() == 0',
  'ints.max() >= 0',
  'texts.isSorted() || true',
  'texts.min() != ""',
  'texts.max() != ""',
  'ints.indexOf(-1) < 0',
  'ints.lastIndexOf(-1) < 0',
  'texts.indexOf(text) < 0',
  'texts.lastIndexOf(text) < 0',
);
plain(
  'ints.map(x, duration("1s")).sum() > duration("1s") || true',
  'ints.map(x, timestamp(x)).isSorted()',
  'ints.map(x, timestamp(x)).indexOf(timestamp(-1)) < 0',
  'ints.map(x, duration("2s")).max() > duration("1s")',
);
const link = (part: string) => (size: number) => `https://user@example.com:8080/p?${filled(part)(size)}#f`;
for (const part of ['a=1&', 'a&', '&', '%61=%62&', '+=+&', 'é=1&']) onTexts(link(part), ['url(text).getQuery().size() >= 0']);
onTexts(link('a=1&'), [
  'url(text).getHost() != "" && url(text).getScheme() != ""',
  'url(text).getHostname() != "" && url(text).getPort() != ""',
  'url(text).getEscapedPath() != ""',
  'url(text) == url(text)',
]);
for (const start of ['https://h/', 'https://', '/', 'x:'])
  for (const part of ['a', '../', 'é', 'é.', '%61', '@', ':']) onTexts((size) => start + filled(part)(size), ['isURL(text)']);
plain(
  'quantity("1Ki").isGreaterThan(quantity("1")) && quantity("1Ki").isLessThan(quantity("1Mi"))',
  'quantity("1").add(1).add(quantity("1")).sub(1).sub(quantity("1")).compareTo(quantity("1")) == 0',
);
plain(
  'quantity("1").isInteger() && quantity("1").asInteger() == 1 && quantity("1").asApproximateFloat() == 1.0',
  'quantity("1") == quantity("1")',
  'semver("1.2.3-a.1").isGreaterThan(semver("1.2.3-a.0")) && semver("1.0.0").isLessThan(semver("v1.1", true))',
  'semver("1.2.3").compareTo(semver("1.2.3")) == 0 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3',
  'semver("1.2.3") == semver("1.2.3")',
  'isQuantity("1.5Gi")',
  'isIP("10.0.0.1")',
  'isIP("fe80::1")',
  'isCIDR("10.0.0.0/8")',
);

plain(
  'sets.contains(ints, ints)',
  'sets.equivalent(ints, ints)',
  'sets.intersects(ints, [-1]) || true',
  'sets.intersects(texts, [text]) || true',
  'ints.sort().size() >= 0',
  'texts.sort().size() >= 0',
  'texts.sortBy(x, x + "a").size() >= 0',
  'ints.distinct().size() >= 0',
  'texts.distinct().size() >= 0',
  'ints.reverse().size() >= 0',
  'ints.slice(0, ints.size() / 2).size() >= 0',
  '[ints, ints].flatten().size() >= 0',
  'lists.range(ints.size()).size() >= 0',
  'ints.map(x, optional.of(x)).size() >= 0',
  'optional.unwrap(ints.map(x, optional.of(x))).size() >= 0',
  'ints.map(x, optional.of(x)).unwrapOpt().size() >= 0',
  'optional.ofNonZeroValue(text).hasValue()',
  'ints.first().hasValue() == ints.last().hasValue()',
  '"%s %s".format([ints, text]).size() > 0',
  '"%d %x %o %b %f %e".format([1, 2, 3, 4, 1.5, 2.5]).size() > 0',
);
plain(
  'ip("10.0.0.1").family() == 4 && ip.isCanonical("10.0.0.1")',
  'ip("fe80::1").isUnspecified() || ip("fe80::1").isLoopback() || ip("fe80::1").isLinkLocalUnicast()',
  'ip("fe80::1").isLinkLocalMulticast() || ip("10.0.0.1").isGlobalUnicast()',
  'cidr("10.0.0.0/8").containsIP("10.0.0.1") && cidr("10.0.0.0/8").containsCIDR("10.0.0.0/9")',
  'cidr("10.0.0.1/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").prefixLength() == 8 && cidr("10.0.0.0/8").ip() == ip("10.0.0.0")',
);
for (const format of [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
])
  plain(`format.${format}().validate(text).hasValue() || true`);
for (const format of ['labelValue', 'uri', 'uuid', 'byte', 'date', 'datetime'])
  plain(`format.${format}().validate(text).hasValue() || true`, `format.named("${format}").value().validate(text).hasValue() || true`);

export const costCases: readonly CostCase[] = cases;
