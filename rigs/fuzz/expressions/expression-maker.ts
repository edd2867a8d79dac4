type Type = 'bool' | 'int' | 'double' | 'text' | 'texts' | 'ints' | 'any' | 'bytes' | 'time' | 'span' | 'quantity' | 'url' | 'map';

/** Deals out what the seed has. */
export interface Dice {
  /** From 0 up to, but not, `end`. */
  below(end: number): number;
}

/** Forms of each type: a capital letter stands for another type (see `places`), `V` for a new variable. */
const places: Readonly<Record<string, Type>> = {
  B: 'bool',
  I: 'int',
  D: 'double',
  T: 'text',
  L: 'texts',
  N: 'ints',
  A: 'any',
  Y: 'bytes',
  M: 'time',
  S: 'span',
  Q: 'quantity',
  U: 'url',
  P: 'map',
};

const forms: Readonly<Record<Type, readonly string[]>> = {
  bool: [
    'true',
    'B && B',
    'B || B',
    '!B',
    'B ? B : B',
    'I == I',
    'I < I',
    'T == T',
    'T <= T',
    'A == A',
    'A != A',
    'L == L',
    'N == N',
    'P == P',
    'M < M',
    'S == S',
    'Y == Y',
    'D > D',
    'T in L',
    'I in N',
    'A in [A]',
    'T in P',
    'T.contains(T)',
    'T.startsWith(T)',
    'T.endsWith(T)',
    'T.matches("#")',
    'T.matches(T)',
    'N.all(V, V > I)',
    'N.exists(V, V == I)',
    'N.exists_one(V, V == I)',
    'L.all(V, V != T)',
    'L.exists(V, V.contains(T))',
    'A.all(V, V == A || true)',
    'A.exists(V, V.a == 1 || false)',
    'N.isSorted()',
    'L.isSorted()',
    'has(P.a)',
    'isURL(T)',
    'isIP(T)',
    'isCIDR(T)',
    'isQuantity(T)',
    'Q.isGreaterThan(Q)',
    'Q == Q',
    'Q.isInteger()',
    'bool(T)',
    'optional.of(T).hasValue()',
    'type(A) == int',
    'U == U',
    'dyn(A) == dyn(A)',
    'A < A',
    'I / I > I || true',
    'optional.of(A).optMap(V, V == V).hasValue()',
    '[A].all(V, V == V)',
    'sets.contains(N, N)',
    'sets.intersects(L, L)',
    'isSemver(T)',
    'cidr(T).containsIP(T)',
  ],
  int: [
    '0',
    '1',
    '-1',
    '7',
    '9223372036854775807',
    'I + I',
    'I - I',
    'I * I',
    'I / I',
    'I % I',
    '-I',
    'T.size()',
    'size(L)',
    'N.size()',
    'T.indexOf(T)',
    'T.indexOf(T, I)',
    'T.lastIndexOf(T)',
    'T.lastIndexOf(T, I)',
    'L.indexOf(T)',
    'L.lastIndexOf(T)',
    'N.indexOf(I)',
    'N.lastIndexOf(I)',
    'N.sum()',
    'N.min()',
    'N.max()',
    'N[I]',
    'int(T)',
    'int(D)',
    'int(M)',
    'M.getHours()',
    'M.getHours(T)',
    'M.getDayOfYear("Asia/Tokyo")',
    'M.getFullYear("+05:30")',
    'M.getMinutes()',
    'S.getSeconds()',
    'sign(Q)',
    'Q.asInteger()',
    'Q.compareTo(Q)',
    'B ? I : I',
    'P.size()',
    'Y.size()',
    'U.getQuery().size()',
    '[N].map(V, V.size())[0]',
    'ip(T).family()',
    'semver(T).major()',
    'N.map(V, V + I).size()',
  ],
  double: ['1.5', '-0.5', 'D + D', 'D * D', 'D / D', 'double(T)', 'double(I)', 'Q.asApproximateFloat()'],
  text: [
    'text',
    'other',
    'short',
    '""',
    '"a"',
    '"é😀"',
    '"a.b/c"',
    'T + T',
    'T.lowerAscii()',
    'T.upperAscii()',
    'T.trim()',
    'T.charAt(I)',
    'T.substring(I)',
    'T.substring(I, I)',
    'T.replace(T, T)',
    'T.replace(T, T, I)',
    'L[I]',
    'L.join(T)',
    'L.join()',
    'T.find("#")',
    'string(I)',
    'string(D)',
    'string(B)',
    'string(M)',
    'string(S)',
    'string(Y)',
    'U.getHost()',
    'U.getHostname()',
    'U.getScheme()',
    'U.getPort()',
    'U.getEscapedPath()',
    'B ? T : T',
    'L.min()',
    'L.max()',
    'optional.of(T).orValue(T)',
    'P[T]',
    'strings.quote(T)',
    '"%s-%d".format([T, I])',
    '"%s".format([A])',
    'optional.of(T).optMap(V, V + V).value()',
  ],
  texts: [
    'texts',
    '[T, T]',
    'T.split(T)',
    'T.split("")',
    'T.split(T, I)',
    'T.findAll("#")',
    'T.findAll("#", I)',
    'L + L',
    'L.filter(V, V != T)',
    'L.map(V, V + T)',
    'L.map(V, V.contains(T), V.trim())',
    'N.map(V, string(V))',
    'P.map(V, V)',
    'U.getQuery().map(V, V)',
    'L.sort()',
    'L.distinct()',
    'L.sortBy(V, V + T)',
    'L.slice(0, I)',
    '[L, L].flatten()',
  ],
  ints: [
    'ints',
    '[I, I, I]',
    'N + N',
    'N.filter(V, V > I)',
    'N.map(V, V * I)',
    'L.map(V, V.size())',
    'N.map(V, V > I, V)',
    'N.sort()',
    'lists.range(I)',
    'N.reverse()',
  ],
  any: [
    'any',
    'any.a',
    'any.list',
    'any.b.c',
    'A[I]',
    'A[T]',
    'A.a',
    'dyn(I)',
    'dyn(T)',
    'dyn(L)',
    'dyn(N)',
    'dyn(P)',
    '[A]',
    '[[A]]',
    'A.filter(V, V == A)',
    'A.map(V, [V])',
    'A + A',
    'any[?"a"].orValue(A)',
    '[A].map(V, [V, V])[0]',
    'optional.of(A).optMap(V, [V, V]).value()',
  ],
  bytes: ['bytes(T)', 'b"abc"', 'Y + Y'],
  time: ['timestamp(I)', 'timestamp(1790000000)', 'timestamp(T)', 'M + S', 'M - S'],
  span: ['duration("1h30m")', 'duration(T)', 'M - M', 'S + S'],
  quantity: ['quantity("1Gi")', 'quantity(T)', 'Q.add(Q)', 'Q.sub(I)'],
  url: ['url("https://h:1/p?a=1")', 'url(T)', 'url("https://h:1/p?" + T)', 'url("https://" + T)'],
  map: ['{"a": 1}', '{"a": T}', '{T: T, "b": T}', '{"a": T, "b": T, "c": T}'],
};
const patterns = [
  'a',
  '[a-h]+',
  '^(a|b)*$',
  '(a+)+b',
  'x{1,50}',
  '[^a]*',
  '(?i)abc',
  'a.*b.*c',
  '\\\\d+',
  '',
  '(a|aa)+$',
  '[ab]*a[ab]{20}c',
];

const placeholder = /(?<![A-Za-z"])[A-Z](?![A-Za-z])|#/;

/** An expression that the type check mostly accepts. */
export function makeExpression(dice: Dice): string {
  let names = 0;
  const inScope: {readonly name: string; readonly type: Type}[] = [];
  const make = (type: Type, depth: number): string => {
    const known = inScope.filter((variable) => variable.type === type);
    if (known.length > 0 && dice.below(3) === 0) return known[dice.below(known.length)]!.name;
    const all = forms[type];
    const choice = depth <= 0 ? all.filter((form) => !placeholder.test(form)) : all;
    return filled(choice[dice.below(choice.length)]!, depth - 1);
  };
  const filled = (form: string, depth: number): string => {
    let name: string | undefined;
    let isBound = false;
    // A loop's variable has the type of its list's items.
    const item = /^(?:(?:optional\.of\(|\[)([A-Z])|([A-Z]))/.exec(form);
    const type: Type = item?.[1] ? places[item[1]]! : item?.[2] === 'N' ? 'int' : item?.[2] === 'A' ? 'any' : 'text';
    const text = form.replace(new RegExp(placeholder, 'g'), (letter) => {
      if (letter === '#') return patterns[dice.below(patterns.length)]!;
      if (letter !== 'V') {
        const part = make(places[letter]!, depth);
        return /[ ?]/.test(part) ? `(${part})` : part;
      }
      if (name === undefined) return (name = `v${++names}`);
      if (!isBound) inScope.push({name, type});
      isBound = true;
      return name;
    });
    if (isBound) inScope.pop();
    return text;
  };
  return make('bool', 2 + dice.below(4));
}
